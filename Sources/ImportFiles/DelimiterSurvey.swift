/// Finds out what stands between the fields: a comma, a semicolon or a tab, whichever the first line has most of outside
/// quotes; a comma where it has none.
///
/// It looks at no byte behind that line, nor behind `byteLimit`, so what it finds does not depend on the pieces in which
/// the text comes.
struct DelimiterSurvey: Sendable {
  private var counts = [0, 0, 0]
  private var isQuoted = false
  private var byteCount = 0
  /// Whether the delimiter is known, whatever follows.
  private(set) var isComplete = false

  private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
  /// The longest first line.
  private static let byteLimit = 65_536

  /// The delimiter, by what was read so far.
  var delimiter: UInt8 {
    let most = counts.max() ?? 0
    return Self.candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// Reads a piece of the text.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where !isComplete { note(byte) }
  }

  private mutating func note(_ byte: UInt8) {
    byteCount += 1
    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    if !isQuoted {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { isComplete = true }
      if let place = Self.candidates.firstIndex(of: byte) { counts[place] += 1 }
    }
    if byteCount >= Self.byteLimit { isComplete = true }
  }
}

extension DelimitedTextReader {
  /// What the first line has most of, outside quotes: a comma, a semicolon or a tab. A comma where it has none.
  package static func delimiter(in text: some Sequence<UInt8>) -> UInt8 {
    var survey = DelimiterSurvey()
    survey.read(text)
    return survey.delimiter
  }
}
