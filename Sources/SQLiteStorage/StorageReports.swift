import Synchronization

/// The receivers of reports of failures in a storage, as `SQLiteStorage.open` says.
struct StorageReports: Sendable {
  let error: @Sendable (String) -> Void
  let alarm: @Sendable (String) -> Void
  let onFailure: @Sendable () -> Void
}

/// Keeps the time at which reads last met damage in the database.
final class DamageNotice: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)
  private let reported = Mutex<ContinuousClock.Instant?>(nil)

  /// The time for which one meeting counts, and the least time between two lines about it in the log.
  private static let interval: Duration = .seconds(60)

  /// Takes down that a read has just met damage.
  ///
  /// - Returns: Whether to report it: the last report is a minute ago.
  func note(now: ContinuousClock.Instant = .now) -> Bool {
    last.withLock { $0 = now }
    return reported.withLock { reported in
      if let reported, now < reported + Self.interval { return false }
      reported = now
      return true
    }
  }

  /// Whether a read met damage within the last minute.
  var isRecent: Bool { last.withLock { $0.map { .now < $0 + Self.interval } ?? false } }
}
