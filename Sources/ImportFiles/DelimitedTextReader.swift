/// Reads comma-separated values (RFC 4180) piece by piece; knows no file.
///
/// Foundation has no reader of them, and the line numbers of faults, the limit of memory and reading on after a fault are
/// this service's own rules.
///
/// Lines end in CR LF or LF, the last one may lack its end, and empty lines are left out. A byte order mark at the
/// beginning is skipped. If the delimiter is a tab, quotes are text like any other (IANA, `text/tab-separated-values`).
///
/// Text that breaks the rules makes only its record a fault: reading continues with the next line. A quoted field
/// that never ends takes the rest of the text with it, but no memory beyond the limit.
package struct DelimitedTextReader: Sendable {
  private enum State {
    case fieldStart
    case unquoted
    case quoted
    /// After a quote in a quoted field: the end of the field, or the first of two quotes that represent one.
    case quoteInQuoted
    case carriageReturn
    /// After a fault, before the next line.
    case skipping
  }

  private let delimiter: UInt8
  private let quote: UInt8?
  private let recordByteLimit: Int
  private let repairsText: Bool
  private var state = State.fieldStart
  /// The record's fields in turn, and the end of each.
  private var content: [UInt8] = []
  private var ends: [Int] = []
  private var fault: DelimitedTextFault?
  private var isEmpty = true
  private var line = 1
  private var firstLine = 1
  /// The bytes so far that may still be a byte order mark; nil once that is decided.
  private var mark: [UInt8]? = []

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameters:
  ///   - delimiter: The ASCII character between fields, neither a quote nor a line end.
  ///   - recordByteLimit: The most bytes of a record's fields together, with the delimiters between them.
  ///   - repairsText: Whether a field that is not UTF-8 is read with other characters instead of those that are none.
  package init(delimiter: UInt8, recordByteLimit: Int = 65_536, repairsText: Bool = false) {
    self.delimiter = delimiter
    quote = delimiter == UInt8(ascii: "\t") ? nil : UInt8(ascii: "\"")
    self.recordByteLimit = recordByteLimit
    self.repairsText = repairsText
  }

  /// Reads a piece of the text and appends the records that end in it.
  package mutating func read(_ bytes: some Sequence<UInt8>, into records: inout [DelimitedRecord]) {
    for byte in bytes {
      if mark == nil { take(byte, &records) } else { takeFirst(byte, &records) }
    }
  }

  /// Ends the text, and appends the record that ends with it.
  package mutating func finish(into records: inout [DelimitedRecord]) {
    let beginning = mark ?? []
    mark = nil
    for byte in beginning { take(byte, &records) }
    if state == .quoted { fail(.unterminatedQuote) }
    if !isEmpty { endRecord(&records) }
  }

  private mutating func takeFirst(_ byte: UInt8, _ records: inout [DelimitedRecord]) {
    let beginning = (mark ?? []) + [byte]
    guard Self.byteOrderMark.starts(with: beginning) else {
      mark = nil
      for byte in beginning { take(byte, &records) }
      return
    }
    mark = beginning.count == Self.byteOrderMark.count ? nil : beginning
  }

  private mutating func take(_ byte: UInt8, _ records: inout [DelimitedRecord]) {
    switch state {
    case .fieldStart where byte == quote:
      isEmpty = false
      state = .quoted
    case .fieldStart, .unquoted: takeUnquoted(byte, &records)
    case .quoted:
      if byte == quote { state = .quoteInQuoted } else { append(byte) }
    case .quoteInQuoted:
      if byte == quote {
        append(byte)
        state = .quoted
      } else if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn {
        takeUnquoted(byte, &records)
      } else {
        fail(.textAfterQuote)
        state = .skipping
      }
    case .carriageReturn:
      if byte != Self.lineFeed { fail(.strayCarriageReturn) }
      if byte == Self.lineFeed { endRecord(&records) } else { state = .skipping }
    case .skipping:
      if byte == Self.lineFeed { endRecord(&records) }
    }
    if byte == Self.lineFeed {
      line += 1
      if isEmpty { firstLine = line }
    }
  }

  private mutating func takeUnquoted(_ byte: UInt8, _ records: inout [DelimitedRecord]) {
    switch byte {
    case delimiter:
      endField()
      state = .fieldStart
    case Self.lineFeed: endRecord(&records)
    case Self.carriageReturn: state = .carriageReturn
    case quote:
      fail(.strayQuote)
      state = .skipping
    default:
      append(byte)
      state = .unquoted
    }
  }

  private mutating func append(_ byte: UInt8) {
    isEmpty = false
    guard hasRoom() else { return }
    content.append(byte)
  }

  private mutating func endField() {
    isEmpty = false
    guard hasRoom() else { return }
    ends.append(content.count)
  }

  /// Whether the record may continue; a record that is too long becomes a fault.
  private mutating func hasRoom() -> Bool {
    if fault == nil, content.count + ends.count >= recordByteLimit { fail(.tooLong) }
    return fault == nil
  }

  private mutating func fail(_ newFault: DelimitedTextFault) {
    isEmpty = false
    fault = fault ?? newFault
  }

  private mutating func endRecord(_ records: inout [DelimitedRecord]) {
    if !isEmpty {
      ends.append(content.count)
      records.append(DelimitedRecord(line: firstLine, fields: fields()))
    }
    content.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    fault = nil
    isEmpty = true
    state = .fieldStart
  }

  private func fields() -> Result<[String], DelimitedTextFault> {
    if let fault { return .failure(fault) }
    var begin = 0
    var fields: [String] = []
    for end in ends {
      let bytes = content[begin..<end]
      guard let field = String(validating: bytes, as: UTF8.self) ?? repaired(bytes) else {
        return .failure(.notUTF8)
      }
      fields.append(field)
      begin = end
    }
    return .success(fields)
  }
  private func repaired(_ bytes: ArraySlice<UInt8>) -> String? {
    repairsText ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
