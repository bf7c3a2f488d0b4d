/// The title and the location of a session.
package enum SessionText {
  /// The most code points a title or a location may have.
  package static let maximumCharacters = 200

  /// The title without white space around it.
  ///
  /// - Throws: `TimeclockError.invalidTitle` when nothing is left, it is longer than 200 code points, or it
  ///   holds control characters, new lines or bidirectional overrides.
  package static func title(_ text: String) throws -> String {
    let trimmed = Text.trimmed(text)
    guard !trimmed.isEmpty, Text.isLine(trimmed, maximumCharacters: maximumCharacters) else {
      throw TimeclockError.invalidTitle
    }
    return trimmed
  }

  /// The location without white space around it; nil when nothing is left.
  ///
  /// - Throws: `TimeclockError.invalidLocation` for a text that is no title either.
  package static func location(_ text: String) throws -> String? {
    let trimmed = Text.trimmed(text)
    guard Text.isLine(trimmed, maximumCharacters: maximumCharacters) else {
      throw TimeclockError.invalidLocation
    }
    return trimmed.isEmpty ? nil : trimmed
  }
}

extension TimeclockError {
  package static let invalidTitle = TimeclockError.plain(
    PlainRefusal(
      "invalid_title", against: .rule,
      "A title has 1 to \(SessionText.maximumCharacters) characters, none of them control characters"))

  package static let invalidLocation = TimeclockError.plain(
    PlainRefusal(
      "invalid_location", against: .rule,
      "A location has at most \(SessionText.maximumCharacters) characters, none of them control characters"))
}
