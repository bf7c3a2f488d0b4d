import TimeclockDomain

/// Writes comma-separated values straight into bytes (RFC 4180): UTF-8, lines that end with CR LF, a cell in quotes if
/// its content needs them; in a dialect, with another separator, decimal sign or beginning.
///
/// Write the cells of a line one after the other, then `endLine`; the writer adds the separators.
///
/// Foundation has no writer of them, and a package would not know which texts spreadsheets calculate.
struct CSVWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  let dialect: TableDialect
  private let separator: UInt8
  private var needsSeparator = false

  init(_ dialect: TableDialect = .rfc4180, capacity: Int = 512) {
    self.dialect = dialect
    separator = dialect.separator.byte
    bytes.reserveCapacity(capacity)
  }

  /// Takes away the bytes that have been written so far; later ones continue after them.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Begins the table with a line of names, which are those of the contract and need no quotes.
  mutating func header(_ names: [String]) {
    if dialect.hasByteOrderMark { bytes.append(contentsOf: "\u{FEFF}".utf8) }
    for name in names { plain { $0.append(contentsOf: name.utf8) } }
    endLine()
  }

  /// Writes a protected cell of text: if a spreadsheet would take the text for a formula, an apostrophe precedes it
  /// (`SpreadsheetFormula`); if it would take it for a number, it is `="0001"` if the dialect keeps text
  /// (`SpreadsheetNumber`). Otherwise the cell is the text, character by character.
  mutating func text(_ value: String) {
    separate()
    var value = value
    value.withUTF8 { append(cell: $0) }
  }

  /// Writes a cell of text, or an empty one.
  mutating func text(_ value: String?) {
    if let value { text(value) } else { empty() }
  }

  /// Writes a cell with an integer in decimal.
  mutating func number(_ value: Int64) {
    plain { $0.append(decimal: value) }
  }

  /// Writes a cell with an integer, or an empty one.
  mutating func number(_ value: Int64?) {
    if let value { number(value) } else { empty() }
  }

  /// Writes a cell with a part of one: `7`, the decimal sign, and the digits that `append` appends.
  ///
  /// - Parameter isNegative: Whether a minus sign precedes it.
  mutating func decimal(_ whole: Int64, isNegative: Bool = false, _ append: (inout [UInt8]) -> Void) {
    let sign = dialect.decimalSign.byte
    let needsQuotes = sign == separator
    plain { bytes in
      if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
      if isNegative { bytes.append(UInt8(ascii: "-")) }
      bytes.append(decimal: whole)
      bytes.append(sign)
      append(&bytes)
      if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }
  }

  mutating func empty() {
    separate()
  }

  mutating func identifier<Subject>(_ value: Identifier<Subject>) {
    plain { value.append(to: &$0) }
  }

  mutating func instant(_ value: Instant) {
    plain { value.appendRFC3339(to: &$0) }
  }

  /// Writes a cell with local time, such as `2026-10-25 02:30:00`.
  mutating func wallTime(_ value: Instant, offsetSeconds: Int32) {
    plain { value.appendWallTime(offsetSeconds: offsetSeconds, to: &$0) }
  }

  mutating func date(_ value: LocalDate) {
    plain { value.appendISO8601(to: &$0) }
  }

  /// Writes a cell whose content the program makes itself, so that it never needs quotes and is never a formula.
  mutating func plain(_ append: (inout [UInt8]) -> Void) {
    separate()
    append(&bytes)
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
    needsSeparator = false
  }

  private mutating func separate() {
    if needsSeparator { bytes.append(separator) }
    needsSeparator = true
  }

  private mutating func append(cell content: UnsafeBufferPointer<UInt8>) {
    let isFormula = SpreadsheetFormula.begins(content)
    if dialect.keepsText, !isFormula, SpreadsheetNumber.reads(content) {
      bytes.append(contentsOf: "\"=\"\"".utf8)
      bytes.append(contentsOf: content)
      return bytes.append(contentsOf: "\"\"\"".utf8)
    }
    guard Self.needsQuotes(content) else {
      if isFormula { bytes.append(UInt8(ascii: "'")) }
      return bytes.append(contentsOf: content)
    }
    bytes.append(UInt8(ascii: "\""))
    if isFormula { bytes.append(UInt8(ascii: "'")) }
    var rest = content[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      bytes.append(contentsOf: rest[...quote])
      bytes.append(UInt8(ascii: "\""))
      rest = rest[(quote + 1)...]
    }
    bytes.append(contentsOf: rest)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether the content has a character that RFC 4180 wants quoted, a separator of other dialects, or a blank at an end,
  /// which some programs would cut off.
  private static func needsQuotes(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = content.first, let last = content.last else { return false }
    if first == UInt8(ascii: " ") || last == UInt8(ascii: " ") { return true }
    return content.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: ";"), 0x09...0x0D: true
      default: false
      }
    }
  }
}
