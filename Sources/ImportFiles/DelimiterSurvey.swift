/// Determines the delimiter between fields: a comma, a semicolon or a tab, whichever the first line has most of outside
/// quotes; a comma if it has none of them.
///
/// It reads no byte after that line, nor after `byteLimit`, so the result does not depend on the pieces in which the text
/// comes.
struct DelimiterSurvey: Sendable {
  private var counts = [0, 0, 0]
  private var isQuoted = false
  private var byteCount = 0
  /// Whether the delimiter is known, so that further text cannot change it.
  private(set) var isComplete = false

  private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
  /// The most bytes of the first line that are read.
  private static let byteLimit = 65_536

  /// The delimiter according to the text that has been read so far.
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
  /// The most frequent of comma, semicolon and tab in the first line outside quotes; a comma if it has none of them.
  package static func delimiter(in text: some Sequence<UInt8>) -> UInt8 {
    var survey = DelimiterSurvey()
    survey.read(text)
    return survey.delimiter
  }
}
