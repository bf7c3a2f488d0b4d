import Testing

@testable import ContractDocument

/// Bytes that never become a call of an operation get problems of the contract too.
struct ServerProblemTests {
  /// The bytes that are sent, and the expected answer.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var status: Int
    var code: String
  }

  static let cases: [Case] = [
    Case(
      testDescription: "no Host", text: "GET /health/live HTTP/1.1\r\n\r\n", status: 400,
      code: "malformed_request"),
    Case(
      testDescription: "half an escape in the query", text: "GET /v1/me?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n",
      status: 400, code: "malformed_request"),
    Case(
      testDescription: "no request at all", text: "hello\r\n\r\n", status: 400, code: "malformed_request"),
    Case(
      testDescription: "a target of 9 KiB",
      text: "GET /\(String(repeating: "a", count: 9_216)) HTTP/1.1\r\nHost: a\r\n\r\n", status: 414,
      code: "target_too_long"),
    Case(
      testDescription: "a header field of 40 KiB",
      text: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_960))\r\n\r\n", status: 431,
      code: "header_fields_too_large"),
    Case(
      testDescription: "200 header fields",
      text: "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: a\r\n", count: 200))\r\n", status: 431,
      code: "header_fields_too_large"),
    Case(
      testDescription: "a body announced too large",
      text: "POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n", status: 413,
      code: "body_too_large"),
    Case(
      testDescription: "another expectation",
      text: "POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n",
      status: 417,
      code: "expectation_failed"),
    Case(
      testDescription: "an unknown transfer coding",
      text: "POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      status: 501,
      code: "transfer_coding_not_implemented"),
    Case(
      testDescription: "another version of HTTP", text: "GET /health/live HTTP/2.0\r\nHost: a\r\n\r\n",
      status: 505, code: "http_version_not_supported"),
  ]

  @Test("are refused with a problem of the contract", arguments: cases, ServiceKind.allCases)
  func refuses(_ testCase: Case, _ kind: ServiceKind) async throws {
    let service = try await Service.start(kind)
    let response = try await service.transport.send(bytes: Array(testCase.text.utf8), isHead: false)
    await service.stop()
    let check = ResponseCheck(document: try OpenAPIDocument.contract.get())
    #expect(check.violations(ofServerProblem: response) == [])
    #expect(response.status == testCase.status)
    #expect(try JSONParser.parse(response.body)["code"]?.string == testCase.code)
  }
}
