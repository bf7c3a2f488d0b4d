import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Submits the time of a member through a date.
  static let submitTimesheet = Operation("submitTimesheet") { request in
    try request.requireNoQuery()
    let (userID, through, note) = try request.body { body in
      let isStated = body.has("complete")
      if !body.bool("complete"), isStated { body.refuse("complete", code: "invalid", "must be true") }
      return (
        body.optionalIdentifier("userId") as UserID?, body.date("through"), body.optionalString("note")
      )
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answer) { recording in
      try await request.timeclock.submitTimesheet(
        of: userID, through: through, note: note, by: membership, recording: recording)
    }
  }

  /// Takes back what the caller has submitted.
  static let withdrawTimesheet = Operation("withdrawTimesheet") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answer) { recording in
      try await request.timeclock.withdrawTimesheet(by: membership, recording: recording)
    }
  }

  /// Takes back what a member has submitted.
  static let rejectTimesheet = Operation("rejectTimesheet") { request in
    try request.requireNoQuery()
    let (userID, reason) = try request.body { body in
      (body.identifier("userId") as UserID, body.string("reason"))
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answer) { recording in
      try await request.timeclock.rejectTimesheet(
        of: userID, reason: reason, by: membership, recording: recording)
    }
  }

  /// Approves the time of members through a date.
  static let approveTimesheets = Operation("approveTimesheets") { request in
    try request.requireNoQuery()
    let (userIDs, through, includesUnsubmitted, note) = try request.body { body in
      (
        body.periodUsers("userIds"), body.date("through"),
        body.optionalBool("includeUnsubmitted") ?? false, body.optionalString("note")
      )
    }
    let membership = try request.requireMembership()
    let now = request.timeclock.clock.now
    return try await request.once { moves in
      moves.answer(at: now)
    } perform: { recording in
      try await request.timeclock.approveTimesheets(
        of: userIDs, through: through, includesUnsubmitted: includesUnsubmitted, note: note, by: membership,
        recording: recording)
    }
  }

  /// Takes back approvals of a member's time.
  static let reopenTimesheet = Operation("reopenTimesheet") { request in
    try request.requireNoQuery()
    let (userID, through, reason) = try request.body { body in
      (body.identifier("userId") as UserID, body.dateOrNull("through"), body.string("reason"))
    }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answer) { recording in
      try await request.timeclock.reopenTimesheet(
        of: userID, through: through, reason: reason, by: membership, recording: recording)
    }
  }
}

extension ObjectReader {
  /// Reads the ids of the members whose marks are to be moved, each once.
  func periodUsers(_ name: String) -> [UserID] {
    let ids: [UserID] = identifiers(name, atMost: Timeclock.periodMaximumCount)
    refuseRepeated(ids, in: name)
    return ids
  }
}

extension ReviewedPeriod {
  /// The answer to a request that moves a member's marks.
  fileprivate var answer: HTTPResponse { .json(JSONWriter.object { writeMembers(to: &$0) }) }
}
