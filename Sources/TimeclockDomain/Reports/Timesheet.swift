/// The time that each member worked on each date of a pay period.
package struct Timesheet: Sendable {
  package var period: PayPeriod
  package var frame: ReportFrame
  package var rounding: ReportRounding?
  /// The dimension that divides the rows of one person; nil if each has one.
  package var groupBy: ReportDimension?
  /// Every date of the period.
  package var days: [LocalDate]
  /// Of everybody who worked, by name, then by id, then by purpose.
  package var rows: [Row]
  package var totals: Sums
  package var anomalyCounts: [ReportAnomalyCount]
  package var anomalies: [ReportAnomaly]
  package var differences: [ApprovalDifference]

  package struct Row: Sendable {
    package var person: ReportedPerson
    /// The value of `groupBy`.
    package var purpose: ReportValue?
    package var sums: Sums
  }

  /// Whole seconds.
  package struct Sums: Sendable {
    /// One for each date of the period.
    package var days: [Int64]
    package var figures: ReportFigures
  }

  /// A timesheet out of a report by member, maybe purpose, and date, and one by the same without the date.
  package init(period: PayPeriod, byDay: HoursReport, byUser: HoursReport) {
    self.period = period
    frame = byUser.frame
    rounding = byUser.rounding
    groupBy = byUser.groupBy.dropFirst().first
    let first = frame.startDate.daysSince1970
    let days = (first...frame.endDate.daysSince1970).map(LocalDate.init(daysSince1970:))
    self.days = days
    anomalyCounts = byUser.anomalyCounts
    anomalies = byUser.anomalies
    differences = byUser.differences
    let nothing = Sums(days: Array(repeating: 0, count: days.count), figures: ReportFigures())
    totals = nothing
    totals.figures = byUser.totals
    rows = []
    var dayRows = byDay.rows[...]
    for row in byUser.rows {
      guard case .user(let person)? = row.dimensions.first else { continue }
      var sums = nothing
      sums.figures = row.figures
      while let dayRow = dayRows.first, dayRow.dimensions.starts(with: row.dimensions) {
        dayRows.removeFirst()
        guard case .day(let date)? = dayRow.dimensions.last else { continue }
        let place = Int(date.daysSince1970 - first)
        sums.days[place] += dayRow.figures.seconds
        totals.days[place] += dayRow.figures.seconds
      }
      rows.append(Row(person: person, purpose: row.dimensions.dropFirst().first, sums: sums))
    }
  }
}
