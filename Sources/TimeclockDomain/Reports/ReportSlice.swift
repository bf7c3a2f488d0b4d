/// The contribution of an entry to one date that was for one thing: a segment's, or that of the time between segments. All of an
/// entry on one date is a part.
package struct ReportSlice {
  /// The entry's place among all.
  package var entry: Int
  /// The segment's place among all; nil for time without one.
  var segment: Int?
  var kind: Kind
  var date: LocalDate
  var start: Instant
  var end: Instant
  var seconds: Int64
  /// Whether it ends with an active entry's running end.
  var isRunning: Bool
  /// Whether another slice of the entry may come later, with slices of other entries between them.
  var mayComeAgain = false
  /// The part of `seconds` that a break would have taken.
  package var deductedSeconds: Int64 = 0
  /// Whether something of its part was deducted.
  package var lacksBreak = false
  var dailyOvertimeSeconds: Int64 = 0
  var weeklyOvertimeSeconds: Int64 = 0
  /// `paidSeconds` as the report rounds them, if it does.
  var roundedSeconds: Int64 = 0

  enum Kind {
    case nothing, work, paidBreak, unpaidBreak
  }

  var isBreak: Bool { kind == .paidBreak || kind == .unpaidBreak }
  var paidSeconds: Int64 { kind == .unpaidBreak ? 0 : seconds - deductedSeconds }

  func isOfPart(of other: ReportSlice) -> Bool { entry == other.entry && date == other.date }
}

extension ReportSegments {
  func kind(_ segment: Int?) -> ReportSlice.Kind {
    guard let segment else { return .nothing }
    guard self[segment].breakType != nil else { return .work }
    return self[segment].isPaid ? .paidBreak : .unpaidBreak
  }
}
