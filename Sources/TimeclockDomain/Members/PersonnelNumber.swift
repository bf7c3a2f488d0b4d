/// The number, or the word, under which a payroll program knows a member.
package enum PersonnelNumber {
  /// The most code points a personnel number may have.
  package static let maximumCharacters = 64

  /// The personnel number without white space around it. Numbers are the same only character by character: `7` and `007`
  /// are two, and so are `a1` and `A1`.
  ///
  /// - Throws: `TimeclockError.invalidPersonnelNumber` when nothing is left, it is longer than 64 code points, or it
  ///   holds control characters, new lines or bidirectional overrides.
  package static func validated(_ text: String) throws -> String {
    let trimmed = Text.trimmed(text)
    guard !trimmed.isEmpty, Text.isLine(trimmed, maximumCharacters: maximumCharacters) else {
      throw TimeclockError.invalidPersonnelNumber
    }
    return trimmed
  }
}

extension TimeclockError {
  package static let invalidPersonnelNumber = TimeclockError.plain(
    PlainRefusal(
      "invalid_personnel_number", against: .rule,
      "A personnel number has 1 to \(PersonnelNumber.maximumCharacters) characters, none of them control characters"
    ))

  package static let personnelNumberInUse = TimeclockError.plain(
    PlainRefusal(
      "personnel_number_in_use", against: .state,
      "Another member of the organization has this personnel number, maybe a deactivated one."))
}
