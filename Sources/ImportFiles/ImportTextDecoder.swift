/// Turns a file's bytes into UTF-8, piece by piece.
///
/// The byte order mark shows UTF-16; all other text is UTF-8, or Windows-1252 if `EncodingSurvey` says so. Bytes that
/// are no text in the encoding become a byte that is no UTF-8, so that their row is refused and no other.
struct ImportTextDecoder: Sendable {
  private enum Form {
    /// The first bytes, which may be a byte order mark.
    case unknown([UInt8])
    case bytes
    case utf16(isBigEndian: Bool)
  }

  private let isWindows1252: Bool
  private var form = Form.unknown([])
  /// The first byte of a unit of UTF-16 whose second one has not come.
  private var half: UInt8?
  /// The first unit of a pair.
  private var highSurrogate: UInt16?

  /// A byte that stands in no UTF-8.
  private static let noText: UInt8 = 0xFF

  init(isWindows1252: Bool) {
    self.isWindows1252 = isWindows1252
  }

  /// Returns the UTF-8 of a piece of the file.
  mutating func read(_ bytes: some Collection<UInt8>) -> [UInt8] {
    switch form {
    case .bytes: return decoded(bytes)
    case .utf16(let isBigEndian): return decodedUTF16(bytes, isBigEndian: isBigEndian)
    case .unknown(let beginning):
      let beginning = beginning + bytes
      guard beginning.count >= 2 else {
        form = .unknown(beginning)
        return []
      }
      switch (beginning[0], beginning[1]) {
      case (0xFE, 0xFF): form = .utf16(isBigEndian: true)
      case (0xFF, 0xFE): form = .utf16(isBigEndian: false)
      default:
        form = .bytes
        return read(beginning)
      }
      return read(beginning.dropFirst(2))
    }
  }

  /// Returns the UTF-8 of the rest of the file.
  mutating func finish() -> [UInt8] {
    if case .unknown(let beginning) = form {
      form = .bytes
      return decoded(beginning)
    }
    let isCut = half != nil || highSurrogate != nil
    return isCut ? [Self.noText] : []
  }

  private func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard isWindows1252 else { return Array(bytes) }
    var text: [UInt8] = []
    for byte in bytes {
      let scalar = Windows1252.scalar(byte)
      if let scalar { text += Array(String(scalar).utf8) } else { text.append(Self.noText) }
    }
    return text
  }

  private mutating func decodedUTF16(_ bytes: some Collection<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      decode(UInt16(high) << 8 | UInt16(low), into: &text)
    }
    return text
  }

  private mutating func decode(_ unit: UInt16, into text: inout [UInt8]) {
    let high = highSurrogate
    highSurrogate = nil
    if let high {
      if UTF16.isTrailSurrogate(unit) {
        let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        if let scalar = Unicode.Scalar(value) { text += Array(String(scalar).utf8) }
        return
      }
      text.append(Self.noText)
    }
    if UTF16.isLeadSurrogate(unit) {
      highSurrogate = unit
    } else if let scalar = Unicode.Scalar(unit) {
      text += Array(String(scalar).utf8)
    } else {
      text.append(Self.noText)
    }
  }
}

/// The encoding of old Windows programs for the languages of Western Europe, as the WHATWG Encoding Standard indexes it.
enum Windows1252 {
  /// The characters from 0x80 to 0x9F; five of the bytes are none.
  private static let special: [Unicode.Scalar?] = [
    "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
    nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
  ]

  /// Returns the character of a byte; nil if it has none.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
    (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }
}

/// Determines whether a file without a byte order mark is UTF-8 or Windows-1252.
///
/// It is Windows-1252 if it has bytes that are not UTF-8, and not one character beyond ASCII that is: text of Windows-1252
/// gives such a character by chance only. A file of UTF-8 with a broken row remains UTF-8, and only that row is refused.
struct EncodingSurvey: Sendable {
  private var hasCharacters = false
  private var hasFaults = false
  /// The bytes that the character still lacks, and the values that the next one may have.
  private var missing = 0
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  mutating func read(_ bytes: some Collection<UInt8>) {
    for byte in bytes where missing > 0 || byte >= 0x80 { note(byte) }
  }

  /// Whether the text is Windows-1252, according to all that was read.
  var isWindows1252: Bool { (hasFaults || missing > 0) && !hasCharacters }

  private mutating func note(_ byte: UInt8) {
    if missing > 0 {
      if allowed.contains(byte) {
        missing -= 1
        allowed = 0x80...0xBF
        if missing == 0 { hasCharacters = true }
        return
      }
      hasFaults = true
      missing = 0
    }
    allowed = 0x80...0xBF
    switch byte {
    case 0..<0x80: break
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    case 0xF1...0xF3: missing = 3
    default: hasFaults = true
    }
  }
}
