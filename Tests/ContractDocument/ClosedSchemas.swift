extension JSONValue {
  /// Returns a contract whose shared schemas allow only the members that they declare and the values that they know.
  ///
  /// The published contract leaves answers open, so that clients made from it survive later versions. The service
  /// itself has no member and no value that its contract does not list, and keeps to the limits that it states: a
  /// shared schema with properties and without `additionalProperties` gets `false`; everywhere `x-known-values` becomes
  /// `enum`, and the content of `x-this-version` stands beside it.
  var closed: JSONValue {
    ofThisVersion.changing(at: ["components", "schemas"]) { schemas in
      .object(schemas.members.map { Member($0.name, $0.value.closedSchema) })
    }
  }

  private var ofThisVersion: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.ofThisVersion))
    case .object(let members):
      .object(
        members.flatMap { member in
          let value = member.value.ofThisVersion
          return switch member.name {
          case "x-known-values": [Member("enum", value)]
          case "x-this-version": value.members
          default: [Member(member.name, value)]
          }
        })
    default: self
    }
  }

  private var closedSchema: JSONValue {
    guard case .object = self else { return self }
    var closed = members.map { member in
      switch member.name {
      case "properties":
        Member(member.name, .object(member.value.members.map { Member($0.name, $0.value.closedSchema) }))
      case "items": Member(member.name, member.value.closedSchema)
      case "allOf", "anyOf", "oneOf": Member(member.name, .array(member.value.elements.map(\.closedSchema)))
      default: member
      }
    }
    let isObject = SchemaValidator.types(self["type"] ?? .null).contains("object")
    if isObject, self["properties"] != nil, self["additionalProperties"] == nil {
      closed.append(Member("additionalProperties", false))
    }
    return .object(closed)
  }
}
