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
    let new = try request.body { body in
      NewBreakTypeRequest(
        name: body.string("name"), isPaid: body.bool("isPaid"),
        expectedSeconds: body.optionalInteger("expectedSeconds"))
    }
    let membership = try request.requireMembership()
    return try await request.once { created in
      let location = "/v1/organizations/\(created.organizationID)/breakTypes/\(created.id)"
      return .json(status: .created, version: created.version, location: location, created.payload)
    } perform: { recording in
      try await request.timeclock.createBreakType(new, by: membership, recording: recording)
    }
  }

  /// Returns one break type.
  static let getBreakType = Operation(
    "getBreakType", .get, "/v1/organizations/{organizationID}/breakTypes/{breakTypeId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.breakType(
      request.pathIdentifier(.breakType), for: request.requireMembership())
    return .json(version: found.version, found.payload)
  }

  /// Changes a break type, or archives it.
  static let updateBreakType = Operation(
    "updateBreakType", .patch, "/v1/organizations/{organizationID}/breakTypes/{breakTypeId}", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let id: BreakTypeID = try request.pathIdentifier(.breakType)
    let (changes, version) = try request.optionalBody {
      ($0.breakTypeChanges(), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.breakType(id, for: membership).version
    }
    let changed = try await request.timeclock.updateBreakType(
      id, changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: changed.version, changed.payload)
  }
}

extension ObjectReader {
  /// Null is a value only for the duration, and removes it.
  fileprivate func breakTypeChanges() -> BreakTypeChanges {
    let isDurationGiven = has("expectedSeconds")
    let expectedSeconds = optionalInteger("expectedSeconds")
    return BreakTypeChanges(
      name: optionalString("name"), isPaid: optionalBool("isPaid"),
      expectedSeconds: isDurationGiven ? .some(expectedSeconds) : nil, isArchived: optionalBool("archived"))
  }
}

extension BreakType {
  /// Writes the contract's BreakType.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("name", name)
      writer.member("isPaid", isPaid)
      writer.member("expectedSeconds", expectedSeconds)
      writer.member("archived", isArchived)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
    }
  }

  /// The contract's BreakType.
  fileprivate var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
