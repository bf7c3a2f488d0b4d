import Foundation
import Testing

@testable import ContractDocument

/// The rules for `openapi.yaml` as a document, before any operation is called.
struct DocumentTests {
  private let document: OpenAPIDocument

  init() throws {
    document = try OpenAPIDocument.contract.get()
  }

  /// A file has one operation and its name, or all operations of a resource and the name of its list: `Sessions`. Those of
  /// Trackify's contract lie in a folder of theirs, and begin with its name. Those of plain records are derived.
  @Test("every operation is written once, in a file that is called after it or after its resource")
  func operationFiles() throws {
    let sources = OpenAPIDocument.packageDirectory.appending(path: "Sources/TimeclockAPI")
    var written: [String] = []
    for (folder, product) in [("Operations", ""), ("TaskTimer/Operations", "taskTimer")] {
      let folder = sources.appending(path: folder)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let operations = text.matches(of: /static let (\w+) = Operation\(\s*"(\w+)"/)
        let name = file.dropLast(".swift".count)
        let words = [name, operations.count == 1 ? name : name.dropLast()]
          .map { $0.dropFirst(product.count).lowercased() }
        for operation in operations {
          #expect(operation.1 == operation.2)
          #expect(
            operation.1.hasPrefix(product) && file.lowercased().hasPrefix(product.lowercased()), "\(file)")
          #expect(words.contains { operation.1.lowercased().hasSuffix($0) }, "\(file)")
          written.append(String(operation.1))
        }
        #expect(!operations.isEmpty, "\(file) has no operation")
      }
    }
    written += PlainKind.all.flatMap(\.operations) + MemberKind.all.flatMap(\.operations)
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
    let paths = (published.root["paths"] ?? .null).members.map(\.value)
    let operations = paths.flatMap { $0.members.filter { $0.name != "parameters" }.map(\.value) }
    let bodies = JSONValue.array(operations.compactMap { $0["requestBody"] })
    let parameters = JSONValue.array((paths + operations).compactMap { $0["parameters"] })
    let responses = JSONValue.array(operations.compactMap { $0["responses"] })
    let asked = try schemas(reachedFrom: bodies, in: published)
    let answered = try schemas(reachedFrom: responses, in: published)
    let named = try schemas(reachedFrom: parameters, in: published)
    let all = (published.root["components"]?["schemas"] ?? .null).members
    #expect(asked.union(answered).union(named) == Set(all.map(\.name)), "used nowhere")
    for schema in all where schema.value["type"] == "object" {
      #expect(asked.contains(schema.name) != answered.contains(schema.name), "\(schema.name) is in both")
      // Requests of the task timer may have properties that the service ignores.
      let isOpenRequest = schema.name.hasPrefix("TaskTimer") && schema.name.hasSuffix("Request")
      let additional: JSONValue? = asked.contains(schema.name) ? .bool(isOpenRequest) : nil
      #expect(schema.value["additionalProperties"] == additional, "\(schema.name)")
    }
    let inAnswers = try narrowings(Self.limits.union(Self.unions), of: responses, in: published)
    #expect(inAnswers == [], "what a later version may go beyond belongs into x-this-version")
    let inRequests = try narrowings(Self.unions, of: .array([bodies, parameters]), in: published)
    #expect(inRequests == [], "no generator makes a type of it that works")
  }

  /// Keywords that make a client refuse answers of a later version.
  private static let limits: Set = [
    "enum", "const", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
    "uniqueItems",
    "format",
  ]

  /// Keywords of types that generators get wrong.
  private static let unions: Set = ["oneOf", "anyOf", "allOf", "const"]

  /// Formats that say how a value is read, more than which values there are.
  private static let types: Set<JSONValue> = ["date", "date-time", "int64", "binary"]

  @Test(
    "a limit or a union is found if a later version could go beyond it",
    arguments: [
      ("enum: [a]", ["/enum"]), ("type: string\nformat: email", ["/format"]),
      ("type: string\nformat: date", []), ("x-this-version: {minimum: 1}", []),
      ("properties: {pattern: {type: string}}", []), ("properties: {a: {minLength: 1}}", ["/a/minLength"]),
      ("items: {const: 1}", ["/items/const"]), ("oneOf: [{type: string}, {type: 'null'}]", []),
      ("oneOf: [{type: string}, {type: integer}]", ["/oneOf"]),
      ("oneOf: [{maxLength: 1}, {type: 'null'}]", ["/oneOf/maxLength"]),
      ("anyOf: [{type: string}]", ["/anyOf"]), ("x-known-values: [{enum: [a]}]", []),
      ("$ref: '#/components/schemas/CreateTimeEntriesRequest'", nil),
    ] as [(String, [String]?)])
  func narrowingsAreFound(schema: String, places: [String]?) throws {
    let found = try narrowings(
      Self.limits.union(Self.unions), of: JSONValue(yaml: schema), in: OpenAPIDocument.published.get())
    // nil for a reference.
    #expect(found == places ?? found)
    #expect(places != nil || found.contains("#/components/schemas/BulkMode/enum"))
  }

  /// The places of the keywords in a part of a contract, or in a schema it refers to: names with `/` before each.
  ///
  /// A choice between something and null counts for no union.
  private func narrowings(
    _ keywords: Set<String>, of part: JSONValue, in contract: OpenAPIDocument
  ) throws -> [String] {
    var found: [String] = []
    var visited: Set<String> = []
    func visit(_ value: JSONValue, at path: String) throws {
      for element in value.elements { try visit(element, at: path) }
      for member in value.members where !member.name.hasPrefix("example") {
        let place = "\(path)/\(member.name)"
        switch member.name {
        // The lines of a stream have a schema of their own.
        case "$ref", "x-line":
          let reference = member.value.string ?? ""
          if visited.insert(reference).inserted { try visit(contract.resolve(reference), at: reference) }
        case "properties":
          for property in member.value.members { try visit(property.value, at: "\(path)/\(property.name)") }
        case "oneOf" where member.value.elements.count == 2 && member.value.elements[1]["type"] == "null":
          try visit(member.value.elements[0], at: place)
        case "format" where Self.types.contains(member.value): break
        case let name where keywords.contains(name): found.append(place)
        case let name where name.hasPrefix("x-"): break
        default: try visit(member.value, at: place)
        }
      }
    }
    try visit(part, at: "")
    return found
  }

  @Test("the contract that the service is held to is closed everywhere")
  func contractIsClosed() {
    for schema in (document.root["components"]?["schemas"] ?? .null).members {
      #expect(paths(to: "x-known-values", in: schema.value, at: schema.name) == [])
      #expect(paths(to: "x-this-version", in: schema.value, at: schema.name) == [])
      // A choice is closed by the schemas that there are to choose from.
      let isChoice = schema.value["oneOf"] != nil && schema.value["properties"] == nil
      if schema.value["type"] == "object", !isChoice {
        let isOpenRequest = schema.name.hasPrefix("TaskTimer") && schema.name.hasSuffix("Request")
        #expect(schema.value["additionalProperties"] == .bool(isOpenRequest), "\(schema.name) is open")
      }
    }
  }

  /// The names of the shared schemas that a part of a contract refers to, directly or not.
  private func schemas(reachedFrom part: JSONValue, in contract: OpenAPIDocument) throws -> Set<String> {
    var found: Set<String> = []
    var visited: Set<String> = []
    func visit(_ value: JSONValue) throws {
      // Texts of many lines name the schema of a line.
      if let reference = (value["$ref"] ?? value["x-line"])?.string, visited.insert(reference).inserted {
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

  /// The places of the keyword in a schema: names of schemas and members, with `/` between them.
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
      "requestId", "error", "errors", "activeTimeEntry", "overlaps", "count", "results", "pointer",
      "parameter", "mark",
    ]
    // Of an answer to a write, in an entry or a segment that is written alike in long lists.
    let ahead = optional.union(["clockAheadMilliseconds"])
    // Of a conflict.
    let details = optional.union(["clockOutTime"])
    let segmentDetails = details.union(["overlappingSegments"])
    // Of one among several.
    let outcome = optional.union(["timeEntry", "member", "problem"])
    // Of a membership, on request.
    let inclusions = optional.union(["organization", "current", "sessions", "movedTo"])
    // Of somebody who stands in a file.
    let places = optional.union(["line"])
    // Of a conflict with a timer, if there is one.
    let timer = optional.union(["timer"])
    // Of a Live Activity, whose structures have optional properties.
    let work = optional.union(["activeProjectColor", "activeProjectName"])
    let focus = optional.union(["pausedTimeRemaining", "pausedElapsedTime"])
    // Of a report, if they are asked for.
    let rounding = optional.union(["rounding"])
    let rounded = optional.union(["roundedSeconds"])
    let purposes = rounded.union([
      "projectId", "projectName", "color", "client", "taskId", "taskName", "kind",
    ])
    let dimensions = purposes.union([
      "userId", "userName", "groupId", "groupName", "day", "week", "month", "sessionId", "sessionTitle",
      "status", "source", "periodState",
    ])
    for member in (document.root["components"]?["schemas"] ?? .null).members
    where !member.name.hasSuffix("Request")
      && !["NewAdmin", "PolicyUpdate", "BreakRuleInput", "CorrectionProposalInput"].contains(member.name)
    {
      let declared = Set((member.value["properties"] ?? .null).members.map(\.name))
      let required = Set((member.value["required"] ?? .null).elements.compactMap(\.string))
      let mayLack =
        [
          "HoursReport": rounding, "HoursRow": dimensions, "HoursTotals": rounded, "Timesheet": rounding,
          "TimesheetRow": purposes, "TimesheetTotals": rounded, "TimeEntryConflictProblem": details,
          "TimeEntry": ahead, "ExportedTimeEntry": ahead, "Segment": ahead,
          "PunchResult": ahead.union(["dropped", "correctionId"]),
          "SegmentConflictProblem": segmentDetails,
          "Membership": inclusions, "BulkProblem": details.union(["overlappingAbsences"]),
          "BulkResult": outcome, "AbsenceConflictProblem": optional.union(["overlappingAbsences"]),
          "AbsenceBulkResult": outcome.union(["absence"]),
          "BulkMemberResult": outcome.union(places), "BulkRefusal": places,
          "BalanceRow": optional.union(["day", "week", "month"]),
          "TimerConflictProblem": timer, "WorkActivityState": work, "FocusActivityState": focus,
          "RoutineActivityAttributes": optional.union(["workoutName"]),
          "RoutineActivityState": optional.union(["restRemaining"]),
        ][member.name] ?? MemberKind.memberOfResult(member.name).map { outcome.union([$0]) }
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
      #expect(
        operation.isSecured == (operation.responses[401] != nil)
          || ["createToken", "taskTimerCreateToken"].contains(operation.id))
      let problems = Set(operation.responses.keys.filter { $0 >= 400 })
      #expect(problems == Set(operation.codes.keys), "\(operation.id): x-codes and responses differ")
      for (status, codes) in operation.codes {
        #expect(!codes.isEmpty && Set(codes).isSubset(of: all), "\(operation.id) \(status)")
      }
      #expect(operation.responses[400] != nil, "\(operation.id) refuses unknown parameters")
      let takesBody = operation.bodySchema != nil || operation.textBody != nil
      #expect(takesBody == (operation.responses[415] != nil), "\(operation.id)")
      #expect((operation.bodySchema == nil) || operation.bodyExample != nil, "\(operation.id)")
      #expect(operation.takesIfMatch == (operation.responses[412] != nil), "\(operation.id)")
      #expect(operation.takesIfMatch || operation.responses[428] == nil, "\(operation.id)")
      // Only a command, to a timer, about an absence or a correction, may go to any version.
      let isCommand =
        operation.pathTemplate.contains("/timers/current/")
        || [
          "decideAbsence", "cancelAbsence", "decideCorrection", "withdrawCorrection", "objectToCorrection",
        ].contains(operation.id)
      #expect(operation.needsIfMatch == (operation.takesIfMatch && !isCommand), "\(operation.id)")
    }
  }

  @Test("every operation with other members' records beside the caller's own says who may have them")
  func rolesForOthers() {
    // No role makes anybody the author or the member.
    let isOfOnePerson = ["withdrawCorrection", "objectToCorrection"]
    for operation in document.operations {
      let isToldApart =
        operation.requiredRole == .member && !operation.isOfOwnTimer && !isOfOnePerson.contains(operation.id)
        && operation.codes[403]?.contains("forbidden") == true
      #expect(isToldApart == (operation.requiredRoleForOthers != nil), "\(operation.id)")
      #expect(
        operation.requiredRoleForOthers.map { [.manager, .admin].contains($0) } ?? true, "\(operation.id)")
    }
  }

  @Test("the parameters of a path come first in each of its operations, in the order of the path")
  func pathParametersComeFirst() throws {
    for path in (try OpenAPIDocument.published.get().root["paths"] ?? .null).members {
      #expect(
        path.value["parameters"] == nil, "generators put those of \(path.name) behind an operation's own")
    }
    for operation in document.operations {
      let named = operation.pathTemplate.matches(of: #/\{(\w+)\}/#).map { String($0.output.1) }
      #expect(operation.pathParameters.map(\.name) == named, "\(operation.id)")
      #expect(
        operation.parameters.prefix(named.count).allSatisfy { $0.location == "path" }, "\(operation.id)")
    }
  }

  /// Reads without a tag, and the reason.
  private static let untagged = [
    "reportHours": "counts up to the present", "getTimesheet": "counts up to the present",
    "reportBalance": "counts up to the present", "getAccount": "counts up to the present",
    "reportEntitlements": "a report, as of the present",
    "getHistory": "counts up to the present", "exportPersonalData": "a file, written while it is read",
    "checkOverlap": "a question", "checkSegmentOverlap": "a question",
    "getService": "the program's, not the data's",
    "getVersion": "the program's, not the data's", "getLiveness": "a health check",
    "getReadiness": "a health check",
  ]

  @Test("every read of JSON is answered 304 while nothing has changed, but for those with a reason")
  func readsAreTagged() {
    for operation in document.operations where operation.method == "GET" {
      // The task timer's contract is its own.
      guard !operation.pathTemplate.hasPrefix("/api/"),
        operation.responses[200]?.content["application/json"] != nil
      else { continue }
      let isTagged = operation.parameters.contains { $0.name == "If-None-Match" }
      #expect(isTagged == (Self.untagged[operation.id] == nil), "\(operation.id)")
      #expect(isTagged == (operation.responses[304] != nil), "\(operation.id)")
      #expect(isTagged == (operation.responses[200]?.headers["ETag"]?.isRequired ?? false), "\(operation.id)")
    }
    #expect(Set(Self.untagged.keys).isSubset(of: document.operations.map(\.id)))
  }

  @Test("the table of problems lists every code there is")
  func tableOfCodes() throws {
    let tag = document.root["tags"]?.elements.first { $0["name"] == "Problems" }
    let text = tag?["description"]?.string ?? ""
    let codes =
      try document.resolve("#/components/schemas/ProblemCode")["enum"]?.elements.compactMap(\.string) ?? []
    let used = Set(document.operations.flatMap { $0.codes.values.joined() })
    for code in codes {
      #expect(text.contains("`\(code)`"), "\(code) is not explained")
    }
    #expect(used.isSubset(of: codes))
  }
}
