/// A check of UTF-8 that comes in pieces (RFC 3629, section 4): no overlong forms, no surrogates, nothing beyond U+10FFFF.
struct UTF8Progress: Sendable {
  /// The bytes that the character begun still lacks.
  private var missing = 0
  private var least: UInt8 = 0x80
  private var greatest: UInt8 = 0xBF

  /// Whether the text may end here.
  var isWhole: Bool { missing == 0 }

  /// Takes the next byte; false for one that cannot stand here in any text.
  mutating func take(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard (least...greatest).contains(byte) else { return false }
      missing -= 1
      (least, greatest) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, least) = (2, 0xA0)
    case 0xED: (missing, greatest) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, least) = (3, 0x90)
    case 0xF4: (missing, greatest) = (3, 0x8F)
    case 0xF1...0xF3: missing = 3
    default: return false
    }
    return true
  }
}
