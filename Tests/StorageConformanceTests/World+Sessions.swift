import TimeclockDomain

extension World {
  /// A session as the rules would make it, not yet kept.
  func session(
    in organization: TestOrganization, on date: LocalDate = World.today, assignees: [TestMember] = []
  ) -> Session {
    Session(
      id: id(), organizationID: organization.id, date: date, title: "Evening class", startTime: nil,
      endTime: nil, location: nil, assigneeIDs: assignees.map(\.id), version: 1, createdAt: Self.start,
      updatedAt: Self.start)
  }

  /// Keeps a session.
  @discardableResult
  func keep(_ session: Session, in organization: TestOrganization) async throws -> SessionDetails {
    try await storage.createSession(session, in: organization.key, context: .test())
  }

  /// Keeps a session of today.
  func addSession(in organization: TestOrganization, assignees: [TestMember]) async throws -> SessionID {
    try await keep(session(in: organization, assignees: assignees), in: organization).session.id
  }

  /// Changes a session.
  @discardableResult
  func change(
    _ session: Session, in organization: TestOrganization, version: Int64? = nil,
    assignees: [UserID]? = nil, at time: Instant = World.start,
    _ change: @escaping @Sendable (inout Session) throws -> Void = { _ in }
  ) async throws -> SessionDetails {
    try await storage.updateSession(
      SessionUpdate(
        id: session.id, organization: organization.key, expectedVersion: version, assigneeIDs: assignees,
        context: .test(at: time)), change)
  }

  /// Deletes a session.
  func delete(
    _ session: Session, in organization: TestOrganization, version: Int64? = nil, detaching: Bool = false,
    at time: Instant = World.start
  ) async throws {
    try await storage.deleteSession(
      SessionDeletion(
        id: session.id, organization: organization.key, expectedVersion: version, detachesEntries: detaching,
        context: .test(at: time)))
  }

  /// All pages of a list of sessions, one after the other.
  func listSessions(
    _ organization: TestOrganization, assignee: TestMember? = nil, from: LocalDate? = nil,
    through: LocalDate? = nil, pageSize: Int = 100
  ) async throws -> [SessionDetails] {
    var sessions: [SessionDetails] = []
    var cursor: SessionCursor?
    repeat {
      let page = try await storage.sessions(
        SessionQuery(
          organization: organization.key, assignee: assignee?.key.user, from: from, through: through,
          cursor: cursor, limit: pageSize))
      sessions += page.elements
      cursor = page.next
    } while cursor != nil
    return sessions
  }
}
