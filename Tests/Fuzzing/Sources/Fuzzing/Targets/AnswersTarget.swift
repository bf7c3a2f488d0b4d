import ImportFiles
import TimeclockDomain

@testable import HTTPMessages
@testable import TimeclockAPI

/// Written formats: no received text adds a line to an answer's head, a cell to a table or a line to a calendar.
enum AnswersTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let isHead = input.choose(below: 2) == 1
    let split = input.choose(below: 32)
    let text = input.text
    let name = String(decoding: text.utf8.prefix(split), as: UTF8.self)
    let value = String(decoding: text.utf8.dropFirst(split), as: UTF8.self)
    checkResponse(name, value, isHead: isHead)
    checkTable([name, value], isFaulty: isFaulty)
    checkCalendar(value)
  }

  private static func checkResponse(_ name: String, _ value: String, isHead: Bool) {
    var response = HTTPResponse(status: .ok, body: .bytes(Array("{}".utf8)))
    response.fields.append("X-First", "1")
    response.fields.append(name, value)
    response.fields.append("X-Last", "2")
    let context = HTTPResponseContext(version: .http11, answersHead: isHead, keepsConnectionOpen: true)
    var bytes: [UInt8] = []
    let framing = HTTPResponseWriter.append(
      response, in: context, date: HTTPDate(secondsSince1970: 0), to: &bytes)
    require(framing == .complete, "the answer is not complete")
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    require(lines.dropLast().allSatisfy { $0.unicodeScalars.last == "\r" }, "a line without CR in \(lines)")
    // The status, Date, three or two fields or those of a 500, Content-Length, and the end of the head.
    let isRefused = lines[0].contains("500")
    let isReserved = ["date", "connection", "keep-alive", "content-length", "transfer-encoding"]
      .contains(String(decoding: name.utf8.map(ASCII.lowercased), as: UTF8.self))
    let count = isReserved && !isRefused ? 7 : 8
    require(lines.count == count, "\(lines.count) lines: \(lines)")
    require(lines[count - 2] == "\r", "the head has no end: \(lines)")
    require(lines[count - 1] == (isHead || isRefused ? "" : "{}"), "the content is \(lines[count - 1])")
  }

  private static func checkTable(_ cells: [String], isFaulty: Bool) {
    var writer = CSVWriter()
    for cell in cells { writer.text(cell) }
    writer.endLine()
    writer.header(["end"])
    var reader = DelimitedTextReader(delimiter: UInt8(ascii: ","))
    var records: [DelimitedRecord] = []
    reader.read(writer.bytes, into: &records)
    reader.finish(into: &records)
    let expected = cells.map { cell in
      var cell = cell
      let isFormula = cell.withUTF8(SpreadsheetFormula.begins)
      return Array(((isFormula && !isFaulty ? "'" : "") + cell).utf8)
    }
    // A mark at the beginning of a file is none of its text.
    guard !expected[0].starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    let read = (try? records.first?.fields.get())?.map { Array($0.utf8) }
    require(read == expected, "\(cells) is read as \(records)")
    require(records.count == 2, "\(records.count) records of \(cells)")
  }

  private static func checkCalendar(_ text: String) {
    var writer = CalendarWriter()
    writer.text("SUMMARY:", text)
    writer.line("END:VEVENT")
    let lines = String(decoding: writer.bytes, as: UTF8.self).unicodeScalars.split(
      separator: "\r\n".unicodeScalars
    )
    .map { String($0) }
    require(lines.last == "END:VEVENT", "the end is \(lines.last ?? "")")
    for line in lines {
      require(line.utf8.count <= 75, "\(line.utf8.count) bytes in a line")
      require(!line.unicodeScalars.contains { $0 == "\r" || $0 == "\n" }, "an end within \(line)")
    }
    require(lines.dropFirst().dropLast().allSatisfy { $0.utf8.first == 0x20 }, "a line more: \(lines)")
    let unfolded = lines.dropLast().enumerated().map { $0 == 0 ? $1 : String($1.unicodeScalars.dropFirst()) }
      .joined()
    require(unescaped(unfolded) == expected(text), "\(text) is read as \(unfolded)")
  }

  private static func expected(_ text: String) -> [UInt8] {
    Array("SUMMARY:".utf8) + text.utf8.filter { $0 == 0x09 || $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F }
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(isEscaped && byte == UInt8(ascii: "n") ? 0x0A : byte)
        isEscaped = false
      }
    }
    return bytes
  }
}
