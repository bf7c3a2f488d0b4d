import TimeclockDomain

/// Work that the service does by itself at intervals.
struct PeriodicJob: Sendable {
  /// The clock of a job. A job that ends or deletes something by the time gets its instant here, and has no other.
  enum Work: Sendable {
    /// Ends, begins or counts by the time; left out while the clock is in doubt.
    case byTime(@Sendable (TrustedInstant) async throws -> Void)
    /// Deletes by the time; left out for an hour after the clock was in doubt.
    case deletion(@Sendable (SettledInstant) async throws -> Void)
    /// Needs no time.
    case timeless(@Sendable () async throws -> Void)
  }

  /// The job's name in the log.
  var name: String
  /// Does the work that is due now. A canceled task may leave the rest for the next time.
  var work: Work

  static func byTime(
    _ name: String, _ run: @escaping @Sendable (TrustedInstant) async throws -> Void
  ) -> PeriodicJob {
    PeriodicJob(name: name, work: .byTime(run))
  }

  static func deletion(
    _ name: String, _ run: @escaping @Sendable (SettledInstant) async throws -> Void
  ) -> PeriodicJob {
    PeriodicJob(name: name, work: .deletion(run))
  }

  static func timeless(_ name: String, _ run: @escaping @Sendable () async throws -> Void) -> PeriodicJob {
    PeriodicJob(name: name, work: .timeless(run))
  }
}
