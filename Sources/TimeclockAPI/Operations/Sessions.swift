import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the sessions of a range of days, oldest first.
  static let listSessions = Operation("listSessions") { request in
    let membership = try request.requireMembership()
    let (wanted, list) = try request.query { query in
      let list = try request.list("listSessions", query)
      query.refuse("date", beside: "startDate", "endDate", "range")
      let date = query.dateOrToday("date")
      let stated = query.dates()
      let wanted = SessionListRequest(
        dates: date ?? stated, assignedTo: query.identifier("assignedTo", me: membership.userID),
        groupID: query.identifier("groupId"), cursor: query.cursor(in: list), limit: query.limit())
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.sessions(wanted, for: membership)
    return page.response("sessions", of: list) { $1.write(to: &$0) }
  }

  /// Makes a session that members can be assigned to.
  static let createSession = Operation("createSession") { request in
    try request.requireNoQuery()
    let new = try request.body { body in
      NewSessionRequest(
        date: body.date("date"), title: body.string("title"), startTime: body.optionalInstant("startTime"),
        endTime: body.optionalInstant("endTime"), location: body.optionalString("location"),
        assigneeIDs: body.assigneeIDs() ?? [])
    }
    let membership = try request.requireMembership()
    return try await request.once { created in
      .json(
        status: .created, version: created.session.version, location: created.location, created.payload)
    } perform: { recording in
      try await request.timeclock.createSession(new, by: membership, recording: recording)
    }
  }

  /// Returns one session.
  static let getSession = Operation("getSession") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.session(
      request.pathIdentifier(.session), for: request.requireMembership())
    return .json(version: found.session.version, found.payload)
  }

  /// Changes a session and its assignees.
  static let updateSession = Operation("updateSession") { request in
    try request.requireNoQuery()
    let id: SessionID = try request.pathIdentifier(.session)
    let (changes, version) = try request.optionalBody {
      ($0.sessionChanges(), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.session(id, for: membership).session.version
    }
    let changed = try await request.timeclock.updateSession(
      id, changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: changed.session.version, changed.payload)
  }

  /// Deletes a session and, on request, takes it off the entries that refer to it.
  static let deleteSession = Operation("deleteSession") { request in
    let (detaches, version) = try request.query { ($0.bool("detach"), $0.sequence("version")) }
    try request.requireNoBody()
    let id: SessionID = try request.pathIdentifier(.session)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.session(id, for: membership).session.version
    }
    try await request.timeclock.deleteSession(
      id, detachesEntries: detaches ?? false, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}

extension ObjectReader {
  /// Null is a value only for the times and the location, and removes them.
  fileprivate func sessionChanges() -> SessionChanges {
    let (isStartGiven, isEndGiven, isLocationGiven) = (has("startTime"), has("endTime"), has("location"))
    let (start, end, location) = (
      optionalInstant("startTime"), optionalInstant("endTime"), optionalString("location")
    )
    return SessionChanges(
      date: optionalDate("date"), title: optionalString("title"),
      startTime: isStartGiven ? .some(start) : nil,
      endTime: isEndGiven ? .some(end) : nil, location: isLocationGiven ? .some(location) : nil,
      assigneeIDs: assigneeIDs())
  }
}
