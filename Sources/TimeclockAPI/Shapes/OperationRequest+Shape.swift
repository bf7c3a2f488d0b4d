import HTTPMessages
import TimeclockDomain

extension OperationRequest {
  /// Answers with the record of the path.
  ///
  /// - Parameter read: Reads it, for the caller.
  func answer<Record: ShapedRecord>(
    _ read: (Identifier<Record>, Membership) async throws -> Record
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    try requireNoBody()
    return try await read(pathIdentifier(Record.shape.kind), requireMembership()).answer
  }

  /// Changes the record of the path as the body states it, in the version that the request expects.
  ///
  /// - Parameters:
  ///   - read: Reads it, for the caller.
  ///   - change: Changes it; an expected version of nil means any.
  ///   - states: Reads the body; nil for one that states the fields as they are.
  func change<Record: ShapedRecord>(
    _ read: (Identifier<Record>, Membership) async throws -> Record,
    states: ((ObjectReader, _ isNew: Bool) -> Stated<Record>)? = nil,
    by change: (
      Identifier<Record>, Stated<Record>, _ expectedVersion: Int64?, Membership
    ) async throws -> Record
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    let id: Identifier<Record> = try pathIdentifier(Record.shape.kind)
    let (stated, version) = try optionalBody {
      (states?($0, false) ?? $0.stated(forNew: false), $0.optionalSequence("version"))
    }
    let condition = try requireVersionCondition(stated: version)
    let membership = try requireMembership()
    let expectedVersion = try await condition.expectedVersion { try await read(id, membership).version }
    return try await change(id, stated, expectedVersion, membership).answer
  }

  /// Deletes the record of the path, in the version that the request expects.
  ///
  /// - Parameters:
  ///   - read: Reads it, for the caller.
  ///   - delete: Deletes it; an expected version of nil means any.
  func delete<Record: ShapedRecord>(
    _ read: (Identifier<Record>, Membership) async throws -> Record,
    by delete: (Identifier<Record>, _ expectedVersion: Int64?, Membership) async throws -> Void
  ) async throws -> HTTPResponse {
    let version = try query { $0.sequence("version") }
    try requireNoBody()
    let id: Identifier<Record> = try pathIdentifier(Record.shape.kind)
    let condition = try requireVersionCondition(stated: version)
    let membership = try requireMembership()
    let expectedVersion = try await condition.expectedVersion { try await read(id, membership).version }
    try await delete(id, expectedVersion, membership)
    return .noContent
  }
}
