import Foundation

@testable import ContractDocument

/// A form of text of many lines, and the checks of it that a schema cannot express.
enum TextForm {
  case csv
  case ndjson
  case calendar
  case events

  /// The form that a content type without parameters names; nil for a text of no such form.
  init?(contentType: String) {
    switch contentType {
    case "text/csv": self = .csv
    case "application/x-ndjson": self = .ndjson
    case "text/calendar": self = .calendar
    case "text/event-stream": self = .events
    default: return nil
    }
  }

  /// Returns the faults of the text; empty if it has none.
  ///
  /// - Parameter check: Returns the faults of a line's JSON value.
  func violations(of text: [UInt8], check: (JSONValue) -> [String]) -> [String] {
    switch self {
    case .csv: Self.csvViolations(text)
    case .ndjson: Self.lineViolations(text, check)
    case .calendar: Self.calendarViolations(text)
    case .events: Self.eventViolations(text, check)
    }
  }

  /// RFC 4180: every record has as many cells as the header, and ends with CR LF.
  private static func csvViolations(_ text: [UInt8]) -> [String] {
    guard let records = CSVReader.records(of: text), let header = records.first else { return ["not CSV"] }
    return records.contains { $0.count != header.count } ? ["records have different numbers of cells"] : []
  }

  private static func lineViolations(_ text: [UInt8], _ check: (JSONValue) -> [String]) -> [String] {
    guard text.isEmpty || text.last == UInt8(ascii: "\n") else { return ["the last line does not end"] }
    return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().flatMap {
      line -> [String] in
      guard let value = try? JSONParser.parse(Array(line)) else { return ["a line is not JSON"] }
      return check(value)
    }
  }

  /// RFC 5545, section 3.1: lines of at most 75 bytes that end with CR LF, and components that end in their order.
  private static func calendarViolations(_ text: [UInt8]) -> [String] {
    let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
    guard lines.last == "", lines.first == "BEGIN:VCALENDAR" else { return ["no calendar"] }
    var open: [String] = []
    for line in lines.dropLast() {
      if line.utf8.count > 75 || line.contains(where: { $0 == "\n" || $0 == "\r" }) {
        return ["a line is too long or broken"]
      }
      if line.hasPrefix("BEGIN:") { open.append(String(line.dropFirst(6))) }
      if line.hasPrefix("END:"), open.popLast() != String(line.dropFirst(4)) { return ["another END"] }
    }
    return open.isEmpty ? [] : ["\(open) does not end"]
  }

  /// The HTML standard, section 9.2: blocks that end with an empty line; those with a name have an id and one line of data, but
  /// for timers, which have no place in the log.
  private static func eventViolations(_ text: [UInt8], _ check: (JSONValue) -> [String]) -> [String] {
    guard let events = EventReader.events(of: text) else { return ["no stream of events"] }
    return events.flatMap { event -> [String] in
      guard let name = event.name else { return event.data == nil ? [] : ["data without a name"] }
      guard let data = event.data else { return ["\(name) has no data"] }
      guard let id = event.id else { return name == "timer" ? check(data) : ["\(name) has no id"] }
      let number = data["sequence"] ?? data["nextAfter"]
      let epoch = data["epoch"]?.string ?? event.epoch
      return check(data)
        + (number == .integer(id) && epoch == event.epoch
          ? [] : ["the id of \(name) is \(id), not its place"])
    }
  }
}
