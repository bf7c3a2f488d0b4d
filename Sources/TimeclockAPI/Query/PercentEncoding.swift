/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
  /// The text that the bytes say; nil when an escape is malformed or the result is not UTF-8.
  static func decode(_ encoded: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var iterator = encoded.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(value), let low = iterator.next().flatMap(value) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func value(ofHexDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
