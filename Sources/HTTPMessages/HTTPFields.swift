/// Header fields in the order in which they arrived or will be sent (RFC 9110, section 5).
///
/// All names and values are in one array of bytes, so that a request's head costs two allocations
/// and a field becomes a `String` only on demand. Names compare without regard to ASCII case.
package struct HTTPFields: Sendable {
  /// The places of one field's name and value in `bytes`.
  struct Entry: Sendable {
    var nameStart: Int32
    var nameEnd: Int32
    var valueStart: Int32
    var valueEnd: Int32
  }

  var bytes: [UInt8]
  var entries: [Entry]
  /// Whether `bytes` are valid field lines, each with its CR LF, and none of them is reserved for the response writer.
  /// Then a response's fields are written with one copy and without another check.
  private(set) var isWireForm: Bool

  /// Makes a list without fields.
  package init() {
    bytes = []
    entries = []
    isWireForm = true
  }

  /// Makes the fields at `entries` in `bytes`, for the parser, which already has both.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
    isWireForm = false
  }

  /// The number of field lines.
  package var count: Int { entries.count }

  /// Adds a field line. Neither part may hold CR, LF or NUL; the response writer refuses such a field.
  package mutating func append(_ name: String, _ value: String) {
    if entries.isEmpty {
      // As many bytes as most responses need, so that the array does not grow step by step.
      bytes.reserveCapacity(256)
      entries.reserveCapacity(8)
    }
    let nameStart = bytes.count
    bytes.append(contentsOf: name.utf8)
    let nameEnd = bytes.count
    bytes.append(": ")
    let valueStart = bytes.count
    bytes.append(contentsOf: value.utf8)
    let valueEnd = bytes.count
    bytes.append("\r\n")
    let entry = Entry(
      nameStart: Int32(truncatingIfNeeded: nameStart), nameEnd: Int32(truncatingIfNeeded: nameEnd),
      valueStart: Int32(truncatingIfNeeded: valueStart), valueEnd: Int32(truncatingIfNeeded: valueEnd))
    entries.append(entry)
    isWireForm = isWireForm && isValid(entry) && !isReserved(entry)
  }

  /// Returns the value of the first field with this name.
  package subscript(_ name: StaticString) -> String? {
    for entry in entries where isNamed(entry, name) {
      return value(of: entry)
    }
    return nil
  }

  /// Counts the fields with this name.
  package func count(of name: StaticString) -> Int {
    entries.reduce(0) { isNamed($1, name) ? $0 + 1 : $0 }
  }

  /// Returns the values of all fields with this name, in order.
  package func values(of name: StaticString) -> [String] {
    entries.filter { isNamed($0, name) }.map(value(of:))
  }

  /// All fields, in order, as text.
  package var lines: [(name: String, value: String)] {
    entries.map { entry in
      (
        String(decoding: bytes[Int(entry.nameStart)..<Int(entry.nameEnd)], as: UTF8.self),
        value(of: entry)
      )
    }
  }

  /// Whether the entry has this name. ASCII letters compare without regard to case, all other bytes exactly.
  func isNamed(_ entry: Entry, _ name: StaticString) -> Bool {
    let start = Int(entry.nameStart)
    guard Int(entry.nameEnd) - start == name.utf8CodeUnitCount else { return false }
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for offset in 0..<wanted.count
    where ASCII.lowercased(bytes[start + offset]) != ASCII.lowercased(wanted[offset]) {
      return false
    }
    return true
  }

  private func value(of entry: Entry) -> String {
    String(decoding: bytes[Int(entry.valueStart)..<Int(entry.valueEnd)], as: UTF8.self)
  }
}
