/// The pay rules of every date: those with the latest first date that is not after it, and the policy's before all of them.
package struct PayRulesCalendar: Hashable, Sendable {
  /// In the order of their first dates. There is always one, from the earliest date.
  private var spans: [Span]

  private struct Span: Hashable, Sendable {
    let from: LocalDate
    var rules: PayRules
  }

  /// - Parameters:
  ///   - rules: Those of dates before the first dated ones.
  ///   - dated: Others, by their first dates, each of which is a date of their `weekStart`.
  package init(before rules: PayRules, then dated: [LocalDate: PayRules] = [:]) {
    spans = [Span(from: .earliest, rules: rules)]
    spans += dated.sorted { $0.key < $1.key }.map { Span(from: $0.key, rules: $0.value) }
  }

  /// The rules of a date.
  package subscript(date: LocalDate) -> PayRules { spans[place(of: date)].rules }

  /// The rules of a date that is looked up only if the rules depend on it.
  func rules(on date: () -> LocalDate) -> PayRules { spans.count == 1 ? spans[0].rules : self[date()] }

  /// Whether some date has rules about breaks.
  package var hasBreakRules: Bool { spans.contains { !$0.rules.breakRules.isEmpty } }

  /// Whether some date has overtime.
  var hasOvertime: Bool {
    spans.contains { $0.rules.dailyOvertimeSeconds != nil || $0.rules.weeklyOvertimeSeconds != nil }
  }

  /// The same rules about breaks and weeks, without overtime.
  package var withoutOvertime: PayRulesCalendar {
    var calendar = self
    for place in spans.indices {
      calendar.spans[place].rules.dailyOvertimeSeconds = nil
      calendar.spans[place].rules.weeklyOvertimeSeconds = nil
    }
    return calendar
  }

  /// The first and the last date of the week that a date lies in. Other rules with another beginning of weeks cut the week
  /// before them short, so that the rules of all dates of a week are those of its first one.
  package func week(of date: LocalDate) -> (first: LocalDate, last: LocalDate) {
    PayPeriod.weekly.dates(around: date, by: self)
  }

  /// The first date on which the overtime of a date depends.
  package func firstDate(neededBy date: LocalDate) -> LocalDate {
    self[date].weeklyOvertimeSeconds == nil ? date : week(of: date).first
  }

  /// The dates around one on which weeks begin with the same day.
  func datesOfWeekStart(around date: LocalDate) -> ClosedRange<LocalDate> {
    let place = place(of: date)
    let day = spans[place].rules.weekStart
    var (first, next) = (place, place + 1)
    while first > 0, spans[first - 1].rules.weekStart == day { first -= 1 }
    while next < spans.count, spans[next].rules.weekStart == day { next += 1 }
    let last = next < spans.count ? spans[next].from.adding(days: -1) : .latest
    return spans[first].from...max(last, spans[first].from)
  }

  /// The first date whose rules are others in another calendar; nil if all are the same.
  package func firstDifference(from other: PayRulesCalendar) -> LocalDate? {
    Set((spans + other.spans).map(\.from)).filter { self[$0] != other[$0] }.min()
  }

  private func place(of date: LocalDate) -> Int { spans.lastIndex { $0.from <= date } ?? 0 }
}
