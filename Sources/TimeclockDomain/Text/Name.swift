/// The name of a person, an organization or a token.
package enum Name {
  /// The most code points a name may have.
  package static let maximumCharacters = 200

  /// The name without white space around it.
  ///
  /// - Throws: `TimeclockError.invalidName` when nothing is left, it is longer than 200 code points, or it
  ///   holds control characters, new lines or bidirectional overrides.
  package static func validated(_ text: String) throws -> String {
    let trimmed = Text.trimmed(text)
    guard !trimmed.isEmpty, Text.isLine(trimmed, maximumCharacters: maximumCharacters) else {
      throw TimeclockError.invalidName
    }
    return trimmed
  }
}
