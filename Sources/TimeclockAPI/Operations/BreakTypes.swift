import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the organization's break types.
  static let listBreakTypes = Operation(
    "listBreakTypes", .get, "/v1/organizations/{organizationID}/breakTypes", .role(.member)
  ) { request in
    let (isArchived, limit, cursor, list) = try request.query { query in
      let list = try request.list("listBreakTypes", query)
      return (query.bool("archived"), query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.breakTypes(
      isArchived: isArchived, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("breakTypes", of: list) { $1.write(to: &$0) }
  }

  /// Makes a break type.
  static let createBreakType = Operation(
    "createBreakType", .post, "/v1/organizations/{organizationID}/breakTypes", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let new: Stated<BreakType> = try request.body { $0.stated(forNew: true) }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.createBreakType(new, by: membership, recording: recording)
    }
  }

  /// Returns one break type.
  static let getBreakType = Operation(
    "getBreakType", .get, "/v1/organizations/{organizationID}/breakTypes/{breakTypeId}", .role(.member)
  ) { request in
    try await request.answer { try await request.timeclock.breakType($0, for: $1) }
  }

  /// Changes a break type, or archives it.
  static let updateBreakType = Operation(
    "updateBreakType", .patch, "/v1/organizations/{organizationID}/breakTypes/{breakTypeId}", .role(.admin)
  ) { request in
    let timeclock = request.timeclock
    return try await request.change(timeclock.breakType(_:for:), by: timeclock.updateBreakType)
  }
}
