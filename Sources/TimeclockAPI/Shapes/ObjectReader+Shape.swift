import TimeclockDomain

extension ObjectReader {
  /// Reads the fields that a body states of a record. Null counts as absent, unless it is a value of the field.
  ///
  /// - Parameters:
  ///   - isNew: Whether the body makes the record, so that it states members without a default.
  ///   - names: The fields that such a body has; nil for all.
  func stated<Record: ShapedRecord>(forNew isNew: Bool, of names: Set<String>? = nil) -> Stated<Record> {
    var stated = Stated<Record>()
    for field in Record.shape.fields where field.creation.isStated(forNew: isNew) {
      let name = "\(field.name)"
      if let names, !names.contains(name) { continue }
      let isRequired = isNew && field.creation.isRequired
      let isThere = has(name)
      func state<Value>(
        _ place: ShapeField<Record>.Place<Value>, _ required: (String) -> Value?,
        _ optional: (String) -> Value?
      ) {
        let value = isRequired ? required(name) : optional(name)
        if value != nil || (place.isOptional && isThere) { stated.state(field, place, value) }
      }
      switch field.kind {
      case .text(let place): state(place, string, optionalString)
      case .number(let place): state(place, integer, optionalInteger)
      case .numbers(let place): state(place, integers, optionalIntegerList)
      case .breakRules(let place): state(place, breakRules, optionalBreakRules)
      case .decimal(let place): state(place, tenThousandths, optionalTenThousandths)
      case .flag(let place): state(place, bool, optionalBool)
      case .date(let place): state(place, date, optionalDate)
      case .instant(let place): state(place, instant, optionalInstant)
      case .resource(let place): state(place, identifier, optionalIdentifier)
      case .user(let place): state(place, identifier, optionalIdentifier)
      case .choice(let place, let words):
        state(place, { word($0, of: words) }, { optionalWord($0, of: words) })
      case .reference(let place, _): state(place, identifier, optionalIdentifier)
      case .people(let place, _): state(place, members, optionalMembers)
      }
    }
    return stated
  }
}
