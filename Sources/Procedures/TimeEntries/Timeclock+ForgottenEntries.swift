import TimeclockDomain

extension Timeclock {
  /// Clocks out everybody who has been clocked in for longer than the policy of their organization waits. Entries that
  /// a wrong clock ended would keep their members from clocking in until the right one has reached them.
  ///
  /// An organization where it fails does not keep the others from their turn. A canceled task ends between two
  /// batches.
  ///
  /// - Returns: The number of entries that were closed.
  /// - Throws: The first error.
  package func closeForgottenEntries(at time: TrustedInstant) async throws -> Int {
    let now = time.instant
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
