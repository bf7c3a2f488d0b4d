/// The planned, owed and worked time of members, and their accounts.
package struct BalanceReport: Sendable {
  /// The latest date that is over for one of the members.
  package var countedThrough: LocalDate
  package var grouping: BalanceGrouping
  /// By the members' names, then by their ids, then by date. Members without a schedule have none.
  package var rows: [BalanceReportRow]
  /// The sums of all rows; of dates to come, of their plan alone.
  package var totals: DaySums
  /// The sum of the balances of all rows but those of dates to come, in seconds.
  package var totalBalance: Int64
  /// Whether a reader sees the credited part of absences, which tells paid ones from others.
  package var areCreditsShown = true
}

/// Some dates of one member together.
package struct BalanceReportRow: Sendable {
  package var person: ReportedPerson
  /// The part of the range that the row is about; nil for all of it.
  package var period: ReportValue?
  package var sums: DaySums
  /// The member's account after the last date of the row, in seconds; nil if the date is still to come or goes on, and
  /// nothing of it counts yet but its plan.
  package var carried: Int64?
}

/// The dates that one row of a balance is about.
package enum BalanceGrouping: String, CaseIterable, Sendable {
  /// All of the range.
  case user
  case month = "user,month"
  /// Weeks of ISO 8601.
  case week = "user,week"
  case day = "user,day"

  /// The last date of the row that a date is in; nil for a row of all dates.
  func lastDate(with date: LocalDate) -> LocalDate? {
    switch self {
    case .user: nil
    case .month: date.endOfMonth
    case .week: date.startOfWeek(beginning: .monday).adding(days: 6)
    case .day: date
    }
  }

  /// The name of the row that a date is in.
  func period(of date: LocalDate) -> ReportValue? {
    switch self {
    case .user: nil
    case .month: .month(year: date.year, month: date.month)
    case .week: .week(ISOWeek(date))
    case .day: .day(date)
    }
  }
}

/// A client's request for balances.
package struct BalanceRequest: Sendable {
  /// Inclusive.
  package var startDate: LocalDate
  package var endDate: LocalDate
  package var grouping: BalanceGrouping
  /// Whether rows of single dates go on after the last one that is over.
  package var includesFuture: Bool
  /// If none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  /// The instant at which dates are over or not; nil for the present.
  package var asOf: Instant?

  package init(
    startDate: LocalDate, endDate: LocalDate, grouping: BalanceGrouping = .user, includesFuture: Bool = false,
    members: WantedMembers = WantedMembers(), asOf: Instant? = nil
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.grouping = grouping
    self.includesFuture = includesFuture
    self.members = members
    self.asOf = asOf
  }
}
