import Procedures
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
  /// The work that it is part of, if one of the servers on a database does it for all; nil if each does it for itself.
  var share: SharedWork?
  /// Does the work that is due now. A canceled task may leave the rest for the next time.
  var work: Work
  /// Called when another server does it.
  var leave: @Sendable () -> Void = {}

  /// Work for all servers on the database.
  static func byTime(
    _ name: String, _ run: @escaping @Sendable (TrustedInstant) async throws -> Void
  ) -> PeriodicJob {
    PeriodicJob(name: name, share: .jobs, work: .byTime(run))
  }

  /// Work for all servers on the database.
  static func deletion(
    _ name: String, _ run: @escaping @Sendable (SettledInstant) async throws -> Void
  ) -> PeriodicJob {
    PeriodicJob(name: name, share: .jobs, work: .deletion(run))
  }

  /// Work of each server.
  static func timeless(_ name: String, _ run: @escaping @Sendable () async throws -> Void) -> PeriodicJob {
    PeriodicJob(name: name, work: .timeless(run))
  }

  /// A number of the database's, which one of the servers counts.
  ///
  /// - Parameter note: Gets the number; nil when another server counts it.
  static func count<Count: Sendable>(
    _ name: String, _ note: @escaping @Sendable (Count?) -> Void,
    _ count: @escaping @Sendable (TrustedInstant) async throws -> Count
  ) -> PeriodicJob {
    PeriodicJob(
      name: name, share: .counting, work: .byTime { now in note(try await count(now)) }, leave: { note(nil) })
  }
}
