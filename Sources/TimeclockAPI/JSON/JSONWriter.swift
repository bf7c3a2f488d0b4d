import TimeclockDomain

/// Writes JSON text straight into bytes.
///
/// `JSONEncoder` takes ten times as long for a list of entries as the database takes to read them.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false
  /// The places of values that change with time alone, in order, such as seconds until now.
  private(set) var runningPlaces: [Range<Int>] = []

  init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// The bytes of one object.
  static func object(capacity: Int = 512, _ writeMembers: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    writer.object(writeMembers)
    return writer.bytes
  }

  /// Takes away the bytes that have been written so far; later ones continue after them.
  mutating func takeBytes() -> [UInt8] {
    defer {
      bytes.removeAll(keepingCapacity: true)
      runningPlaces.removeAll(keepingCapacity: true)
    }
    return bytes
  }

  /// Writes a value that changes while only time passes, behind its name.
  mutating func running(_ write: (inout JSONWriter) -> Void) {
    let start = bytes.count
    write(&self)
    runningPlaces.append(start..<bytes.count)
  }

  /// Notes that the last bytes, from an offset in them on, change while only time passes.
  mutating func noteRunning(_ places: Range<Int>, behind start: Int) {
    runningPlaces.append((start + places.lowerBound)..<(start + places.upperBound))
  }

  mutating func object(_ writeMembers: (inout JSONWriter) -> Void) {
    open("{")
    writeMembers(&self)
    close("}")
  }

  @inline(__always)
  mutating func array<Elements: Sequence>(
    _ elements: Elements, _ writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    open("[")
    for element in elements { writeElement(&self, element) }
    close("]")
  }

  /// Writes a member's name; its value must follow. Names are those of the contract and need no escaping.
  mutating func name(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    // One append, because an array checks its capacity each time.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 4) { buffer in
      buffer[0] = UInt8(ascii: ",")
      buffer[1] = UInt8(ascii: "\"")
      _ = buffer[2...].update(fromContentsOf: UnsafeBufferPointer(start: name.utf8Start, count: count))
      buffer[count + 2] = UInt8(ascii: "\"")
      buffer[count + 3] = UInt8(ascii: ":")
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[(needsComma ? 0 : 1)...]))
    }
    needsComma = false
  }

  /// Writes a member's name that is known at run time alone; its value must follow.
  mutating func name(text: String) {
    string(text)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Appends bytes that are JSON already; the next value has no comma before it.
  mutating func append(_ json: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: json)
    needsComma = false
  }

  /// Writes a value that is JSON already.
  mutating func json(_ value: [UInt8]) {
    separate()
    bytes += value
  }

  mutating func null() {
    raw("null")
  }

  mutating func bool(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  mutating func integer(_ value: Int64) {
    separate()
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { buffer in
      var position = buffer.count
      var rest = value.magnitude
      repeat {
        position -= 1
        buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        position -= 1
        buffer[position] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: buffer[position...])
    }
  }

  /// Writes a part of one, which is a multiple of 1/10000, as a number without an exponent.
  mutating func tenThousandths(_ count: Int64) {
    if count < 0, count > -10_000 {
      separate()
      bytes.append(contentsOf: "-0".utf8)
    } else {
      integer(count / 10_000)
    }
    guard count % 10_000 != 0 else { return }
    var rest = abs(count % 10_000)
    bytes.append(UInt8(ascii: "."))
    while rest > 0 {
      rest *= 10
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10_000))
      rest %= 10_000
    }
  }

  /// Writes a number of thousandths, without an exponent.
  mutating func thousandths(_ count: Int64) {
    separate()
    if count < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(contentsOf: String(count.magnitude / 1_000).utf8)
    var rest = count.magnitude % 1_000
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    while rest > 0 {
      rest *= 10
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 1_000))
      rest %= 1_000
    }
  }

  /// Writes text with the escapes that RFC 8259, section 7 demands.
  mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { content in
      if content.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
        bytes.append(contentsOf: content)
      } else {
        content.forEach { appendEscaped($0) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an object of numbers, by the order of its names' bytes.
  mutating func integers(_ values: [String: Int64]) {
    object { writer in
      for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        writer.name(text: name)
        writer.integer(value)
      }
    }
  }

  mutating func instant(_ value: Instant) {
    quoted { value.appendRFC3339(to: &$0) }
  }

  mutating func date(_ value: LocalDate) {
    quoted { value.appendISO8601(to: &$0) }
  }

  mutating func identifier<Subject>(_ value: Identifier<Subject>) {
    quoted { value.append(to: &$0) }
  }

  private mutating func quoted(_ append: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func raw(_ text: StaticString) {
    separate()
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Opens an object or an array that is written in parts; the caller closes it.
  mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// Ends a line of text in which each line holds one value.
  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case UInt8(ascii: "\n"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
    case UInt8(ascii: "\t"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: Array("\\u00".utf8))
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}

extension JSONWriter {
  /// Writes a name and a value, or null for a missing value.
  mutating func member<Value>(
    _ name: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
  ) {
    self.name(name)
    if let value { write(&self, value) } else { null() }
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    member(name, value) { $0.string($1) }
  }

  mutating func member(_ name: StaticString, _ value: Int64?) {
    member(name, value) { $0.integer($1) }
  }

  /// Writes a name and a value that changes while only time passes if it runs.
  mutating func member(_ name: StaticString, _ value: Int64, runs: Bool) {
    self.name(name)
    if runs { running { $0.integer(value) } } else { integer(value) }
  }

  /// Writes a name and the present time.
  mutating func member(_ name: StaticString, now: Instant) {
    self.name(name)
    running { $0.instant(now) }
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  mutating func member(_ name: StaticString, _ value: Instant?) {
    member(name, value) { $0.instant($1) }
  }

  mutating func member(_ name: StaticString, _ value: LocalDate) {
    self.name(name)
    date(value)
  }

  mutating func member<Subject>(_ name: StaticString, _ value: Identifier<Subject>?) {
    member(name, value) { $0.identifier($1) }
  }

  mutating func array<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array(elements, write)
  }
}
