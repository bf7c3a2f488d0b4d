import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists absences.
  static let listAbsences = Operation("listAbsences") { request in
    let (wanted, limit, cursor, list) = try request.query { query in
      let list = try request.list("listAbsences", query)
      let wanted = AbsenceListRequest(
        members: query.members(), state: query.choice("state"), startDate: query.date("startDate"),
        endDate: query.date("endDate"))
      return (wanted, query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.absences(
      wanted, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("absences", of: list) { $1.write(to: &$0) }
  }

  /// Enters an absence, which may have to be approved.
  static let requestAbsence = Operation("requestAbsence") { request in
    try request.requireNoQuery()
    let (userID, new) = try request.body { body in
      (body.optionalIdentifier("userId") as UserID?, body.newAbsence())
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.requestAbsence(new, of: userID, by: membership, recording: recording)
    }
  }

  /// Enters many absences, which are approved at once.
  static let createAbsences = Operation("createAbsences") { request in
    try await request.createMany(Absence.self) { row in
      row.newAbsence()
    } by: {
      try await request.timeclock.createAbsences($0, mode: $1, by: $2, recording: $3)
    }
  }

  /// Returns one absence.
  static let getAbsence = Operation("getAbsence") { request in
    try await request.answer { try await request.timeclock.absence($0, for: $1) }
  }

  /// Changes an absence's dates, its portion or its note.
  static let updateAbsence = Operation("updateAbsence") { request in
    let timeclock = request.timeclock
    return try await request.change(needsVersion: true) { body in
      (body.stated(forNew: false) as Stated<Absence>, body.optionalString("reason"))
    } by: {
      try await timeclock.updateAbsence($0, $1.0, reason: $1.1, expectedVersion: $2, by: $3)
    }
  }

  /// Approves or refuses an absence.
  static let decideAbsence = Operation("decideAbsence") { request in
    let timeclock = request.timeclock
    return try await request.change(needsVersion: false, needsBody: true) { body in
      (body.choice("decision") as AbsenceDecision?, body.optionalString("note"))
    } by: {
      try await timeclock.decideAbsence($0, $1.0 ?? .refuse, note: $1.1, expectedVersion: $2, by: $3)
    }
  }

  /// Cancels an absence.
  static let cancelAbsence = Operation("cancelAbsence") { request in
    let timeclock = request.timeclock
    return try await request.change(needsVersion: false) { body in
      body.optionalString("reason")
    } by: {
      try await timeclock.cancelAbsence($0, reason: $1, expectedVersion: $2, by: $3)
    }
  }
}

extension OperationRequest {
  /// Changes the absence of the path, in the version that the request expects.
  ///
  /// - Parameters:
  ///   - needsVersion: Whether the request has to state a version; without one it is meant for the present one.
  ///   - needsBody: Whether the request has to have a body.
  ///   - read: Reads the body beside its version.
  ///   - change: Changes it; an expected version of nil means any.
  fileprivate func change<Statement>(
    needsVersion: Bool, needsBody: Bool = false, _ read: (ObjectReader) -> Statement,
    by change: (AbsenceID, Statement, _ expectedVersion: Int64?, Membership) async throws -> Absence
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    let id: AbsenceID = try pathIdentifier(.absence)
    let (stated, version) =
      needsBody
      ? try body { (read($0), $0.optionalSequence("version")) }
      : try optionalBody { (read($0), $0.optionalSequence("version")) }
    let condition =
      needsVersion ? try requireVersionCondition(stated: version) : try versionCondition(stated: version)
    let membership = try requireMembership()
    let expectedVersion = try await condition?.expectedVersion {
      try await timeclock.absence(id, for: membership).version
    }
    return try await change(id, stated, expectedVersion, membership).answer
  }
}

extension ObjectReader {
  /// Reads the fields that a body states of a new absence, beside its member.
  fileprivate func newAbsence() -> Stated<Absence> {
    let kind: AbsenceKind? = choice("kind")
    let others = Absence.shape.fields.map { "\($0.name)" }.filter { $0 != "kind" }
    var stated: Stated<Absence> = stated(forNew: true, of: Set(others))
    if let kind { stated.state(\.counted) { kind } }
    return stated
  }
}
