@testable import ContractDocument

extension Scenario {
  /// Unknown, repeated and invalid query parameters are refused; path ids of another form are not found. The document's own
  /// example is accepted then.
  static func parameters(of operation: Operation) -> Scenario {
    Scenario("\(operation.id) accepts its example, and refuses parameters it does not document") { world in
      let call = try await world.baseline(operation)
      for raw in ["unknown=1", "UNKNOWN", "=", "unknown=%FF", "a%00b=1", "&"] {
        try await world.client.expect(
          call.with { $0.rawQuery = raw }, 400, code: "invalid_parameter", comment: raw)
      }
      for parameter in operation.queryParameters {
        let schema = try world.client.document.dereferenced(parameter.schema)
        let valid = Self.validText(schema, for: parameter.name, in: world)
        let twice = [(parameter.name, valid), (parameter.name, valid)]
        try await world.client.expect(
          call.with { $0.query += twice.map { (name: $0.0, value: $0.1) } }, 400, code: "invalid_parameter",
          comment: "\(parameter.name) twice")
        let status = schema["x-refusal"]?["status"]?.integer.map(Int.init) ?? 400
        let code = schema["x-refusal"]?["code"]?.string ?? "invalid_parameter"
        for text in Self.invalidTexts(schema) {
          try await world.client.expect(
            call.with { $0.query.append((parameter.name, text)) }, status, code: code,
            comment: "\(parameter.name)=\(text)")
        }
      }
      try await world.refusesMalformedPathIDs(call, operation)
      try await world.accepts(call, operation)
    }
  }

  private static func validText(_ schema: JSONValue, for name: String, in world: World) -> String {
    switch name {
    case "limit": "10"
    case "date", "startDate", "endDate": "2026-11-20"
    case "groupBy": "user"
    case _ where schema == (try? world.client.document.resolve("#/components/schemas/ID")): World.absentID
    default: schema["enum"]?.elements.first?.string ?? "x"
    }
  }

  private static func invalidTexts(_ schema: JSONValue) -> [String] {
    if schema["type"] == "integer" {
      let limits = BadValues.beyond(schema).map(\.text)
      return limits + ["", "+5", " 5", "5 ", "1.0", "1e1", "0x5", "\u{FF15}", "five", "99999999999999999999"]
    }
    if schema["type"] == "array" {
      return ["", "nonsense", "User", " user", "user,", "user,user", "user,day,week,month", "user day"]
    }
    if schema["enum"] == nil && schema["pattern"] == nil && schema["minLength"] == nil
      && schema["x-refusal"] == nil
    {
      return ["", "nonsense", "!", "MQ==", "MS4yLjMuNA", String(repeating: "A", count: 300)]
    }
    return BadValues.beyond(schema).compactMap(\.string)
  }
}

extension World {
  /// In a path, text that is no id is as good as an id that never was.
  func refusesMalformedPathIDs(_ call: Call, _ operation: Operation) async throws {
    for parameter in operation.pathParameters {
      let absent = try await client.expect(
        call.with { $0.path[parameter.name] = Self.absentID }, 404, comment: "absent \(parameter.name)")
      let schema = try client.document.dereferenced(parameter.schema)
      for text in BadValues.beyond(schema).compactMap(\.string) where !text.isEmpty {
        let reply = try await client.expect(
          call.with { $0.path[parameter.name] = text }, 404, comment: "\(parameter.name) \(text)")
        check(
          reply.textWithoutRequestID == absent.textWithoutRequestID,
          "\(operation.id): \(parameter.name) \(text) is not answered like an absent id")
      }
    }
  }
}
