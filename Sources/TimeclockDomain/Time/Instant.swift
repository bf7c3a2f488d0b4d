/// A point in time: milliseconds since 1970-01-01T00:00:00Z, as POSIX counts them (no leap seconds).
package struct Instant: Hashable, Sendable {
  /// Milliseconds; negative before 1970.
  package var millisecondsSince1970: Int64

  /// An instant; every number is one, though text only reaches from `earliest` to `latest`.
  package init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// 1900-01-01T00:00:00.000Z, the first instant that text can state.
  package static let earliest = Instant(millisecondsSince1970: -2_208_988_800_000)

  /// 9999-12-31T23:59:59.999Z, the last instant that text can state.
  package static let latest = Instant(millisecondsSince1970: 253_402_300_799_999)

  /// The instant this many milliseconds later (earlier when negative); stops at the ends of `Int64`.
  package func adding(milliseconds: Int64) -> Instant {
    let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
    guard overflow else { return Instant(millisecondsSince1970: sum) }
    return Instant(millisecondsSince1970: milliseconds < 0 ? .min : .max)
  }

  /// Milliseconds from `earlier` to this instant, negative when it is later; stops at the ends of `Int64`.
  package func milliseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = millisecondsSince1970.subtractingReportingOverflow(
      earlier.millisecondsSince1970)
    guard overflow else { return difference }
    return self < earlier ? .min : .max
  }
}

extension Instant: Comparable {
  /// Whether the left instant comes first.
  package static func < (left: Instant, right: Instant) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
