import TimeclockDomain

/// A piece of JSON, written through a pointer into memory of the likely length. An array would check its owner and its
/// capacity at every append, and a list of entries takes thousands of appends.
struct JSONText {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  /// The bytes that were moved out when the memory was full; the piece begins with them.
  private var moved: [UInt8] = []

  init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    self.room = room
  }

  /// The length so far.
  var length: Int { moved.count + count }

  /// Appends the piece to the writer's bytes.
  func append(to writer: inout JSONWriter) {
    if !moved.isEmpty { moved.withUnsafeBufferPointer { writer.append($0) } }
    writer.append(UnsafeBufferPointer(rebasing: room[..<count]))
  }

  /// Writes text that is JSON already. Inlined, the length is known, and the copy takes a few instructions.
  @inline(__always)
  mutating func literal(_ text: StaticString) {
    copy(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a string that needs no escapes.
  mutating func plain(_ text: String) {
    literal("\"")
    var text = text
    text.withUTF8 { copy($0) }
    literal("\"")
  }

  mutating func identifier<Subject>(_ value: Identifier<Subject>?) {
    guard let value else { return literal("null") }
    quoted(36) { value.write(to: $0) }
  }

  mutating func instant(_ value: Instant?) {
    guard let value else { return literal("null") }
    quoted(24) { value.writeRFC3339(to: $0) }
  }

  mutating func date(_ value: LocalDate) {
    quoted(10) { value.writeISO8601(to: $0) }
  }

  /// Writes a number that is not negative.
  mutating func integer(_ value: Int64) {
    var digits = 1
    var rest = value.magnitude
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    take(digits) { places in
      var rest = value.magnitude
      for place in places.indices.reversed() {
        places[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  private mutating func quoted(_ length: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    take(length + 2) { places in
      places[0] = UInt8(ascii: "\"")
      write(UnsafeMutableBufferPointer(rebasing: places[1...length]))
      places[length + 1] = UInt8(ascii: "\"")
    }
  }

  @inline(__always)
  private mutating func copy(_ text: UnsafeBufferPointer<UInt8>) {
    guard let bytes = text.baseAddress else { return }
    take(text.count) {
      UnsafeMutableRawBufferPointer($0).baseAddress?.copyMemory(from: bytes, byteCount: text.count)
    }
  }

  /// Lets a closure fill all of the next bytes.
  @inline(__always)
  private mutating func take(_ length: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    guard length <= room.count - count else { return takeBeyond(length, fill) }
    fill(UnsafeMutableBufferPointer(rebasing: room[count..<(count + length)]))
    count += length
  }

  /// Does the same if the memory is too short: moves the bytes that are written out of it.
  @inline(never)
  private mutating func takeBeyond(_ length: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    moved.append(contentsOf: room[..<count])
    count = 0
    moved += [UInt8](unsafeUninitializedCapacity: length) { places, filled in
      fill(UnsafeMutableBufferPointer(rebasing: places[..<length]))
      filled = length
    }
  }
}

extension JSONWriter {
  /// Appends a piece of JSON, commas included; the next value has no comma before it.
  ///
  /// - Parameter length: The likely greatest number of bytes. A longer piece costs allocations.
  mutating func text(likely length: Int, _ write: (inout JSONText) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { room in
      var text = JSONText(room)
      write(&text)
      text.append(to: &self)
    }
  }
}
