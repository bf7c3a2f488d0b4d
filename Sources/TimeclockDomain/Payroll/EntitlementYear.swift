/// The use of one year's entitlement, in ten-thousandths of a day.
///
/// The dates of the year use carried days until these expire, and then the year's own.
package struct EntitlementYear: Hashable, Sendable {
  package let entitlement: EntitlementRow
  /// The days used by all approved absences of the year, those to come included.
  package private(set) var usedDays: Int64 = 0
  /// The days of them that are not carried ones.
  package private(set) var usedOwnDays: Int64 = 0
  /// The further days that would be used if all requested absences that use entitlement were approved.
  package private(set) var requestedDays: Int64 = 0
  /// The carried days that were not used by their last date; 0 until that date is over.
  package private(set) var expiredDays: Int64 = 0

  /// - Parameters:
  ///   - balance: The member's; its schedule and absences count, paid work does not.
  ///   - today: The date on which carried days have expired or have not.
  package init(_ entitlement: EntitlementRow, of balance: MemberBalance, today: LocalDate) {
    self.entitlement = entitlement
    guard let first = LocalDate(year: entitlement.year, month: 1, day: 1),
      let last = LocalDate(year: entitlement.year, month: 12, day: 31)
    else { return }
    let expiry = entitlement.carriedExpires ?? .latest
    var carried = max(0, entitlement.carriedDays)
    for day in balance.days(from: first, through: last) {
      let carriedDays = day.date <= expiry ? min(carried, day.sums.usedDays) : 0
      carried -= carriedDays
      usedDays += day.sums.usedDays
      usedOwnDays += day.sums.usedDays - carriedDays
    }
    if expiry < today { expiredDays = carried }
    requestedDays =
      Self.usedDaysIfApproved(in: balance, from: first, through: last).map { $0 - usedDays } ?? 0
  }

  /// The days that can still be used; negative if more are used than there are.
  package var remainingDays: Int64 {
    entitlement.days + entitlement.carriedDays - usedDays - expiredDays
  }

  /// Whether approved absences use more days than there are for their dates. It can be so while days remain: carried days
  /// are of no use to dates after their last one.
  package var isExceeded: Bool { usedOwnDays > entitlement.days + min(0, entitlement.carriedDays) }

  /// The days used if the requested absences that use entitlement were approved; nil if there are none.
  private static func usedDaysIfApproved(
    in balance: MemberBalance, from first: LocalDate, through last: LocalDate
  ) -> Int64? {
    let isRequested = { (absence: AbsenceRow) in absence.state == .requested && absence.kind.usesEntitlement }
    guard balance.absences.contains(where: isRequested) else { return nil }
    return balance.days(from: first, through: last) { $0.state == .approved || isRequested($0) }
      .reduce(0) { $0 + $1.sums.usedDays }
  }
}
