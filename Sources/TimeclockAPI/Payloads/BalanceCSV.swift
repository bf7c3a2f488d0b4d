import TimeclockDomain

extension BalanceReport {
  /// Writes the rows as a table.
  func csv(_ dialect: TableDialect, durations: DurationForm) -> WrittenContent {
    var content = WrittenContent()
    var writer = CSVWriter(dialect, capacity: WrittenContent.capacity(for: 256 + rows.count * 200))
    writer.header(
      ReportDimension.user.columns + (grouping.dimension?.columns ?? [])
        + ["planned", "holiday", "absence", "credited", "target", "paid", "adjustment", "balance", "carried"]
        .map(durations.columnName) + ReportedPerson.payrollColumns)
    // Nobody's hours depend on another's: rounding carries over within a person.
    var carried = CarriedBalance(durations, showsCredit: areCreditsShown)
    var person: UserID?
    for row in rows {
      if row.person.id != person {
        (person, carried) = (row.person.id, CarriedBalance(durations, showsCredit: areCreditsShown))
      }
      ReportValue.user(row.person).write(to: &writer)
      row.period?.write(to: &writer)
      for cell in carried.next(row) {
        if let cell { writer.duration(cell, as: durations) } else { writer.empty() }
      }
      writer.payroll(row.person)
      writer.endLine()
      content.takePiece(of: &writer)
    }
    return content.ended(by: writer)
  }
}

extension BalanceGrouping {
  /// The dimension of rows besides the member; nil for none.
  fileprivate var dimension: ReportDimension? {
    switch self {
    case .user: nil
    case .month: .month
    case .week: .week
    case .day: .day
    }
  }
}

/// The durations of the rows of one person, of which each column adds up.
private struct CarriedBalance {
  private let form: DurationForm
  private let showsCredit: Bool
  /// Holidays, absences, credits, target, paid, adjustments.
  private var columns: [CarriedDurations]

  init(_ form: DurationForm, showsCredit: Bool) {
    self.form = form
    self.showsCredit = showsCredit
    columns = Array(repeating: CarriedDurations(form), count: 6)
  }

  /// The cells of a row in units of the form, nil for empty ones.
  mutating func next(_ row: BalanceReportRow) -> [Int64?] {
    let sums = row.sums
    let plan = [sums.holiday, sums.absence, sums.credited, sums.target].enumerated().map { place, seconds in
      columns[place].next(seconds)
    }
    let planned = plan[0] + plan[1] + plan[3]
    let cells: [Int64?] = [planned, plan[0], plan[1], showsCredit ? plan[2] : nil, plan[3]]
    guard let carried = row.carried else { return cells + [nil, nil, nil, nil] }
    let paid = columns[4].next(sums.paid)
    let adjustment = columns[5].next(sums.adjustment)
    // The balance is the difference of the accounts as they are shown.
    let account = CarriedDurations.units(of: carried, in: form)
    let balance = account - CarriedDurations.units(of: carried - sums.balance, in: form)
    return cells + [paid, adjustment, balance, account]
  }
}
