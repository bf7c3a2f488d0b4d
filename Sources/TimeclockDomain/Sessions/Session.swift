/// The public id of a session.
package typealias SessionID = Identifier<Session>

/// Something members are assigned to work at. Entries may name the one they belong to.
package struct Session: Hashable, Sendable {
  package var id: SessionID
  package var organizationID: OrganizationID
  package var date: LocalDate
  package var title: String
  package var startTime: Instant?
  /// After `startTime` if there are both.
  package var endTime: Instant?
  package var location: String?
  /// The members who are to work at it: each once, in the order of the ids.
  package var assigneeIDs: [UserID] {
    didSet { assigneeIDs = assigneeIDs.ordered }
  }
  /// Counts the changes; the entity tag is made of it.
  package var version: Int64
  package var createdAt: Instant
  package var updatedAt: Instant

  package init(
    id: SessionID, organizationID: OrganizationID, date: LocalDate, title: String, startTime: Instant?,
    endTime: Instant?, location: String?, assigneeIDs: [UserID], version: Int64, createdAt: Instant,
    updatedAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.date = date
    self.title = title
    self.startTime = startTime
    self.endTime = endTime
    self.location = location
    self.assigneeIDs = assigneeIDs.ordered
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Session {
  /// Restores fields that no change may change.
  package mutating func restoreFixed(from before: Session) {
    id = before.id
    organizationID = before.organizationID
    version = before.version
    createdAt = before.createdAt
    updatedAt = before.updatedAt
  }

  /// The session with the assignees who are in sight.
  package func shown(within sight: Sight) -> Session {
    var session = self
    session.assigneeIDs = assigneeIDs.filter(sight.contains)
    return session
  }

  /// Refuses an end that is not after the start.
  ///
  /// - Throws: `TimeclockError.endNotAfterStart`.
  package func requireOrder() throws {
    guard let startTime, let endTime else { return }
    guard startTime < endTime else { throw TimeclockError.endNotAfterStart }
  }
}

/// A session as it is shown: with the organization's present names of its assignees.
package struct SessionDetails: Hashable, Sendable {
  package var session: Session
  /// In the order of `session.assigneeIDs`.
  package var assignees: [SessionAssignee]

  /// A session with its assignees, which may come in any order.
  package init(_ session: Session, assignees: [SessionAssignee]) {
    let assignees = Dictionary(assignees.map { ($0.userID, $0) }) { $1 }
    self.session = session
    self.assignees = session.assigneeIDs.compactMap { assignees[$0] }
  }

  /// The session as a caller sees it who may: with the assignees who are in their sight.
  package func shown(to caller: Membership) -> SessionDetails {
    SessionDetails(session.shown(within: caller.sight), assignees: assignees)
  }
}

/// A member who is assigned to a session.
package struct SessionAssignee: Hashable, Sendable {
  package var userID: UserID
  package var name: String

  package init(userID: UserID, name: String) {
    self.userID = userID
    self.name = name
  }
}

extension SessionDetails: Versioned {
  package var version: Int64 { session.version }
  package var current: CurrentResource {
    CurrentResource(.session(session), version: version, session: self)
  }
}
