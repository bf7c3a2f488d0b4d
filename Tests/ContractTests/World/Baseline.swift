@testable import ContractDocument

extension World {
  /// A call of the operation that succeeds, with its prerequisites made before, and the document's own example as its
  /// body.
  func baseline(_ operation: Operation) async throws -> Call {
    var call = call(
      operation.id, as: operation.isSecured ? home.person(operation.requiredRole ?? .user) : nil)
    if operation.requiredRole == .operator { call.token = service.operatorToken }
    if operation.pathParameters.contains(where: { $0.name == "userId" }) {
      call.path["userId"] = home.member.userID
    }
    if let example = operation.bodyExample { call.json = example }
    if let text = operation.textBody {
      call.body = .bytes(Array(text.example.utf8))
      call.contentType = text.contentTypes.first
    }
    try await Fixture.baseline(of: operation.id)?(self, &call)
    return call
  }
}
