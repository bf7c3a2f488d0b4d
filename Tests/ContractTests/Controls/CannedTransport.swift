@testable import ContractDocument

/// A service that always gives the same answer, for tests of the harness.
struct CannedTransport: Transport {
  var response: WireResponse

  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse { response }

  /// Returns the harness's findings in this answer to a call of the operation.
  func findings(_ operationID: String) async throws -> [String] {
    let findings = Findings()
    let client = ContractClient(
      document: try OpenAPIDocument.contract.get(), transport: self, recorder: Recorder(), findings: findings)
    _ = try await client.send(Call(operationID: operationID))
    return findings.all
  }
}

extension WireResponse {
  /// A member, as `getMember` answers it.
  static let member = WireResponse(
    status: 200,
    headers: [
      ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("X-Request-Id", "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b"),
      ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"), ("ETag", #""1""#),
    ], body: Array(memberJSON.text.utf8))

  /// A problem that `getMember` documents.
  static let memberNotFound = WireResponse(
    status: 404,
    headers: [
      ("Content-Type", "application/problem+json"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("X-Request-Id", "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b"),
      ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ],
    body: Array(
      ([
        "type": "urn:timeclock:problem:member_not_found", "title": "Not Found", "status": 404,
        "detail": "There is no such member.", "code": "member_not_found",
      ] as JSONValue).text.utf8))

  private static let memberJSON: JSONValue = [
    "userId": "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b",
    "organizationID": "019aa0f1-0000-7000-8000-000000000001", "email": "sita@example.com",
    "name": "Sita Rai", "role": "member", "timeZone": nil, "language": nil,
    "personnelNumber": nil, "active": true,
    "createdAt": "2026-11-20T09:00:00.000Z", "updatedAt": "2026-11-20T09:00:00.000Z",
    "anonymizedAt": nil,
    "version": 1,
  ]

  /// The response with one member of its JSON body changed.
  func setting(_ name: String, to value: JSONValue) -> WireResponse {
    changingJSON { $0.setting(name, to: value) }
  }

  /// The response with its JSON body changed.
  func changingJSON(_ change: (JSONValue) -> JSONValue) -> WireResponse {
    var response = self
    response.body = Array(change((try? JSONParser.parse(body)) ?? .null).text.utf8)
    return response
  }

  /// The response with a header of another value, or without it.
  func setting(header name: String, to value: String?) -> WireResponse {
    var response = self
    response.headers.removeAll { $0.name == name }
    if let value { response.headers.append((name, value)) }
    return response
  }
}
