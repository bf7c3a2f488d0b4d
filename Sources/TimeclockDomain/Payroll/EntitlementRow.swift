/// The days off that a member is entitled to in one year, in ten-thousandths of a day.
package struct EntitlementRow: Hashable, Sendable {
  package var year: Int
  /// The days of the year itself, within `daysBounds`.
  package var days: Int64
  /// The days left of earlier years, within `carriedBounds`; negative if more were used then than there were.
  package var carriedDays: Int64
  /// The last date on which carried days can be used; nil if they do not expire.
  package var carriedExpires: LocalDate?

  package init(year: Int, days: Int64, carriedDays: Int64 = 0, carriedExpires: LocalDate? = nil) {
    self.year = year
    self.days = days
    self.carriedDays = carriedDays
    self.carriedExpires = carriedExpires
  }

  /// 0 to 366 days.
  package static let daysBounds: ClosedRange<Int64> = 0...3_660_000
  /// 366 days either way.
  package static let carriedBounds: ClosedRange<Int64> = -3_660_000...3_660_000
}
