/// The reason for a change of another person's resource, in the author's own words.
package struct Reason: Hashable, Sendable {
  /// The most code points a reason may have.
  package static let maximumCharacters: Int64 = 500

  /// Trimmed, never empty, with `<` and `>` as `&lt;` and `&gt;`.
  package let text: String

  /// A reason that was sanitized before, as a storage keeps it.
  package init(stored text: String) {
    self.text = text
  }

  /// Sanitizes a client's text, as notes are.
  ///
  /// - Returns: Nil when nothing but white space was sent.
  /// - Throws: `TimeclockError.reasonInvalid` for one that is too long, or holds characters that notes may not hold.
  package static func sanitized(_ text: String) throws -> Reason? {
    do {
      return try Notes.sanitized(text, maximumCharacters: maximumCharacters).map { Reason(stored: $0.text) }
    } catch {
      throw TimeclockError.reasonInvalid
    }
  }
}
