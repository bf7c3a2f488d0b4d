import TimeclockDomain

/// A JSON object that is being written.
struct SnapshotObject {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  init() {
    bytes.reserveCapacity(512)
  }

  /// The whole object.
  consuming func text() -> String {
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func add<Subject>(_ name: StaticString, _ value: Identifier<Subject>) {
    begin(name)
    append(value)
  }

  mutating func add<Subject>(_ name: StaticString, _ values: [Identifier<Subject>]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (number, value) in values.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append<Subject>(_ value: Identifier<Subject>) {
    bytes.append(UInt8(ascii: "\""))
    value.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func add(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    begin(name)
    bytes.append(decimal: value)
  }

  mutating func add(_ name: StaticString, _ values: [Int64]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (number, value) in values.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(decimal: value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func add(_ name: StaticString, _ value: Bool) {
    begin(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func add(_ name: StaticString, _ value: String?) {
    guard var value else { return }
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8 { text in
      if text.contains(where: Self.isEscaped) {
        for byte in text { appendEscaped(byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20: bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
    default: bytes.append(byte)
    }
  }

  /// Names are plain ASCII words.
  @inline(__always)
  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }
}
