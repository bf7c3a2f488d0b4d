import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists corrections.
  static let listCorrections = Operation("listCorrections") { request in
    let (wanted, limit, cursor, list) = try request.query { query in
      let list = try request.list("listCorrections", query)
      let wanted = CorrectionListRequest(members: query.members(), state: query.choice("state"))
      return (wanted, query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.corrections(
      wanted, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("corrections", of: list) { $1.write(to: &$0) }
  }

  /// Proposes a change of a member's time.
  static let requestCorrection = Operation("requestCorrection") { request in
    try request.requireNoQuery()
    let new = try request.body { $0.correctionRequest() }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.requestCorrection(new, by: membership, recording: recording)
    }
  }

  /// Returns one correction.
  static let getCorrection = Operation("getCorrection") { request in
    try await request.answer { try await request.timeclock.correction($0, for: $1) }
  }

  /// Agrees to a correction, or refuses it.
  static let decideCorrection = Operation("decideCorrection") { request in
    let timeclock = request.timeclock
    return try await request.settle { body in
      (body.choice("decision") as CorrectionDecision?, body.optionalString("answer"))
    } by: { id, stated, version, caller in
      try await request.once(answer: \.answer) { recording in
        try await timeclock.decideCorrection(
          id, stated.0 ?? .refuse, answer: stated.1, expectedVersion: version(), by: caller,
          recording: recording)
      }
    }
  }

  /// Takes back a correction.
  static let withdrawCorrection = Operation("withdrawCorrection") { request in
    let timeclock = request.timeclock
    return try await request.settle(needsBody: false) { _ in
    } by: { id, _, version, caller in
      try await timeclock.withdrawCorrection(id, expectedVersion: version(), by: caller).answer
    }
  }

  /// Objects to a change of the caller's time.
  static let objectToCorrection = Operation("objectToCorrection") { request in
    let timeclock = request.timeclock
    return try await request.settle { body in
      body.string("reason")
    } by: { id, reason, version, caller in
      try await timeclock.objectToCorrection(id, reason: reason, expectedVersion: version(), by: caller)
        .answer
    }
  }
}

extension OperationRequest {
  /// Changes the state of the correction of the path.
  ///
  /// - Parameters:
  ///   - needsBody: Whether the request has to have a body.
  ///   - read: Reads the body beside its version.
  ///   - settle: Changes it. It asks for the version that the request is meant for where it is carried out, and not where it is
  ///     repeated; nil means any.
  fileprivate func settle<Statement>(
    needsBody: Bool = true, _ read: (ObjectReader) -> Statement,
    by settle: (
      CorrectionID, Statement, _ expectedVersion: () async throws -> Int64?, Membership
    ) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    let id: CorrectionID = try pathIdentifier(.correction)
    let (stated, version) =
      needsBody
      ? try body { (read($0), $0.optionalSequence("version")) }
      : try optionalBody { (read($0), $0.optionalSequence("version")) }
    let condition = try versionCondition(stated: version)
    let membership = try requireMembership()
    return try await settle(
      id, stated,
      {
        try await condition?.expectedVersion { try await timeclock.correction(id, for: membership).version }
      }, membership)
  }
}

extension ObjectReader {
  /// Reads a proposal: times, both of an entry to add, or `delete`.
  fileprivate func correctionRequest() -> CorrectionRequest {
    var request = CorrectionRequest(
      userID: optionalIdentifier("userId"), timeEntryID: optionalIdentifier("timeEntryId"),
      reason: string("reason"), isApplied: optionalBool("apply") ?? false)
    let isNew = request.timeEntryID == nil
    _ = object("proposal") { proposal in
      request.isDeletion = proposal.optionalBool("delete") ?? false
      request.clockInTime = proposal.optionalInstant("clockInTime")
      request.clockOutTime = proposal.optionalInstant("clockOutTime")
      if isNew && !request.isDeletion {
        guard !proposal.isFaulty else { return }
        for (name, time) in [("clockInTime", request.clockInTime), ("clockOutTime", request.clockOutTime)]
        where time == nil {
          proposal.refuse(name, code: "missing", "is missing, and so is timeEntryId")
        }
        return
      }
      let hasTimes = request.clockInTime != nil || request.clockOutTime != nil
      if request.isDeletion, isNew || hasTimes {
        proposal.refuse("delete", code: "conflict", "must stand beside timeEntryId, and beside no times")
      } else if !request.isDeletion, !hasTimes, !proposal.isFaulty {
        proposal.refuse("clockInTime", code: "missing", "is missing, and clockOutTime and delete are too")
      }
    }
    return request
  }
}
