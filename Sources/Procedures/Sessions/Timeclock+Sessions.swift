import TimeclockDomain

/// The content of a manager's request to make a session.
package struct NewSessionRequest: Sendable {
  package var date: LocalDate
  package var title: String
  package var startTime: Instant?
  package var endTime: Instant?
  package var location: String?
  package var assigneeIDs: [UserID]

  package init(
    date: LocalDate, title: String, startTime: Instant? = nil, endTime: Instant? = nil,
    location: String? = nil, assigneeIDs: [UserID] = []
  ) {
    self.date = date
    self.title = title
    self.startTime = startTime
    self.endTime = endTime
    self.location = location
    self.assigneeIDs = assigneeIDs
  }
}

/// Changes of a session by a manager; nil leaves a value as it is.
package struct SessionChanges: Sendable {
  package var date: LocalDate?
  package var title: String?
  /// The inner nil takes the time away.
  package var startTime: Instant??
  /// The inner nil takes the time away.
  package var endTime: Instant??
  /// The inner nil takes the location away.
  package var location: String??
  package var assigneeIDs: [UserID]?

  package init(
    date: LocalDate? = nil, title: String? = nil, startTime: Instant?? = nil, endTime: Instant?? = nil,
    location: String?? = nil, assigneeIDs: [UserID]? = nil
  ) {
    self.date = date
    self.title = title
    self.startTime = startTime
    self.endTime = endTime
    self.location = location
    self.assigneeIDs = assigneeIDs
  }
}

/// A client's request for a list of sessions.
package struct SessionListRequest: Sendable {
  package var dates: RequestedDates
  /// The assignee of the sessions; nil means the caller for a member, and all sessions for a manager.
  package var assignedTo: UserID?
  /// Only sessions of this group's members; nil shows all.
  package var groupID: GroupID?
  package var cursor: SessionCursor?
  package var limit: Int

  package init(
    dates: RequestedDates = RequestedDates(), assignedTo: UserID? = nil, groupID: GroupID? = nil,
    cursor: SessionCursor? = nil, limit: Int = 100
  ) {
    self.dates = dates
    self.assignedTo = assignedTo
    self.groupID = groupID
    self.cursor = cursor
    self.limit = limit
  }
}

extension Timeclock {
  /// Makes a session.
  ///
  /// - Throws: `.forbidden`, `.notFound(.member)`, `.invalidTitle`, `.invalidLocation`, `.endNotAfterStart`, the errors of
  ///   `SessionStorage.createSession`.
  package func createSession(
    _ request: NewSessionRequest, by caller: Membership,
    recording: AnswerRecording<SessionDetails>? = nil
  ) async throws -> SessionDetails {
    try caller.require(.manager)
    for assignee in request.assigneeIDs { try caller.requireAccess(to: assignee) }
    let now = clock.now
    let session = Session(
      id: identifiers.next(at: now), organizationID: caller.organizationID, date: request.date,
      title: try SessionText.title(request.title), startTime: request.startTime, endTime: request.endTime,
      location: try request.location.flatMap(SessionText.location), assigneeIDs: request.assigneeIDs,
      version: 1, createdAt: now, updatedAt: now)
    try session.requireOrder()
    return try await storage.createSession(
      session, in: caller.key.organization, context: caller.change("createSession", at: now),
      recording: recording)
  }

  /// One session: any for a manager, an assigned one for a member.
  ///
  /// - Throws: `.notFound(.session)`; `.forbidden` for a member and a session that is not theirs.
  package func session(_ id: SessionID, for caller: Membership) async throws -> SessionDetails {
    guard let found = try await storage.session(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.session)
    }
    if !found.session.assigneeIDs.contains(caller.userID) { try caller.require(.manager) }
    return found.shown(to: caller)
  }

  /// A page of sessions, oldest date first: a member's own, everyone's for a manager.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`.
  package func sessions(
    _ request: SessionListRequest, for caller: Membership
  ) async throws -> Page<SessionDetails, SessionCursor> {
    let wanted = WantedMembers(userID: request.assignedTo, groupID: request.groupID)
    let (assignee, members) = try await subjectOrMembers(wanted, for: caller)
    let (first, last) = try await ends(of: request.dates, for: caller)
    var page = try await storage.sessions(
      SessionQuery(
        organization: caller.key.organization, assignee: assignee?.key.user, group: members.groupKey,
        from: first, through: last, cursor: request.cursor, limit: request.limit))
    page.elements = page.elements.map { $0.shown(to: caller) }
    return page
  }

  /// The caller's own sessions from today on, by the caller's calendar, the next first; at most 100.
  package func sessionsAhead(of caller: Membership) async throws -> [SessionDetails] {
    let today = try today(for: caller)
    let wanted = SessionListRequest(dates: RequestedDates(from: today), assignedTo: caller.userID, limit: 100)
    return try await sessions(wanted, for: caller).elements
  }

  /// Changes a session. Assignees whom the caller does not see stay.
  ///
  /// - Throws: `.forbidden`, `.notFound(.member)`, `.invalidTitle`, `.invalidLocation`, `.endNotAfterStart`, the errors of
  ///   `SessionStorage.updateSession`.
  package func updateSession(
    _ id: SessionID, _ changes: SessionChanges, expectedVersion: Int64?, by caller: Membership
  ) async throws -> SessionDetails {
    try caller.require(.manager)
    for assignee in changes.assigneeIDs ?? [] { try caller.requireAccess(to: assignee) }
    let title = try changes.title.map(SessionText.title)
    let location = try changes.location.map { try $0.flatMap(SessionText.location) }
    return try await shown(to: caller) {
      try await storage.updateSession(
        SessionUpdate(
          id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
          assigneeIDs: changes.assigneeIDs, sight: caller.sight,
          context: caller.change("updateSession", at: clock.now))
      ) { session in
        session.date = changes.date ?? session.date
        session.title = title ?? session.title
        if let startTime = changes.startTime { session.startTime = startTime }
        if let endTime = changes.endTime { session.endTime = endTime }
        if let location { session.location = location }
        try session.requireOrder()
      }.shown(to: caller)
    }
  }

  /// Deletes a session.
  ///
  /// - Parameter detachesEntries: Whether entries that refer to it lose it, instead of being in the way.
  /// - Throws: `.forbidden`, the errors of `SessionStorage.deleteSession`.
  package func deleteSession(
    _ id: SessionID, detachesEntries: Bool, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    try caller.require(.manager)
    try await shown(to: caller) {
      try await storage.deleteSession(
        SessionDeletion(
          id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
          detachesEntries: detachesEntries, context: caller.change("deleteSession", at: clock.now)))
    }
  }

  /// Shows a caller whose change is refused for its version no more of the session than a reading does.
  private func shown<Value>(to caller: Membership, _ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch TimeclockError.changed(current: var current) {
      if let session = current.session { current = session.shown(to: caller).current }
      throw TimeclockError.changed(current: current)
    }
  }
}
