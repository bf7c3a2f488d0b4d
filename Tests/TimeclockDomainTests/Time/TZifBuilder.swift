/// Writes TZif files (RFC 9636) that no compiler would, to test the reader.
struct TZifBuilder {
  var magic = "TZif"
  var version = "2"
  /// Seconds since 1970, and the index of the type from then on.
  var transitions: [(time: Int64, type: UInt8)] = []
  /// Seconds east of UTC, whether daylight saving time, and the place of the designation.
  var types: [(offset: Int32, isDaylightSaving: UInt8, designation: UInt8)] = [(3600, 0, 0)]
  var designations = "XXX\0"
  var leapSeconds: [(time: Int64, correction: Int32)] = []
  var footer = "\n\n"

  var bytes: [UInt8] {
    guard version != "\0" else { return header + block(timeByteCount: 4) }
    return header + block(timeByteCount: 4) + header + block(timeByteCount: 8) + Array(footer.utf8)
  }

  private var header: [UInt8] {
    let counts = [0, 0, leapSeconds.count, transitions.count, types.count, designations.utf8.count]
    return Array(magic.utf8) + Array(version.utf8) + Array(repeating: 0, count: 15)
      + counts.flatMap { bigEndian(UInt32($0)) }
  }

  private func block(timeByteCount: Int) -> [UInt8] {
    var bytes = transitions.flatMap { time($0.time, byteCount: timeByteCount) }
    bytes += transitions.map(\.type)
    for type in types {
      bytes += bigEndian(UInt32(bitPattern: type.offset)) + [type.isDaylightSaving, type.designation]
    }
    bytes += Array(designations.utf8)
    for leap in leapSeconds {
      bytes += time(leap.time, byteCount: timeByteCount) + bigEndian(UInt32(bitPattern: leap.correction))
    }
    return bytes
  }

  private func time(_ time: Int64, byteCount: Int) -> [UInt8] {
    Array(bigEndian(UInt64(bitPattern: time)).suffix(byteCount))
  }

  private func bigEndian(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
