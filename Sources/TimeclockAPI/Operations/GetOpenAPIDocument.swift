import CContract
import HTTPMessages

extension Operation {
  /// Returns the contract that this binary was built with.
  static let getOpenAPIDocument = Operation("getOpenAPIDocument") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    return HTTPResponse(
      status: .ok, fields: StandardFields.yaml, body: .bytes(contract))
  }

  /// The bytes of openapi.yaml.
  private static let contract = Array(
    UnsafeBufferPointer(start: contract_bytes(), count: contract_length()))
}
