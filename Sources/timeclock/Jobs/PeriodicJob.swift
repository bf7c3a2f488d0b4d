/// Work that the service does by itself at intervals.
struct PeriodicJob: Sendable {
  /// The job's name in the log.
  var name: String
  /// Does the work that is due now. A canceled task may leave the rest for the next time.
  var run: @Sendable () async throws -> Void
}
