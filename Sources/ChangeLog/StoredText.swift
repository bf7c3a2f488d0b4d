import TimeclockDomain

/// An id, a zone or a name of a snapshot, which must be valid.
struct Stored<Value>: Decodable where Value: StoredText {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Value(stored: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Value.self)")
    }
    self.value = value
  }
}

/// A value that a snapshot holds as text.
protocol StoredText {
  init?(stored text: String)
}

extension Identifier: StoredText {
  init?(stored text: String) { self.init(text) }
}

extension TimeZoneIdentifier: StoredText {
  init?(stored text: String) { self.init(text) }
}

extension Role: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}

extension Language: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}

extension TimeEntrySource: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}

extension ApiTokenScope: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}

extension Organization.State: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}

extension Reminder.Kind: StoredText {
  init?(stored text: String) { self.init(rawValue: text) }
}
