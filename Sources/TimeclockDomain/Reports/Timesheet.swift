/// The time that each member worked on each date of a pay period.
package struct Timesheet: Sendable {
  package var period: PayPeriod
  package var frame: ReportFrame
  /// Every date of the period.
  package var days: [LocalDate]
  /// Of everybody who worked, by name, then by id.
  package var rows: [Row]
  package var totals: Sums
  package var anomalies: [ReportAnomaly]

  package struct Row: Sendable {
    package var person: ReportedPerson
    package var sums: Sums
  }

  /// Whole seconds.
  package struct Sums: Sendable {
    /// One for each date of the period.
    package var days: [Int64]
    package var figures: ReportFigures
  }

  /// A timesheet out of a report by member and date, which has each member's dates together, and one by member.
  init(period: PayPeriod, byDay: HoursReport, byUser: HoursReport) {
    self.period = period
    frame = byUser.frame
    let first = frame.startDate.daysSince1970
    let days = (first...frame.endDate.daysSince1970).map(LocalDate.init(daysSince1970:))
    self.days = days
    anomalies = byUser.anomalies
    let nothing = Sums(days: Array(repeating: 0, count: days.count), figures: ReportFigures())
    totals = nothing
    totals.figures = byUser.totals
    rows = []
    var dayRows = byDay.rows[...]
    for row in byUser.rows {
      guard case .user(let person)? = row.dimensions.first else { continue }
      var sums = nothing
      sums.figures = row.figures
      while let dayRow = dayRows.first, dayRow.dimensions.first == .user(person) {
        dayRows.removeFirst()
        guard case .day(let date) = dayRow.dimensions[1] else { continue }
        let place = Int(date.daysSince1970 - first)
        sums.days[place] += dayRow.figures.seconds
        totals.days[place] += dayRow.figures.seconds
      }
      rows.append(Row(person: person, sums: sums))
    }
  }
}
