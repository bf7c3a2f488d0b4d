/// The rules for the words of a segment.
package enum SegmentText {
  /// The name of a segment of work for which none is stated, and of a break.
  package static let (standardName, standardBreakName) = ("Time entry", "Break")
  /// The most tags that a segment has.
  package static let maximumTags = 10
  /// The most code points that a tag has.
  package static let maximumTagCharacters = 50

  /// The name without white space around it; the standard one for the purpose if nothing is left.
  ///
  /// - Throws: `TimeclockError.invalidName` for more than 200 code points, or control characters.
  package static func name(_ text: String?, for purpose: SegmentPurpose = SegmentPurpose()) throws -> String {
    guard let text, !Text.trimmed(text).isEmpty else {
      return purpose.breakTypeID == nil ? standardName : standardBreakName
    }
    return try Name.validated(text)
  }

  /// The tags without white space around them, each once, in their order.
  ///
  /// - Throws: `TimeclockError.invalidTags`.
  package static func tags(_ texts: [String]) throws -> [String] {
    guard texts.count <= maximumTags else { throw TimeclockError.invalidTags }
    var tags: [String] = []
    for text in texts {
      let tag = Text.trimmed(text)
      guard !tag.isEmpty, Text.isLine(tag, maximumCharacters: maximumTagCharacters) else {
        throw TimeclockError.invalidTags
      }
      // Swift compares texts by their look, the databases by their bytes.
      if !tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) { tags.append(tag) }
    }
    return tags
  }
}
