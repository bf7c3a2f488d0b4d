import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists groups.
  static let listGroups = Operation("listGroups") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listGroups", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.groups(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("groups", of: list) { $1.write(to: &$0) }
  }

  /// Makes a group.
  static let createGroup = Operation("createGroup") { request in
    try request.requireNoQuery()
    let new: Stated<Group> = try request.body { $0.stated(forNew: true) }
    let membership = try request.requireMembership()
    return try await request.once(answer: \.answerOfNew) { recording in
      try await request.timeclock.createGroup(new, by: membership, recording: recording)
    }
  }

  /// Returns one group.
  static let getGroup = Operation("getGroup") { request in
    try await request.answer { try await request.timeclock.group($0, for: $1) }
  }

  /// Changes a group's name, or its people.
  static let updateGroup = Operation("updateGroup") { request in
    let timeclock = request.timeclock
    return try await request.change(
      { try await timeclock.group($0, for: $1) },
      by: { try await timeclock.updateGroup($0, $1, expectedVersion: $2, by: $3) })
  }

  /// Deletes a group.
  static let deleteGroup = Operation("deleteGroup") { request in
    let timeclock = request.timeclock
    return try await request.delete(
      { try await timeclock.group($0, for: $1) },
      by: { try await timeclock.deleteGroup($0, expectedVersion: $1, by: $2) })
  }
}
