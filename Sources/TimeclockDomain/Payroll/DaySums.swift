/// The planned, credited, owed and worked time of one date, or of several together. All but `usedDays` are seconds.
package struct DaySums: Hashable, Sendable {
  /// All that the schedule has for the date; `holiday`, `absence` and `target` together.
  package var planned: Int64 = 0
  /// The part of `planned` that is free as a holiday.
  package var holiday: Int64 = 0
  /// The part of `planned` that absences took, by kind.
  package var taken = TakenSeconds()
  /// The part of `planned` that the member owes.
  package var target: Int64 = 0
  /// The paid work of the date, as reports count it.
  package var paid: Int64 = 0
  /// The adjustments of the balance dated this day; may be negative.
  package var adjustment: Int64 = 0
  /// The days that are used of the entitlement, in ten-thousandths: each date's part is rounded by itself.
  package var usedDays: Int64 = 0

  package init() {}

  /// The part of `planned` that absences took.
  package var absence: Int64 { taken.all }

  /// The time that is paid as if it had been worked: holidays, and the absences of credited kinds.
  package var credited: Int64 { holiday + taken.credited }

  /// The change of the member's account: credits are in it as a smaller target, and are not added again.
  package var balance: Int64 { paid - target + adjustment }

  package static func += (sums: inout DaySums, other: DaySums) {
    sums.planned += other.planned
    sums.holiday += other.holiday
    sums.taken += other.taken
    sums.target += other.target
    sums.paid += other.paid
    sums.adjustment += other.adjustment
    sums.usedDays += other.usedDays
  }
}
