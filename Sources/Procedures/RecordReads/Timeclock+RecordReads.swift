import TimeclockDomain

/// A request to list reads on record; nil leaves a condition out.
package struct RecordReadRequest: Sendable {
  package var readerID: UserID?
  package var groupID: GroupID?
  /// The member whose time was read; if none is stated, the caller, and for an admin everybody.
  package var userID: UserID?
  /// At or after this instant.
  package var startTime: Instant?
  /// Before this instant.
  package var endTime: Instant?
  package var cursor: RowCursor?
  package var limit: Int

  package init(
    readerID: UserID? = nil, groupID: GroupID? = nil, userID: UserID? = nil, startTime: Instant? = nil,
    endTime: Instant? = nil, cursor: RowCursor? = nil, limit: Int = 100
  ) {
    self.readerID = readerID
    self.groupID = groupID
    self.userID = userID
    self.startTime = startTime
    self.endTime = endTime
    self.cursor = cursor
    self.limit = limit
  }
}

extension Timeclock {
  /// Keeps a representative's reading on record, before anything is answered; nothing for a caller who reads by their role.
  ///
  /// - Parameters:
  ///   - startDate: The first date that is read; nil for an open end.
  ///   - endDate: The last one.
  /// - Throws: `.notFound(.group)` if the group is gone by now, `.notFound(.member)` if a stated member is none of it any more.
  func keepRead(
    by caller: Membership, as representation: Representation?, from startDate: LocalDate?,
    through endDate: LocalDate?
  ) async throws {
    guard let representation else { return }
    let now = clock.now
    try await storage.keepRead(
      RecordRead(
        id: identifiers.next(at: now), time: now, readerID: caller.userID, groupID: representation.groupID,
        groupName: "", operation: representation.operation, userID: representation.userID,
        startDate: startDate, endDate: endDate), as: representation, in: caller.key.organization)
  }

  /// A page of reads on record, newest first: those of the caller's own time, and for admins all.
  ///
  /// - Throws: `.notFound(.member)` for somebody who is not in the organization, `.notFound(.group)` for a group that never was,
  ///   both before `.forbidden`.
  package func recordReads(
    _ request: RecordReadRequest, for caller: Membership
  ) async throws -> Page<RecordRead, RowCursor> {
    let organization = caller.key.organization
    let stated = Set([request.readerID, request.userID].compactMap(\.self))
    let members = stated.isEmpty ? [:] : try await storage.memberships(of: stated, in: organization)
    guard members.count == stated.count else { throw TimeclockError.notFound(.member) }
    if let groupID = request.groupID {
      guard try await isOnRecord(groupID, in: organization) else { throw TimeclockError.notFound(.group) }
    }
    if request.readerID != nil || request.groupID != nil || request.userID ?? caller.userID != caller.userID {
      try caller.require(.admin)
    }
    let person = request.userID.flatMap { members[$0]?.key.user }
    return try await storage.recordReads(
      RecordReadQuery(
        organization: organization, readerID: request.readerID, groupID: request.groupID,
        person: caller.role >= .admin ? person : caller.key.user, startTime: request.startTime,
        endTime: request.endTime, cursor: request.cursor, limit: request.limit))
  }

  /// Whether there is a group with this id, or was one whose members' time was read.
  private func isOnRecord(_ id: GroupID, in organization: OrganizationKey) async throws -> Bool {
    if try await storage.groupKey(of: id, in: organization) != nil { return true }
    let reads = try await storage.recordReads(
      RecordReadQuery(organization: organization, groupID: id, limit: 1))
    return !reads.elements.isEmpty
  }
}
