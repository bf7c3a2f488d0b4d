/// A yes or no, in the languages in which services write their exports.
enum StatedAnswer {
  private static let yes: Set<String> = ["yes", "true", "1", "ja", "oui", "sí", "si", "sim", "billable"]
  private static let no: Set<String> = ["no", "false", "0", "nein", "nee", "non", "não", "non-billable"]

  /// Reads a word, however it is capitalized; nil for one that is not known.
  static func isYes(_ text: String) -> Bool? {
    let word = text.lowercased()
    return yes.contains(word) ? true : no.contains(word) ? false : nil
  }
}
