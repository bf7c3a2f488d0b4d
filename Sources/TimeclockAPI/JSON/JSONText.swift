import TimeclockDomain

/// Room for a piece of JSON whose longest form is known, filled through a pointer: an array checks its owner and its room
/// with every append, and a list of entries has thousands of them.
struct JSONText {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    self.room = room
  }

  /// What has been written so far.
  var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }

  /// Writes text that is JSON already.
  mutating func literal(_ text: StaticString) {
    copy(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a string of which nothing has to be escaped.
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

  private mutating func copy(_ text: UnsafeBufferPointer<UInt8>) {
    take(text.count) { _ = $0.update(fromContentsOf: text) }
  }

  /// Gives the next places away. Where there are none, which is a mistake of whoever said how long it can get, nothing is
  /// written.
  @inline(__always)
  private mutating func take(_ length: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    guard length <= room.count - count else { return assertionFailure("no room for \(length) bytes") }
    fill(UnsafeMutableBufferPointer(rebasing: room[count..<(count + length)]))
    count += length
  }
}

extension JSONWriter {
  /// Appends a piece of JSON, commas included, of `capacity` bytes at most; what is written next has no comma before it.
  mutating func text(atMost capacity: Int, _ write: (inout JSONText) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { room in
      var text = JSONText(room)
      write(&text)
      append(text.written)
    }
  }
}
