/// Percent-encoding (RFC 3986, section 2.1).
///
/// Foundation could decode it (`removingPercentEncoding`), but this module imports no library, so that its parsers can be
/// fuzzed alone, and a request target is bytes, which would first have to become a `String`.
package enum PercentEncoding {
  /// Whether the `%` at `position` is followed by two hexadecimal digits before `end`.
  static func isValid(_ bytes: Span<UInt8>, at position: Int, to end: Int) -> Bool {
    end - position >= 3 && ASCII.hexadecimalDigit(bytes[position + 1]) != nil
      && ASCII.hexadecimalDigit(bytes[position + 2]) != nil
  }

  /// The text that the bytes say; nil when an escape is malformed or the result is not UTF-8.
  package static func decode(_ encoded: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var iterator = encoded.makeIterator()
    while let byte = iterator.next() {
      guard byte == ASCII.percent else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(ASCII.hexadecimalDigit),
        let low = iterator.next().flatMap(ASCII.hexadecimalDigit)
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
