/// Reads comma-separated values as strictly as RFC 4180 writes them down.
enum CSVReader {
  /// The records; nil where a record does not end with CR LF, or quotes stand where they may not.
  static func records(of text: [UInt8]) -> [[String]]? {
    var records: [[String]] = []
    var record: [String] = []
    var position = 0
    while position < text.count {
      guard let (cell, end) = cell(of: text, from: position) else { return nil }
      record.append(cell)
      if end < text.count, text[end] == UInt8(ascii: ",") {
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

  private static func cell(of text: [UInt8], from start: Int) -> (cell: String, end: Int)? {
    guard start < text.count, text[start] == UInt8(ascii: "\"") else {
      let end = text[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\r") }
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
