extension LocalDate {
  /// Reads exactly `YYYY-MM-DD` (`full-date` of RFC 3339, section 5.6); nil for any other text.
  package init?(iso8601 text: some Collection<UInt8>) {
    guard var cursor = ASCIICursor(text, byteLimit: 10),
      let date = cursor.readDate(), cursor.isAtEnd
    else { return nil }
    self = date
  }

  /// Reads exactly `YYYY-MM-DD`; nil for any other text.
  package init?(iso8601 text: String) {
    self.init(iso8601: text.utf8)
  }

  /// The date as `YYYY-MM-DD`: always 10 bytes.
  package var iso8601: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(10)
    appendISO8601(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Fills the first 10 places of `buffer` with `iso8601`.
  package func writeISO8601(to buffer: UnsafeMutableBufferPointer<UInt8>) {
    ASCIIDigits.fill(buffer) { $0.writeDate(self) }
  }

  /// Appends the 10 bytes of `iso8601`.
  package func appendISO8601(to bytes: inout [UInt8]) {
    ASCIIDigits.append(to: &bytes, capacity: 10) { $0.writeDate(self) }
  }
}

extension ASCIICursor {
  /// Reads `YYYY-MM-DD`; nil when it is not there or is no date from 1900 to 9999.
  mutating func readDate() -> LocalDate? {
    guard let year = number(digits: 4), skip(UInt8(ascii: "-")),
      let month = number(digits: 2), skip(UInt8(ascii: "-")),
      let day = number(digits: 2)
    else { return nil }
    return LocalDate(year: year, month: month, day: day)
  }
}
