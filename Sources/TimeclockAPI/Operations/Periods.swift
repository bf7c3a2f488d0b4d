import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists members with the marks on their time.
  static let listPeriods = Operation("listPeriods") { request in
    let (members, filter, limit, cursor, list) = try request.query { query in
      let list = try request.list("listPeriods", query)
      let state: PeriodState.Word? = query.choice("state")
      let through = query.date("through")
      if state != nil || through != nil {
        _ = query.require("state", state, else: .unsubmitted)
        _ = query.require("through", through, else: .earliest)
      }
      let filter = state.flatMap { state in through.map { PeriodFilter(through: $0, state: state) } }
      return (query.members(), filter, query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.periods(
      of: members, filter, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("periods", of: list) { writer, state in
      writer.object { state.writeMembers(to: &$0) }
    }
  }

  /// Returns the marks on a member's time.
  static let getPeriod = Operation("getPeriod") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let state = try await request.timeclock.period(
      of: request.pathIdentifier(.member), for: request.requireMembership())
    return .tagged { state.writeMembers(to: &$0) }
  }

  /// Locks members' time through a date.
  static let lockPeriod = Operation("lockPeriod") { request in
    try request.requireNoQuery()
    let (members, through, includesUnapproved) = try request.body { body in
      (body.periodMembers(), body.date("through"), body.optionalBool("includeUnapproved") ?? false)
    }
    let membership = try request.requireMembership()
    let now = request.timeclock.clock.now
    return try await request.once { moves in
      moves.answer(at: now)
    } perform: { recording in
      try await request.timeclock.lockPeriod(
        of: members, through: through, includesUnapproved: includesUnapproved, by: membership,
        recording: recording)
    }
  }

  /// Unlocks members' time behind a date.
  static let unlockPeriod = Operation("unlockPeriod") { request in
    try request.requireNoQuery()
    let (members, through, reason) = try request.body { body in
      (body.periodMembers(), body.dateOrNull("through"), body.string("reason"))
    }
    let membership = try request.requireMembership()
    let now = request.timeclock.clock.now
    return try await request.once { moves in
      moves.answer(at: now)
    } perform: { recording in
      try await request.timeclock.unlockPeriod(
        of: members, through: through, reason: reason, by: membership, recording: recording)
    }
  }
}

extension ObjectReader {
  /// Reads members by `userIds`, or `all` of them.
  fileprivate func periodMembers() -> PeriodMembers {
    let all = optionalBool("all") ?? false
    let ids: [UserID]? = optionalIdentifiers("userIds", atMost: Timeclock.periodMaximumCount)
    guard let ids else {
      if !all { refuse("userIds", code: "missing", "is missing, and all is not true") }
      return all ? .all : .members([])
    }
    if all { refuse("userIds", code: "conflict", "must not stand beside all") }
    refuseRepeated(ids, in: "userIds")
    return .members(ids)
  }
}
