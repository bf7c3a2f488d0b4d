/// The entries of several that a storage keeps when some of them are refused.
package enum BulkKeeping: Hashable, Sendable {
  /// Every entry that is not refused.
  case accepted
  /// All, or none if one is refused.
  case allOrNone
  /// None: the entries are only judged.
  case none

  /// Lets a transaction go on to its commit, unless nothing is to be kept of it.
  ///
  /// Its error is not typed: Swift 6.3.1 crashes when it optimizes that inside the closure of a transaction.
  ///
  /// - Throws: `NothingKept`.
  package func check(_ outcomes: [Result<TimeEntry, TimeclockError>]) throws {
    let keeps =
      switch self {
      case .accepted: true
      case .allOrNone: outcomes.allSatisfy { if case .success = $0 { true } else { false } }
      case .none: false
      }
    guard keeps else { throw NothingKept(outcomes: outcomes) }
  }
}

/// Ends a transaction of which nothing is kept, and carries its findings.
package struct NothingKept: Error {
  package let outcomes: [Result<TimeEntry, TimeclockError>]
}
