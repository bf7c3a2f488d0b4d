/// The public id of one kind of thing: a UUID of version 7 (RFC 9562, section 5.7), opaque to clients.
///
/// `Subject` is the kind, so that an id of one kind cannot be passed for another.
package struct Identifier<Subject>: Hashable, Sendable {
  /// The first 64 bits.
  package let high: UInt64
  /// The last 64 bits.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the only form this service writes: 36 characters, lower-case hexadecimal digits, hyphens, with the
  /// version and the variant of RFC 9562.
  ///
  /// Nil for any other text, upper case included: an id has one spelling.
  package init?(_ text: String) {
    var text = text
    guard let identifier = text.withUTF8(Identifier.init(utf8:)) else { return nil }
    self = identifier
  }

  private init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for position in 0..<36 {
      let byte = text[position]
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.value(ofHexDigit: byte) else { return nil }
      if position < 18 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
    }
    let isVersion7 = halves.0 >> 12 & 0xF == 7 && halves.1 >> 62 == 0b10
    guard isVersion7 else { return nil }
    self.init(high: halves.0, low: halves.1)
  }

  /// The id as 36 ASCII characters.
  package var text: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(to: buffer)
      return 36
    }
  }

  /// Appends the id as 36 ASCII characters.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
      write(to: buffer)
      bytes.append(contentsOf: buffer)
    }
  }

  /// Fills the 36 places of `buffer`.
  private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    var position = 0
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
        buffer[position] = UInt8(ascii: "-")
        position += 1
      }
      let half = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15)) & 15)
      buffer[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
      position += 1
    }
  }

  private static func value(ofHexDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

extension Identifier: CustomStringConvertible {
  package var description: String { text }
}

/// The public id of an organisation.
package typealias OrganizationID = Identifier<Organization>
/// The public id of a person, the same in every organisation the person belongs to.
package typealias UserID = Identifier<User>
/// The public id of a time entry.
package typealias TimeEntryID = Identifier<TimeEntry>
/// The public id of an API token; not the token itself.
package typealias ApiTokenID = Identifier<ApiToken>
/// The public id of a session.
package typealias SessionID = Identifier<Session>
