import Foundation

/// `openapi.yaml`, read for the tests to be driven by.
struct OpenAPIDocument: Sendable {
  let root: JSONValue
  /// In the order of the document.
  let operations: [Operation]
  /// The schemas that its references lead to, as values are judged by them.
  let compiled = CompiledReferences()

  /// The project's directory.
  static let packageDirectory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The project's contract as the service is held to it: its answers are closed.
  static let contract = Result { try OpenAPIDocument(root: published.get().root.closed) }

  /// The project's contract as users read it: its answers are open to later versions.
  static let published = Result {
    try OpenAPIDocument(
      root: JSONValue(
        yaml: String(contentsOf: packageDirectory.appending(path: "openapi.yaml"), encoding: .utf8)))
  }

  init(root: JSONValue) throws {
    self.root = root
    operations = try Self.operations(of: root)
  }

  /// The operation with this id.
  func operation(_ id: String) throws -> Operation {
    guard let operation = operations.first(where: { $0.id == id }) else {
      throw DocumentError("there is no operation \(id)")
    }
    return operation
  }

  /// The part of the document that a reference such as `#/components/schemas/ID` names.
  func resolve(_ reference: String) throws -> JSONValue { try Self.resolve(reference, in: root) }

  /// The schema, or the one it consists of a reference to.
  func dereferenced(_ schema: JSONValue) throws -> JSONValue { try Self.dereferenced(schema, in: root) }

  private static func resolve(_ reference: String, in root: JSONValue) throws -> JSONValue {
    guard reference.hasPrefix("#/") else { throw DocumentError("\(reference) is not of this document") }
    return try reference.dropFirst(2).split(separator: "/").reduce(root) { value, name in
      guard let next = value[String(name)] else { throw DocumentError("\(reference) leads nowhere") }
      return next
    }
  }

  private static func dereferenced(_ value: JSONValue, in root: JSONValue) throws -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    return try dereferenced(resolve(reference, in: root), in: root)
  }

  private static func operations(of root: JSONValue) throws -> [Operation] {
    let methods = ["get", "put", "post", "delete", "patch"]
    return try (root["paths"] ?? .null).members.flatMap { path in
      try path.value.members.filter { methods.contains($0.name) }.map { method in
        try operation(
          method.value, method: method.name.uppercased(), path: path.name,
          shared: path.value["parameters"]?.elements ?? [], in: root)
      }
    }
  }

  private static func operation(
    _ value: JSONValue, method: String, path: String, shared: [JSONValue], in root: JSONValue
  ) throws -> Operation {
    guard let id = value["operationId"]?.string else { throw DocumentError("\(method) \(path) has no id") }
    let parameters = try (shared + (value["parameters"]?.elements ?? [])).map {
      try parameter(dereferenced($0, in: root))
    }
    let body = value["requestBody"]?["content"]?["application/json"]
    let security = value["security"] ?? root["security"] ?? []
    return Operation(
      id: id, method: method, pathTemplate: path, parameters: parameters, bodySchema: body?["schema"],
      isBodyRequired: value["requestBody"]?["required"]?.bool ?? false, bodyExample: body?["example"],
      // An operation that takes JSON too is called with that; scenarios send the text.
      textBody: body == nil ? textBody(value["requestBody"]?["content"]) : nil,
      responses: try byStatus(value["responses"] ?? .null) {
        try response(dereferenced($0, in: root), in: root)
      },
      isSecured: !security.elements.isEmpty,
      requiredRole: try role(value["x-required-role"], of: id),
      requiredRoleForOthers: try role(value["x-required-role-for-others"], of: id),
      requiredPartForGroup: value["x-required-part-for-group"]?.string,
      codes: try byStatus(value["x-codes"] ?? .null) { $0.elements.compactMap(\.string) })
  }

  private static func role(_ name: JSONValue?, of id: String) throws -> Operation.RequiredRole? {
    guard let name else { return nil }
    guard let role = name.string.flatMap({ Operation.RequiredRole(rawValue: $0) }) else {
      throw DocumentError("\(id) requires the unknown role \(name.text)")
    }
    return role
  }

  private static func textBody(_ content: JSONValue?) -> Operation.TextBody? {
    let types = (content?.members ?? []).filter { $0.name.hasPrefix("text/") }
    guard let example = types.first?.value["example"]?.string else { return nil }
    return Operation.TextBody(contentTypes: types.map(\.name), example: example)
  }

  private static func byStatus<Value>(
    _ object: JSONValue, _ read: (JSONValue) throws -> Value
  ) throws -> [Int: Value] {
    try object.members.reduce(into: [:]) { result, member in
      guard let status = Int(member.name), (200...599).contains(status) else {
        throw DocumentError("\(member.name) is no status")
      }
      result[status] = try read(member.value)
    }
  }

  private static func parameter(_ value: JSONValue) throws -> Operation.Parameter {
    guard let name = value["name"]?.string, let location = value["in"]?.string, let schema = value["schema"]
    else { throw DocumentError("a parameter has no name, place or schema") }
    return Operation.Parameter(
      name: name, location: location, isRequired: value["required"]?.bool ?? false, schema: schema)
  }

  private static func response(_ value: JSONValue, in root: JSONValue) throws -> Operation.Response {
    var response = Operation.Response(headers: [:], content: [:])
    for member in value["headers"]?.members ?? [] {
      let header = try dereferenced(member.value, in: root)
      guard let schema = header["schema"] else { throw DocumentError("\(member.name) has no schema") }
      response.headers[member.name] = Operation.Header(
        isRequired: header["required"]?.bool ?? false, schema: schema)
    }
    for member in value["content"]?.members ?? [] {
      guard let schema = member.value["schema"] else { throw DocumentError("\(member.name) has no schema") }
      response.content[member.name] = schema
    }
    return response
  }
}
