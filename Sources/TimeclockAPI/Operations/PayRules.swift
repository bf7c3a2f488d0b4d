import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the dated pay rules.
  static let listPayRules = Operation("listPayRules") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listPayRules", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.payRules(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("payRules", of: list) { $1.write(to: &$0) }
  }

  /// Makes pay rules from a date on.
  static let createPayRules = Operation("createPayRules") { request in
    try request.requireNoQuery()
    let new: Stated<DatedPayRules> = try request.body { $0.stated(forNew: true) }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.createPayRules(new, by: membership, recording: recording)
    }
  }

  /// Returns the pay rules from one date on.
  static let getPayRules = Operation("getPayRules") { request in
    try await request.answer { try await request.timeclock.payRules($0, for: $1) }
  }

  /// Changes pay rules, or their first date.
  static let updatePayRules = Operation("updatePayRules") { request in
    let timeclock = request.timeclock
    return try await request.change(
      { try await timeclock.payRules($0, for: $1) },
      by: { try await timeclock.updatePayRules($0, $1, expectedVersion: $2, by: $3) })
  }

  /// Deletes pay rules; those before them count for their dates.
  static let deletePayRules = Operation("deletePayRules") { request in
    let timeclock = request.timeclock
    return try await request.delete(
      { try await timeclock.payRules($0, for: $1) },
      by: { try await timeclock.deletePayRules($0, expectedVersion: $1, by: $2) })
  }
}
