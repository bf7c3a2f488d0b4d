@testable import ImportFiles

/// Comma-separated values (RFC 4180) by a reading of the whole text, field by field.
struct DelimitedTextModel {
  private(set) var records: [DelimitedRecord] = []

  private let bytes: [UInt8]
  private let delimiter: UInt8
  private let recordByteLimit: Int
  private var position = 0
  private var line = 1

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let quote = UInt8(ascii: "\"")

  init(_ bytes: [UInt8], delimiter: UInt8, recordByteLimit: Int = 65_536) {
    self.bytes = bytes
    self.delimiter = delimiter
    self.recordByteLimit = recordByteLimit
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < bytes.count {
      if takeLineEnd() { continue }
      readRecord()
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Takes LF, CR LF, or a CR at the end of the text.
  private mutating func takeLineEnd() -> Bool {
    let rest = bytes[position...].prefix(2)
    if rest.first == Self.lineFeed {
      position += 1
    } else if rest.elementsEqual([Self.carriageReturn, Self.lineFeed]) {
      position += 2
    } else if rest.elementsEqual([Self.carriageReturn]) {
      position += 1
      return true
    } else {
      return false
    }
    line += 1
    return true
  }

  private mutating func readRecord() {
    let firstLine = line
    var fields: [[UInt8]] = []
    // The fault that ends the record, and the number of bytes before it.
    var fault: (fault: DelimitedTextFault, byteCount: Int)?
    var isComplete = false
    repeat {
      let byteCount = fields.reduce(fields.count) { $0 + $1.count }
      let (content, contentFault) = readField()
      fields.append(content)
      if let contentFault {
        fault = (contentFault, byteCount + content.count)
        skipLine()
        isComplete = true
      } else if next == delimiter {
        position += 1
      } else {
        isComplete = true
        let isEnded = position == bytes.count || takeLineEnd()
        if !isEnded {
          // A carriage return alone: a field ends with nothing else but the delimiter and a line's end.
          fault = (.strayCarriageReturn, byteCount + content.count)
          skipLine()
        }
      }
    } while !isComplete
    line = 1 + bytes[..<position].count { $0 == Self.lineFeed }
    records.append(DelimitedRecord(line: firstLine, fields: outcome(fields, fault)))
  }

  /// A field's content, and the fault that ends it. Later bytes are not taken.
  private mutating func readField() -> ([UInt8], DelimitedTextFault?) {
    let hasQuotes = delimiter != UInt8(ascii: "\t")
    var content: [UInt8] = []
    guard hasQuotes, next == Self.quote else {
      while let byte = next, byte != delimiter, byte != Self.lineFeed, byte != Self.carriageReturn {
        if hasQuotes, byte == Self.quote { return (content, .strayQuote) }
        content.append(byte)
        position += 1
      }
      return (content, nil)
    }
    position += 1
    while let byte = next {
      position += 1
      guard byte == Self.quote else {
        content.append(byte)
        continue
      }
      if next == Self.quote {
        content.append(byte)
        position += 1
      } else {
        let isEnd = [nil, delimiter, Self.lineFeed, Self.carriageReturn].contains(next)
        return (content, isEnd ? nil : .textAfterQuote)
      }
    }
    return (content, .unterminatedQuote)
  }

  /// Goes behind the end of the line.
  private mutating func skipLine() {
    position = bytes[position...].firstIndex(of: Self.lineFeed).map { $0 + 1 } ?? bytes.count
  }

  /// The fields, unless there is a fault, or more than there may be before it.
  private func outcome(
    _ fields: [[UInt8]], _ fault: (fault: DelimitedTextFault, byteCount: Int)?
  ) -> Result<[String], DelimitedTextFault> {
    let byteCount = fault?.byteCount ?? fields.reduce(fields.count - 1) { $0 + $1.count }
    if byteCount > recordByteLimit { return .failure(.tooLong) }
    if let fault { return .failure(fault.fault) }
    var texts: [String] = []
    for field in fields {
      let text = String(decoding: field, as: UTF8.self)
      guard text.utf8.elementsEqual(field) else { return .failure(.notUTF8) }
      texts.append(text)
    }
    return .success(texts)
  }
}
