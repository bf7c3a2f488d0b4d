import Logging
import TimeclockDomain

/// The facts of a line of the log, each with its name, in the order in which they are added.
protocol LogFields {
  mutating func add(_ name: StaticString, _ text: String)
  mutating func add(_ name: StaticString, _ number: Int)
  mutating func add<Tag>(_ name: StaticString, _ id: Identifier<Tag>)
}

/// A line of text: an event, and behind it ` name=value` for each fact. Every request makes one, so it is written as bytes.
struct LogLine: LogFields {
  private var bytes: [UInt8] = []

  init(_ event: String) {
    bytes.reserveCapacity(256)
    append(event)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func add(_ name: StaticString, _ text: String) {
    begin(name)
    append(text)
  }

  mutating func add(_ name: StaticString, _ number: Int) {
    begin(name)
    bytes.appendDecimal(number)
  }

  mutating func add<Tag>(_ name: StaticString, _ id: Identifier<Tag>) {
    begin(name)
    id.append(to: &bytes)
  }

  private mutating func begin(_ name: StaticString) {
    bytes.append(UInt8(ascii: " "))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "="))
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}

/// The facts as swift-log's metadata, for a log whose lines have fields of their own.
struct LogMetadata: LogFields {
  private(set) var metadata: Logger.Metadata = [:]

  mutating func add(_ name: StaticString, _ text: String) {
    metadata["\(name)"] = .string(text)
  }

  mutating func add(_ name: StaticString, _ number: Int) {
    metadata["\(name)"] = .stringConvertible(number)
  }

  mutating func add<Tag>(_ name: StaticString, _ id: Identifier<Tag>) {
    metadata["\(name)"] = .string(id.text)
  }
}
