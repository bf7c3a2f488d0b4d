@testable import ContractDocument

/// Calls operations and holds every answer against the contract.
struct ContractClient: Sendable {
  let document: OpenAPIDocument
  let transport: any Transport
  let recorder: Recorder
  let findings: Findings
  /// The further fields that answers may have because of the edge that they come through.
  var edgeHeaders: Set<String> = []

  /// An answer that has been checked.
  struct Reply: Sendable {
    var response: WireResponse
    var status: Int { response.status }
    /// The content as JSON; null if it is not JSON.
    var json: JSONValue

    /// The code of a problem.
    var code: String? { status >= 400 ? json["code"]?.string : nil }
    /// The entity tag.
    var etag: String? { response.values(of: "etag").first }
    /// The path of the created resource.
    var location: String? { response.values(of: "location").first }
    /// The content as text, without the value of a `requestId`.
    var textWithoutRequestID: String {
      String(decoding: response.body, as: UTF8.self)
        .replacing(#/"requestId":"[^"]*"/#, with: #""requestId":"""#)
    }
  }

  /// Makes a call, checks and records its answer.
  func send(_ call: Call, _ comment: String = "") async throws -> Reply {
    let operation = try document.operation(call.operationID)
    let response = try await transport.send(call.wireRequest(for: operation))
    let reply = Reply(response: response, json: (try? JSONParser.parse(response.body)) ?? .null)
    let check = ResponseCheck(document: document, edgeHeaders: edgeHeaders)
    let violations = check.violations(of: response, to: operation)
    for violation in violations {
      findings.add("\(call.operationID) \(response.status) \(comment): \(violation)\(excerpt(of: response))")
    }
    if violations.isEmpty {
      recorder.record(
        Recorder.Observation(operationID: operation.id, status: response.status, code: reply.code))
    }
    return reply
  }

  /// Makes a call and notes a finding unless the answer has one of the statuses and codes.
  @discardableResult
  func expect(
    _ call: Call, _ status: Int..., code codes: String..., comment: String = ""
  ) async throws -> Reply {
    try await expect(call, anyOf: status, codes: codes, comment: comment)
  }

  /// Makes a call and notes a finding unless the answer has one of the statuses and, if any are given, codes.
  @discardableResult
  func expect(_ call: Call, anyOf statuses: [Int], codes: [String], comment: String) async throws -> Reply {
    let reply = try await send(call, comment)
    let isExpected =
      statuses.contains(reply.status) && (codes.isEmpty || codes.contains(reply.code ?? ""))
    if !isExpected {
      let answer = "\(reply.status) \(reply.code ?? "")"
      findings.add(
        "\(call.operationID) \(comment): answered \(answer), not \(statuses) \(codes)\(excerpt(of: reply.response))"
      )
    }
    return reply
  }

  /// Notes a finding unless the condition holds.
  func check(_ condition: Bool, _ finding: @autoclosure () -> String) {
    if !condition { findings.add(finding()) }
  }

  private func excerpt(of response: WireResponse) -> String {
    let text = String(decoding: response.body.prefix(300), as: UTF8.self)
    return text.isEmpty ? "" : " — \(text)"
  }
}
