extension JSONValue {
  /// Returns a contract whose shared schemas allow only the members that they declare and the values that they know.
  ///
  /// The published contract leaves answers open, so that clients made from it survive later versions. The service itself
  /// has no member and no value that its contract does not list: a schema of objects without `additionalProperties` gets
  /// `false`, and `x-known-values` becomes `enum`.
  var closed: JSONValue {
    changing(at: ["components", "schemas"]) { schemas in
      .object(schemas.members.map { Member($0.name, $0.value.closedSchema) })
    }
  }

  private var closedSchema: JSONValue {
    guard case .object = self else { return self }
    var closed = members.map { member in
      switch member.name {
      case "x-known-values": Member("enum", member.value)
      case "properties":
        Member(member.name, .object(member.value.members.map { Member($0.name, $0.value.closedSchema) }))
      case "items": Member(member.name, member.value.closedSchema)
      case "allOf", "anyOf", "oneOf": Member(member.name, .array(member.value.elements.map(\.closedSchema)))
      default: member
      }
    }
    if SchemaValidator.types(self["type"] ?? .null).contains("object"), self["additionalProperties"] == nil {
      closed.append(Member("additionalProperties", false))
    }
    return .object(closed)
  }
}
