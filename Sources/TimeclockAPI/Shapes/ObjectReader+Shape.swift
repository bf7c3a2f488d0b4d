import TimeclockDomain

extension ObjectReader {
  /// Reads the fields that a body states of a record. Null counts as absent, unless it is a value of the field.
  ///
  /// - Parameter isNew: Whether the body makes the record, so that it states members without a default.
  func stated<Record: ShapedRecord>(forNew isNew: Bool) -> Stated<Record> {
    var stated = Stated<Record>()
    for field in Record.shape.fields where !isNew || field.creation != .later {
      let name = "\(field.name)"
      let isRequired = isNew && field.creation == .required
      let isThere = has(name)
      switch field.kind {
      case .text(let place, let rule):
        let text = isRequired ? string(name) : optionalString(name)
        if let text { stated.state(place) { try rule(text) } }
      case .optionalText(let place, let rule):
        let text = optionalString(name)
        if isThere { stated.state(place) { try text.flatMap(rule) } }
      case .flag(let place):
        let flag = isRequired ? bool(name) : optionalBool(name)
        if let flag { stated.state(place) { flag } }
      case .optionalNumber(let place, let rule):
        let number = optionalInteger(name)
        if isThere { stated.state(place) { try number.map(rule) } }
      }
    }
    return stated
  }
}
