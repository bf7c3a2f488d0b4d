@testable import ContractDocument

/// A place of an operation's requests that takes the id of something in an organization.
struct IdentifierSlot: Sendable, CustomStringConvertible {
  enum Place: Sendable, Equatable {
    case path
    case query
    /// Names that lead to it in the body; `[]` stands for an array's first element.
    case body([String])
  }

  var place: Place
  /// The parameter's or member's name.
  var name: String

  var description: String {
    switch place {
    case .path: "path \(name)"
    case .query: "query \(name)"
    case .body(let path): "body \(path.joined(separator: "/"))"
    }
  }

  /// Whether the id only narrows an answer down: then one that means nothing here is no error.
  var isFilter = false

  /// All places whose schema is that of an id.
  static func all(of operation: Operation, in document: OpenAPIDocument) throws -> [IdentifierSlot] {
    // Those of a timer app may be UUIDs of any kind.
    let identifiers = ["ID", "TaskTimerID"].compactMap { try? document.resolve("#/components/schemas/\($0)") }
    let path = try operation.pathParameters
      .filter { try !paths(to: identifiers, in: $0.schema, of: document).isEmpty }
      .map { IdentifierSlot(place: .path, name: $0.name) }
    let query = try operation.queryParameters
      .filter { try !paths(to: identifiers, in: $0.schema, of: document).isEmpty }
      .map { IdentifierSlot(place: .query, name: $0.name, isFilter: narrows($0.name)) }
    let body = try paths(to: identifiers, in: operation.bodySchema ?? .null, of: document)
      .map { IdentifierSlot(place: .body($0), name: $0.last { $0 != "[]" } ?? "") }
    return path + query + body
  }

  private static func narrows(_ name: String) -> Bool {
    ["excludeEntryId", "excludeSegmentId", "resourceId"].contains(name)
  }

  private static func paths(
    to wanted: [JSONValue], in schema: JSONValue, of document: OpenAPIDocument
  ) throws -> [[String]] {
    let schema = try document.dereferenced(schema)
    guard !wanted.contains(schema) else { return [[]] }
    let members = try (schema["properties"] ?? .null).members.flatMap { member in
      try paths(to: wanted, in: member.value, of: document).map { [member.name] + $0 }
    }
    let choices = try ["oneOf", "anyOf", "allOf"].flatMap { schema[$0]?.elements ?? [] }.flatMap {
      try paths(to: wanted, in: $0, of: document)
    }
    let elements = try schema["items"].map { try paths(to: wanted, in: $0, of: document) } ?? []
    return members + choices + elements.map { ["[]"] + $0 }
  }

  /// The call with an id in this place.
  func setting(_ call: Call, to id: String) -> Call {
    call.with { call in
      switch place {
      case .path: call.path[name] = id
      case .query: call.query = call.query.filter { $0.name != name } + [(name, id)]
      case .body(let path):
        // Of the forms in which assignees are stated, a body has only one.
        let isOlderForm = path.first?.hasPrefix("photographer") == true
        var json = isOlderForm ? call.json.removing("assignees") : call.json
        // And a segment is for work, or else for a break.
        if path == ["breakTypeId"] { json = json.removing("projectId").removing("taskId") }
        call.json = Self.setting(json, at: path[...], to: id)
      }
    }
  }

  private static func setting(_ value: JSONValue, at path: ArraySlice<String>, to id: String) -> JSONValue {
    guard let name = path.first else { return .string(id) }
    if name == "[]" {
      let first = setting(value.elements.first ?? .null, at: path.dropFirst(), to: id)
      return .array([first] + value.elements.dropFirst())
    }
    return value.setting(name, to: setting(value[name] ?? .null, at: path.dropFirst(), to: id))
  }
}
