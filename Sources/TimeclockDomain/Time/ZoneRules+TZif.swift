extension ZoneRules {
  /// Reads a TZif file (RFC 9636) of version 1 to 4.
  ///
  /// - Returns: nil for anything else, for a file cut short, and for one that counts leap seconds, since our
  ///   instants do not.
  init?(tzif bytes: [UInt8]) {
    var reader = BigEndianReader(bytes)
    guard let first = reader.readTZifHeader() else { return nil }
    guard first.version >= 2 else {
      guard let table = reader.readTransitionTable(first, timeByteCount: 4) else { return nil }
      self.init(table, tail: nil)
      return
    }
    // From version 2 on, the data in 32 bits is repeated in 64 bits.
    guard reader.skip(first.dataByteCount(timeByteCount: 4)),
      let second = reader.readTZifHeader(), second.version == first.version,
      let table = reader.readTransitionTable(second, timeByteCount: 8),
      let footer = reader.readFooter()
    else { return nil }
    guard !footer.isEmpty else {
      self.init(table, tail: nil)
      return
    }
    guard let tail = POSIXTimeZone(footer) else { return nil }
    self.init(table, tail: tail)
  }

  private init?(_ table: TransitionTable, tail: POSIXTimeZone?) {
    self.init(transitions: table.times, offsets: table.offsets, tail: tail)
  }
}

/// The transitions of a data block, and the offsets before and after each.
private struct TransitionTable {
  var times: [Int64]
  var offsets: [Int32]
}

extension BigEndianReader {
  /// Reads a data block (RFC 9636, section 3.2) to its end.
  fileprivate mutating func readTransitionTable(
    _ header: TZifHeader, timeByteCount: Int
  ) -> TransitionTable? {
    guard header.leapSecondCount == 0,
      header.dataByteCount(timeByteCount: timeByteCount) <= remaining,
      let times = readTimes(count: header.transitionCount, byteCount: timeByteCount),
      let typeIndexes = take(header.transitionCount),
      let types = readTypes(header),
      let initial = types.first,
      skip(header.designationByteCount + header.standardIndicatorCount + header.universalIndicatorCount)
    else { return nil }
    // Before the first transition type 0 holds (RFC 9636, section 3.2).
    var offsets = [initial]
    for index in typeIndexes {
      guard index < types.count else { return nil }
      offsets.append(types[Int(index)])
    }
    return TransitionTable(times: times, offsets: offsets)
  }

  private mutating func readTimes(count: Int, byteCount: Int) -> [Int64]? {
    var times: [Int64] = []
    for _ in 0..<count {
      guard let time = byteCount == 4 ? int32().map(Int64.init) : int64() else { return nil }
      times.append(time)
    }
    return times
  }

  /// The offsets of the local time types, in seconds east of UTC.
  private mutating func readTypes(_ header: TZifHeader) -> [Int32]? {
    var offsets: [Int32] = []
    for _ in 0..<header.typeCount {
      guard let offset = int32(), let isDaylightSaving = byte(), let designation = byte(),
        // The range that RFC 9636 asks for: more than -25 hours and less than 26 hours.
        offset >= -89_999, offset <= 93_599,
        isDaylightSaving <= 1, Int(designation) < header.designationByteCount
      else { return nil }
      offsets.append(offset)
    }
    return offsets
  }

  /// The text between two new lines (RFC 9636, section 3.3).
  fileprivate mutating func readFooter() -> [UInt8]? {
    guard byte() == UInt8(ascii: "\n") else { return nil }
    var footer: [UInt8] = []
    while let byte = byte() {
      if byte == UInt8(ascii: "\n") { return footer }
      footer.append(byte)
    }
    return nil
  }
}
