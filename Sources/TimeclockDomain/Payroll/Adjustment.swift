/// The public id of an adjustment.
package typealias AdjustmentID = Identifier<Adjustment>

/// Seconds that are added to a member's balance on a date, or taken from it, for a reason. It never changes.
package struct Adjustment: ShapedRecord {
  package enum Kind: String, CaseIterable, Sendable {
    /// A balance that was there before the service.
    case opening
    /// Time that was paid out.
    case payout
    /// Time beyond what a balance may be: booked as time is locked, and taken back as it is unlocked, by nobody else.
    case cap
    case correction
  }

  package var head: Head<Adjustment>
  /// The member; none only before the record is filled.
  package var userID: UserID?
  package var date = LocalDate.earliest
  /// Not 0, within `DatedSeconds.adjustmentBounds`.
  package var seconds: Int64 = 0
  package var kind = Kind.correction
  /// Nil of caps, and once the member is anonymized.
  package var reason: String?

  package init(head: Head<Adjustment>) {
    self.head = head
  }

  package static let shape = Shape<Adjustment>(
    .adjustment, list: "adjustments", owner: .member(\.userID),
    fields: [
      .date("date", \.date, onCreate: .requiredAndFixed),
      .number("seconds", \.seconds, onCreate: .requiredAndFixed, rule: validated(seconds:)),
      .choice("kind", \.kind, onCreate: .requiredAndFixed),
      .optionalText("reason", \.reason, onCreate: .requiredAndFixed, isPersonal: true) {
        guard let reason = try Reason.sanitized($0) else { throw TimeclockError.reasonRequired }
        return reason.text
      },
    ])

  package static let limit = RecordLimit(2_000, orThrow: .tooManyAdjustments)

  private static func validated(seconds: Int64) throws -> Int64 {
    guard seconds != 0, DatedSeconds.adjustmentBounds.contains(seconds) else {
      throw TimeclockError.invalidAdjustment
    }
    return seconds
  }
}

extension TimeclockError {
  package static let invalidAdjustment = TimeclockError.plain(
    PlainRefusal(
      "invalid_adjustment", against: .rule,
      "An adjustment has 1 to \(DatedSeconds.adjustmentBounds.upperBound) seconds, or as many less than 0."))

  package static let capNotByHand = TimeclockError.plain(
    PlainRefusal(
      "cap_not_by_hand", against: .rule,
      "An adjustment of the kind cap is made when time is locked, and taken back when it is unlocked."))

  package static let noSchedule = TimeclockError.plain(
    PlainRefusal(
      "no_schedule", against: .rule, "The member has no work schedule on this date, and so no balance."))

  package static let tooManyAdjustments = TimeclockError.plain(
    PlainRefusal("too_many_adjustments", against: .state, "A member has at most 2000 adjustments."))
}
