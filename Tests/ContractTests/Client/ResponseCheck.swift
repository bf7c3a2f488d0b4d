import Synchronization

@testable import ContractDocument

/// Compares a response with the contract of its operation and status.
struct ResponseCheck: Sendable {
  let document: OpenAPIDocument
  private let validator: SchemaValidator
  private let known = KnownContent()

  /// Header fields that any response may have without being declared for it.
  static let commonHeaders: Set<String> = [
    "date", "connection", "content-type", "content-length", "transfer-encoding", "cache-control",
    "x-content-type-options", "content-security-policy", "x-request-id",
  ]

  /// Header fields that any response may have besides, because the service is called through an edge that adds them.
  private let edgeHeaders: Set<String>

  init(document: OpenAPIDocument, edgeHeaders: Set<String> = []) {
    self.document = document
    self.edgeHeaders = edgeHeaders
    validator = SchemaValidator(document: document)
  }

  /// Returns the faults of the response; empty if the contract allows it.
  func violations(of response: WireResponse, to operation: Operation) -> [String] {
    let common = commonViolations(of: response)
    guard let documented = operation.responses[response.status] else {
      return common + ["the status \(response.status) is not documented"]
    }
    return common + headerViolations(of: response, documented)
      + contentViolations(of: response, documented, codes: operation.codes[response.status] ?? [])
  }

  /// Returns the faults of a problem of the server itself, which no operation documents.
  func violations(ofServerProblem response: WireResponse) -> [String] {
    let documented = Operation.Response(
      headers: [:], content: ["application/problem+json": ["$ref": "#/components/schemas/Problem"]])
    return commonViolations(of: response)
      + contentViolations(of: response, documented, codes: allCodes)
  }

  private var allCodes: [String] {
    let schema = try? document.resolve("#/components/schemas/ProblemCode")
    return schema?["enum"]?.elements.compactMap(\.string) ?? []
  }

  private func commonViolations(of response: WireResponse) -> [String] {
    let expected = [
      "cache-control": "no-store", "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ]
    let ids = response.values(of: "x-request-id")
    let hasID = ids.count == 1 && ids[0].utf8.count == 36
    return (hasID ? [] : ["x-request-id is \(ids), not one id"])
      + expected.sorted { $0.key < $1.key }.compactMap { name, value in
        let values = response.values(of: name)
        return values == [value] ? nil : "\(name) is \(values), not \(value)"
      }
  }

  private func headerViolations(of response: WireResponse, _ documented: Operation.Response) -> [String] {
    let declared = documented.headers.sorted { $0.key < $1.key }
    let names = Set(declared.map { $0.key.lowercased() })
    let undeclared = Set(response.headers.map { $0.name.lowercased() })
      .subtracting(names).subtracting(Self.commonHeaders).subtracting(edgeHeaders).sorted().map {
        "the header \($0) is undeclared"
      }
    return undeclared
      + declared.flatMap { name, header -> [String] in
        let values = response.values(of: name.lowercased())
        guard let text = values.first else {
          return header.isRequired ? ["the header \(name) is missing"] : []
        }
        guard values.count == 1 else { return ["the header \(name) is repeated"] }
        let isInteger = SchemaValidator.types(header.schema["type"] ?? .null) == ["integer"]
        let value = isInteger ? Int64(text).map { JSONValue.integer($0) } : nil
        return validator.violations(of: value ?? .string(text), against: header.schema, at: name)
      }
  }

  private func contentViolations(
    of response: WireResponse, _ documented: Operation.Response, codes: [String]
  ) -> [String] {
    let types = response.values(of: "content-type")
    guard !documented.content.isEmpty else {
      return response.body.isEmpty && types.isEmpty ? [] : ["there is content where none is documented"]
    }
    // The contract names types without their parameters.
    let type = types.first.map { String($0.prefix { $0 != ";" }) } ?? ""
    guard types.count == 1, let schema = documented.content[type] else {
      return ["the content type is \(types), not \(documented.content.keys.sorted())"]
    }
    guard type.hasSuffix("/json") || type.hasSuffix("+json") else {
      guard let text = String(validating: response.body, as: UTF8.self) else { return ["not UTF-8"] }
      guard let form = TextForm(contentType: type) else {
        let value = type == "application/yaml" ? Self.value(ofYAML: text) : .string(text)
        return value.map { validator.violations(of: $0, against: schema) } ?? ["the content is not YAML"]
      }
      return form.violations(of: response.body) { line in
        validator.violations(of: line, against: ["$ref": schema["x-line"] ?? .null])
      }
    }
    do {
      if known.isValid(response.body, against: schema) { return [] }
      let value = try JSONParser.parse(response.body)
      let isProblem = type == "application/problem+json"
      let found =
        validator.violations(of: value, against: schema)
        + (isProblem ? problemViolations(of: value, status: response.status, codes: codes) : [])
      if found.isEmpty, !isProblem { known.note(response.body, validAgainst: schema) }
      return found
    } catch {
      return ["the content is not JSON: \(error)"]
    }
  }

  /// The text in YAML that was read last: all answers of a service are the same, and each takes as long as hundreds of others.
  private static let lastYAML = Mutex<(text: String, value: JSONValue)?>(nil)

  private static func value(ofYAML text: String) -> JSONValue? {
    lastYAML.withLock { last in
      if last?.text != text { last = (try? JSONValue(yaml: text)).map { (text, $0) } }
      return last?.value
    }
  }

  /// Checks the relations of a problem's members to each other and to the response, which a schema cannot express.
  private func problemViolations(of problem: JSONValue, status: Int, codes: [String]) -> [String] {
    let code = problem["code"]?.string ?? ""
    var found: [String] = []
    if !codes.contains(code) { found.append("the code \(code) is not documented for \(status)") }
    if problem["status"] != .integer(Int64(status)) { found.append("the member status is not \(status)") }
    if problem["type"]?.string != "urn:timeclock:problem:\(code)" {
      found.append("type does not name \(code)")
    }
    let extras = [
      "activeTimeEntry": ["already_clocked_in"], "overlaps": ["overlap", "clocked_out_later"],
      "results": ["bulk_refused"], "overlappingSegments": ["segment_overlap"],
      "overlappingAbsences": ["absence_overlap"],
      "count": [
        "overlap", "clocked_out_later", "session_in_use", "segment_overlap", "absence_overlap",
        "project_in_use", "task_in_use",
      ],
      "clockOutTime": ["clocked_out_later"], "mark": ["period_locked"],
    ]
    // A refusal by a mark has the count of several segments only.
    let optional = ["count": "period_locked"]
    for (member, owners) in extras.sorted(by: { $0.key < $1.key })
    where (problem[member] != nil) != owners.contains(code) && optional[member] != code {
      found.append("\(member) belongs to \(owners.joined(separator: " and ")), and to nothing else")
    }
    return found
  }
}

/// The content that was in order once: of an organization most lists stay the same, and are read again and again.
private final class KnownContent: Sendable {
  private struct Content: Hashable {
    var body: [UInt8]
    var schema: JSONValue
  }

  private let valid = Mutex<Set<Content>>([])

  func isValid(_ body: [UInt8], against schema: JSONValue) -> Bool {
    valid.withLock { $0.contains(Content(body: body, schema: schema)) }
  }

  func note(_ body: [UInt8], validAgainst schema: JSONValue) {
    _ = valid.withLock { $0.insert(Content(body: body, schema: schema)) }
  }
}
