/// The outcome of a round of looking for forgotten entries.
package enum ForgottenRound: Hashable, Sendable {
  /// The number of entries that were closed.
  case closed(Int)
  /// There are entries to close, and the clock is in doubt: none was.
  case heldBack(ClockWatch.Doubt)
}

extension Timeclock {
  /// Has a watch remember how old the newest change is, before the service writes any.
  ///
  /// - Throws: Any error of the storage; then the watch asks in its first round.
  package func begin(_ watch: ClockWatch) async throws {
    try await watch.begin(newest: storage.newestChange)
  }

  /// `closeForgottenEntries`, unless the clock is in doubt: entries that are ended by a wrong clock keep their members from
  /// clocking in until the right one has got there.
  ///
  /// - Throws: As `closeForgottenEntries`, and any error of the storage when it is asked for its newest change.
  package func closeForgottenEntries(watching watch: ClockWatch) async throws -> ForgottenRound {
    let now = clock.now
    guard let doubt = try await watch.doubt(at: now, newest: storage.newestChange) else {
      return .closed(try await closeForgottenEntries())
    }
    let isAnyDue = try await !storage.organizationsWithForgottenEntries(at: now).isEmpty
    return isAnyDue ? .heldBack(doubt) : .closed(0)
  }

  /// Clocks out everybody who has been clocked in for longer than the policy of their organization waits.
  ///
  /// An organization where it fails does not keep the others from their turn. A canceled task ends between two
  /// batches.
  ///
  /// - Returns: The number of entries that were closed.
  /// - Throws: The first error.
  package func closeForgottenEntries() async throws -> Int {
    let now = clock.now
    let context = ChangeContext(author: .service, operation: .autoClockOut, time: now)
    return try await inParts(
      of: storage.organizationsWithForgottenEntries(at: now), limit: Self.forgottenBatch
    ) { organization, limit in
      try await storage.closeForgottenEntries(in: organization, limit: limit, context: context).count
    }
  }

  /// Does the service's own work in each organization, in parts, until a part is smaller than it might be.
  ///
  /// - Returns: The number of rows of all parts.
  /// - Throws: The first error, once every organization has had its turn.
  func inParts(
    of organizations: [OrganizationKey], limit: Int,
    _ part: (OrganizationKey, _ limit: Int) async throws -> Int
  ) async throws -> Int {
    var count = 0
    var failure: (any Error)?
    for organization in organizations {
      do {
        var isDone = false
        while !isDone, !Task.isCancelled {
          let size = try await part(organization, limit)
          count += size
          isDone = size < limit
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return count
  }

  /// The number of entries that are closed in one transaction, which others wait for.
  private static var forgottenBatch: Int { 50 }
}
