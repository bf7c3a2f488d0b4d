import Foundation
import Testing

/// The rules for `openapi.yaml` as a document, before any operation is called.
struct DocumentTests {
  private let document: OpenAPIDocument

  init() throws {
    document = try OpenAPIDocument.contract.get()
  }

  /// A file has one operation and its name, or all operations of a resource and the name of its list: `Sessions`.
  @Test("every operation is written once, in a file that is called after it or after its resource")
  func operationFiles() throws {
    let folder = OpenAPIDocument.packageDirectory.appending(path: "Sources/TimeclockAPI/Operations")
    var written: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let operations = text.matches(of: /static let (\w+) = Operation\(\s*"(\w+)"/)
      let name = file.dropLast(".swift".count)
      let word = operations.count == 1 ? name : name.dropLast()
      for operation in operations {
        #expect(operation.1 == operation.2)
        let id = operation.1.lowercased()
        #expect(id.hasSuffix(word.lowercased()) || id.hasSuffix(name.lowercased()), "\(file)")
        written.append(String(operation.1))
      }
      #expect(!operations.isEmpty, "\(file) has no operation")
    }
    let ids = document.operations.map(\.id)
    #expect(ids.count >= 24)
    #expect(written.sorted() == ids.sorted())
    #expect(Set(ids).count == ids.count, "an operation id is repeated")
  }

  @Test("every schema uses only keywords that are checked, and titles that are their names")
  func schemasAreChecked() {
    func unknownKeywords(_ schema: JSONValue) -> [String] {
      let known = SchemaValidator.assertions.union(SchemaValidator.annotations)
      return schema.members.flatMap { member -> [String] in
        let own = known.contains(member.name) || member.name.hasPrefix("x-") ? [] : [member.name]
        let inner: [JSONValue] =
          switch member.name {
          case "properties": member.value.members.map(\.value)
          case "items", "additionalProperties": [member.value]
          case "oneOf", "anyOf", "allOf": member.value.elements
          default: []
          }
        return own + inner.flatMap(unknownKeywords)
      }
    }
    let schemas = (document.root["components"]?["schemas"] ?? .null).members
    #expect(schemas.count > 20)
    for schema in schemas {
      #expect(unknownKeywords(schema.value) == [], "\(schema.name)")
      #expect(schema.value["title"]?.string == schema.name)
    }
    #expect(unknownKeywords(["properties": ["a": ["not": true]]]) == ["not"], "the check itself")
  }

  @Test("requests are closed in the published contract, and answers are open to later versions")
  func answersAreOpen() throws {
    let published = try OpenAPIDocument.published.get()
    let operations = (published.root["paths"] ?? .null).members.flatMap { path in
      path.value.members.filter { $0.name != "parameters" }.map(\.value)
    }
    let asked = try Set(
      operations.flatMap { try schemas(reachedFrom: $0["requestBody"] ?? .null, in: published) })
    let answered = try Set(
      operations.flatMap { try schemas(reachedFrom: $0["responses"] ?? .null, in: published) })
    let all = (published.root["components"]?["schemas"] ?? .null).members
    #expect(asked.union(answered) == Set(all.map(\.name)), "used nowhere")
    for schema in all where schema.value["type"] == "object" {
      #expect(asked.contains(schema.name) != answered.contains(schema.name), "\(schema.name) is in both")
      let isClosed = schema.value["additionalProperties"] == .bool(false)
      #expect(isClosed == asked.contains(schema.name), "\(schema.name)")
      #expect(isClosed || schema.value["additionalProperties"] == nil, "\(schema.name)")
    }
    // These are complete by nature, or repeat a value of the request.
    let complete: Set = [
      "TimeEntryStatus", "ChangeKind", "Policy/weekStart", "HoursReport/attribution",
      "HoursReport/groupBy/items",
      "Timesheet/attribution", "Timesheet/period",
    ]
    let enumerations = all.filter { answered.contains($0.name) }
      .flatMap { paths(to: "enum", in: $0.value, at: $0.name) }
    #expect(Set(enumerations) == complete)
  }

  @Test("the contract that the service is held to is closed everywhere")
  func contractIsClosed() {
    for schema in (document.root["components"]?["schemas"] ?? .null).members {
      #expect(paths(to: "x-known-values", in: schema.value, at: schema.name) == [])
      if schema.value["type"] == "object" {
        #expect(schema.value["additionalProperties"] == .bool(false), "\(schema.name) is open")
      }
    }
  }

  /// The names of the shared schemas that a part of a contract refers to, directly or not.
  private func schemas(reachedFrom part: JSONValue, in contract: OpenAPIDocument) throws -> Set<String> {
    var found: Set<String> = []
    var visited: Set<String> = []
    func visit(_ value: JSONValue) throws {
      if let reference = value["$ref"]?.string, visited.insert(reference).inserted {
        if reference.hasPrefix("#/components/schemas/"), let name = reference.split(separator: "/").last {
          found.insert(String(name))
        }
        try visit(contract.resolve(reference))
      }
      for inner in value.members.map(\.value) + value.elements { try visit(inner) }
    }
    try visit(part)
    return found
  }

  /// Where a schema or a part of it uses the keyword: names of schemas and members, with `/` between them.
  private func paths(to keyword: String, in schema: JSONValue, at path: String) -> [String] {
    let own = schema[keyword] == nil ? [] : [path]
    let inner = (schema["properties"] ?? .null).members + schema.members.filter { $0.name == "items" }
    let choices = ["allOf", "anyOf", "oneOf"].flatMap { (schema[$0] ?? .null).elements }
    return own + choices.flatMap { paths(to: keyword, in: $0, at: path) }
      + inner.flatMap { paths(to: keyword, in: $0.value, at: "\(path)/\($0.name)") }
  }

  @Test("every answer always has every member its schema declares")
  func answersAreComplete() throws {
    let optional: Set = [
      "requestId", "errors", "activeTimeEntry", "overlaps", "count", "results", "pointer", "parameter",
    ]
    // Of an answer to a write, in an entry that is written alike in long lists.
    let ahead = optional.union(["clockAheadMilliseconds"])
    // Of a conflict.
    let details = optional.union(["clockOutTime"])
    // Of a membership, on request.
    let inclusions = optional.union(["organization", "current", "sessions"])
    // Of somebody who stands in a file.
    let places = optional.union(["line"])
    // Of a report's row.
    let dimensions: Set = [
      "userId", "userName", "day", "week", "month", "sessionId", "sessionTitle", "status", "source",
    ]
    for member in (document.root["components"]?["schemas"] ?? .null).members
    where !member.name.hasSuffix("Request") && !["NewAdmin", "PolicyUpdate"].contains(member.name) {
      let declared = Set((member.value["properties"] ?? .null).members.map(\.name))
      let required = Set((member.value["required"] ?? .null).elements.compactMap(\.string))
      let mayLack =
        [
          "HoursRow": dimensions, "TimeEntryConflictProblem": details, "TimeEntry": ahead,
          "Membership": inclusions, "BulkRefusal": places, "BulkMemberCreation": places,
        ][member.name]
        ?? optional
      #expect(declared.subtracting(required).subtracting(mayLack) == [], "\(member.name)")
      #expect(required.subtracting(declared) == [], "\(member.name)")
    }
  }

  @Test("every example is valid")
  func examplesAreValid() {
    let validator = SchemaValidator(document: document)
    var count = 0
    func visit(_ value: JSONValue, at pointer: String) {
      if let schema = value["schema"], let example = value["example"] {
        count += 1
        #expect(validator.violations(of: example, against: schema) == [], "\(pointer)")
      }
      if value["type"] != nil, let examples = value["examples"] {
        count += examples.elements.count
        for example in examples.elements {
          #expect(validator.violations(of: example, against: value) == [], "\(pointer)")
        }
      }
      for member in value.members { visit(member.value, at: "\(pointer)/\(member.name)") }
    }
    visit(document.root, at: "")
    #expect(count > 15)
  }

  @Test("every operation says who may call it and which codes its problems carry")
  func operationsAreComplete() throws {
    let all =
      try document.resolve("#/components/schemas/ProblemCode")["enum"]?.elements.compactMap(\.string) ?? []
    for operation in document.operations {
      #expect(operation.isSecured == (operation.requiredRole != nil), "\(operation.id)")
      #expect(operation.isSecured == (operation.responses[401] != nil) || operation.id == "createToken")
      let problems = Set(operation.responses.keys.filter { $0 >= 400 })
      #expect(problems == Set(operation.codes.keys), "\(operation.id): x-codes and responses differ")
      for (status, codes) in operation.codes {
        #expect(!codes.isEmpty && Set(codes).isSubset(of: all), "\(operation.id) \(status)")
      }
      #expect(operation.responses[400] != nil, "\(operation.id) refuses unknown parameters")
      let takesBody = operation.bodySchema != nil || operation.textBody != nil
      #expect(takesBody == (operation.responses[415] != nil), "\(operation.id)")
      #expect((operation.bodySchema == nil) || operation.bodyExample != nil, "\(operation.id)")
      #expect(operation.needsIfMatch == (operation.responses[428] != nil), "\(operation.id)")
    }
  }

  @Test("every operation that tells another member's from one's own says who may have it")
  func rolesForOthers() {
    for operation in document.operations {
      let isToldApart =
        operation.requiredRole == .member && operation.codes[403]?.contains("forbidden") == true
      #expect(isToldApart == (operation.requiredRoleForOthers != nil), "\(operation.id)")
      #expect(
        operation.requiredRoleForOthers.map { [.manager, .admin].contains($0) } ?? true, "\(operation.id)")
    }
  }

  @Test("the description's table lists exactly the codes there are")
  func tableOfCodes() throws {
    let text = document.root["info"]?["description"]?.string ?? ""
    let codes =
      try document.resolve("#/components/schemas/ProblemCode")["enum"]?.elements.compactMap(\.string) ?? []
    let used = Set(document.operations.flatMap { $0.codes.values.joined() })
    for code in codes {
      #expect(text.contains("`\(code)`"), "\(code) is not explained")
    }
    #expect(used.isSubset(of: codes))
  }
}
