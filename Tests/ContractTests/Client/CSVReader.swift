/// Reads comma-separated values as strictly as RFC 4180 writes them down, also with another separator, which stands behind
/// the first name, and behind a byte order mark.
enum CSVReader {
  /// The records; nil if a record does not end with CR LF, or quotes stand where they may not.
  static func records(of text: [UInt8]) -> [[String]]? {
    let text = text.starts(with: "\u{FEFF}".utf8) ? Array(text[3...]) : text
    let separator =
      text.first { [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains($0) } ?? UInt8(ascii: ",")
    var records: [[String]] = []
    var record: [String] = []
    var position = 0
    while position < text.count {
      guard let (cell, end) = cell(of: text, from: position, to: separator) else { return nil }
      record.append(cell)
      if end < text.count, text[end] == separator {
        position = end + 1
      } else if end + 1 < text.count, text[end] == UInt8(ascii: "\r"), text[end + 1] == UInt8(ascii: "\n") {
        records.append(record)
        record = []
        position = end + 2
      } else {
        return nil
      }
    }
    return record.isEmpty ? records : nil
  }

  private static func cell(
    of text: [UInt8], from start: Int, to separator: UInt8
  ) -> (cell: String, end: Int)? {
    guard start < text.count, text[start] == UInt8(ascii: "\"") else {
      let end = text[start...].firstIndex { $0 == separator || $0 == UInt8(ascii: "\r") }
      guard let end,
        !text[start..<end].contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") })
      else { return nil }
      return (String(decoding: text[start..<end], as: UTF8.self), end)
    }
    var content: [UInt8] = []
    var position = start + 1
    while let quote = text[position...].firstIndex(of: UInt8(ascii: "\"")) {
      content += text[position..<quote]
      guard quote + 1 < text.count, text[quote + 1] == UInt8(ascii: "\"") else {
        return (String(decoding: content, as: UTF8.self), quote + 1)
      }
      content.append(UInt8(ascii: "\""))
      position = quote + 2
    }
    return nil
  }
}
