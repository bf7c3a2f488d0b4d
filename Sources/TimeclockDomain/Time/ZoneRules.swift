/// The changes of a zone's offset from UTC: a list of transitions, and a yearly rule for the time after them.
struct ZoneRules: Equatable, Sendable {
  /// Seconds since 1970, strictly ascending.
  let transitions: [Int64]
  /// Seconds east of UTC: before the first transition, then from each one on; one more than `transitions`.
  let offsets: [Int32]
  /// The rule from the last transition on, or for all time when there is none; nil leaves the last offset in force.
  let tail: POSIXTimeZone?
  /// No offset of the zone is greater.
  let greatestOffset: Int32

  /// Rules from their parts; nil unless times ascend and there is one offset more than transitions.
  init?(transitions: [Int64], offsets: [Int32], tail: POSIXTimeZone?) {
    guard offsets.count == transitions.count + 1,
      zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.transitions = transitions
    self.offsets = offsets
    self.tail = tail
    let tailOffsets = [tail?.standardOffset, tail?.daylightSaving?.offset].compactMap(\.self)
    greatestOffset = (offsets + tailOffsets).max() ?? 0
  }

  /// Seconds east of UTC at a time in seconds since 1970.
  func offset(at seconds: Int64) -> Int32 {
    let passed = transitionCount(upTo: seconds)
    if passed == transitions.count, let tail { return tail.offset(at: seconds) }
    return offsets[passed]
  }

  /// The first change of the offset, or of the rule, after a time; both in seconds since 1970.
  func firstChange(after seconds: Int64) -> Int64? {
    let passed = transitionCount(upTo: seconds)
    return passed < transitions.count ? transitions[passed] : tail?.firstChange(after: seconds)
  }

  /// The number of transitions at or before a time.
  private func transitionCount(upTo seconds: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
