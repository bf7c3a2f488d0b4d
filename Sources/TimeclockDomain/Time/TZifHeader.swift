/// The header before each data block of a TZif file (RFC 9636, section 3.1).
struct TZifHeader {
  /// 1 to 4.
  var version: Int
  var universalIndicatorCount: Int
  var standardIndicatorCount: Int
  var leapSecondCount: Int
  var transitionCount: Int
  var typeCount: Int
  var designationByteCount: Int

  /// The length of the data block that follows, when a time takes `timeByteCount` bytes.
  func dataByteCount(timeByteCount: Int) -> Int {
    // Each count fits 32 bits, so the sum fits an Int.
    transitionCount * (timeByteCount + 1) + typeCount * 6 + designationByteCount
      + leapSecondCount * (timeByteCount + 4) + standardIndicatorCount + universalIndicatorCount
  }
}

extension BigEndianReader {
  /// Reads a header; nil when the magic number, the version or the counts are not as the RFC wants them.
  mutating func readTZifHeader() -> TZifHeader? {
    guard let magic = take(4), magic.elementsEqual("TZif".utf8),
      let version = byte().flatMap(versionNumber), skip(15),
      let universal = uint32(), let standard = uint32(), let leapSeconds = uint32(),
      let transitions = uint32(), let types = uint32(), let designations = uint32(),
      universal == 0 || universal == types, standard == 0 || standard == types,
      types >= 1, types <= 256, designations >= 1
    else { return nil }
    return TZifHeader(
      version: version, universalIndicatorCount: Int(universal), standardIndicatorCount: Int(standard),
      leapSecondCount: Int(leapSeconds), transitionCount: Int(transitions), typeCount: Int(types),
      designationByteCount: Int(designations))
  }
}

private func versionNumber(_ byte: UInt8) -> Int? {
  switch byte {
  case 0: 1
  case UInt8(ascii: "2")...UInt8(ascii: "4"): Int(byte - UInt8(ascii: "0"))
  default: nil
  }
}
