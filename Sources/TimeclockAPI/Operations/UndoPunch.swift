import TimeclockDomain

extension Operation {
  /// Takes back a punch that the caller has just applied.
  static let undoPunch = Operation("undoPunch") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let caller = try request.requireMembership()
    let state = try await request.timeclock.undoPunch(
      try request.pathPunch().key(of: caller.userID, by: caller), by: caller)
    var writer = JSONWriter(capacity: 1_536)
    state.write(to: &writer)
    return .json(writer.bytes)
  }
}

extension OperationRequest {
  /// The punch in the path. Text that is not a UUID is refused like an unknown one.
  fileprivate func pathPunch() throws -> PunchID {
    guard pathParameters.count == 2, let punch = PunchID(pathParameters[1]) else {
      throw TimeclockError.punchNotFound
    }
    return punch
  }
}
