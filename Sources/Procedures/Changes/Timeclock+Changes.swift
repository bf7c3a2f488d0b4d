import TimeclockDomain

/// An admin's request to see changes; nil leaves a condition out.
package struct AuditLogRequest: Sendable {
  /// The author of the changes.
  package var userID: UserID?
  package var resource: Snapshot.Kind?
  package var resourceID: ResourceID?
  package var operation: String?
  /// At or after this instant.
  package var startTime: Instant?
  /// Before this instant.
  package var endTime: Instant?
  package var cursor: RowCursor?
  package var limit: Int

  package init(
    userID: UserID? = nil, resource: Snapshot.Kind? = nil, resourceID: ResourceID? = nil,
    operation: String? = nil, startTime: Instant? = nil, endTime: Instant? = nil, cursor: RowCursor? = nil,
    limit: Int = 100
  ) {
    self.userID = userID
    self.resource = resource
    self.resourceID = resourceID
    self.operation = operation
    self.startTime = startTime
    self.endTime = endTime
    self.cursor = cursor
    self.limit = limit
  }
}

extension Timeclock {
  /// The changes that a member's feed looks at for one answer, at least: most are of others.
  private static let memberFeedWindow = 500

  /// The changes that the caller sees of a group's members, or, if no group is stated, of everything.
  ///
  /// - Parameters:
  ///   - groupID: A group of the caller's, with its members as of now; nil leaves the condition out.
  ///   - userID: Only this member's view; nil for all that the caller may see.
  ///   - resources: Only changes of these kinds.
  /// - Throws: `.notFound(.group)`, `.forbidden`.
  package func changeView(
    of caller: Membership, ofGroup groupID: GroupID?, asSeenBy userID: UserID? = nil,
    resources: Set<Snapshot.Kind> = Set(Snapshot.Kind.allCases)
  ) async throws -> ChangeView {
    _ = try await group(groupID, for: caller)
    var members: Set<UserID>?
    if let groupID { members = Set(try await group(groupID, for: caller).memberIDs) }
    return ChangeView(of: caller, asSeenBy: userID, group: members, resources: resources)
  }

  /// Changes after a position that a client states, in the order in which they were committed: none is ever put in
  /// before one that was answered. A reader who does not see everything gets those among a bounded number of changes:
  /// there may be more while `nextAfter` moves, even if there is none.
  ///
  /// - Throws: `.positionUnknown`.
  package func changes(
    of organization: OrganizationKey, after position: LogPosition, limit: Int, seeing view: ChangeView
  ) async throws -> ChangeFeed {
    let end = try await storage.logEnd(of: organization)
    try position.require(in: end)
    return try await changes(
      of: organization, after: LogPlace(epoch: end.epoch, sequence: position.sequence), limit: limit,
      seeing: view)
  }

  /// The same, after a place that the log has.
  package func changes(
    of organization: OrganizationKey, after place: LogPlace, limit: Int, seeing view: ChangeView
  ) async throws -> ChangeFeed {
    let found = try await storage.changes(
      of: organization, after: place.sequence, resources: view.resources,
      limit: view.isWhole ? limit : max(limit, Self.memberFeedWindow))
    return ChangeFeed(found, after: place, limit: limit, seeing: view)
  }

  /// A page of the log of changes, newest first.
  ///
  /// - Throws: `.forbidden`; `.notFound(.member)` for an author who is not in the organization.
  package func auditLog(
    _ request: AuditLogRequest, for caller: Membership
  ) async throws -> Page<Change, RowCursor> {
    try caller.require(.admin)
    _ = try await subject(request.userID, for: caller)
    return try await storage.auditLog(
      AuditLogQuery(
        organization: caller.key.organization, author: request.userID, resource: request.resource,
        resourceID: request.resourceID, operation: request.operation, from: request.startTime,
        to: request.endTime, cursor: request.cursor, limit: request.limit))
  }
}
