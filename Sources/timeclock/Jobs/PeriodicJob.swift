/// Something the service does by itself, time and again.
struct PeriodicJob: Sendable {
  /// What it does, for the log.
  var name: String
  /// Does what there is to do now. A canceled task may leave the rest for the next time.
  var run: @Sendable () async throws -> Void
}
