/// Adds up entries for a report. The one place where a report's seconds come from, with every storage.
///
/// Every part, which is an entry on one date, or the whole entry if `attribution` says so, gives whole seconds, cut
/// once, and its slices share them. Everything else is sums of these.
package struct ReportCalculation {
  let dates: ReportDates
  let frame: ReportFrame
  let rules: PayRulesCalendar
  let filter: ReportFilter
  let rounding: ReportRounding?

  /// - Parameter dates: Those of the range, and earlier ones if overtime depends on them.
  package init(
    dates: ReportDates, frame: ReportFrame, rules: PayRulesCalendar, filter: ReportFilter = ReportFilter(),
    rounding: ReportRounding? = nil
  ) {
    self.dates = dates
    self.frame = frame
    self.rules = rules
    self.filter = filter
    self.rounding = rounding
  }

  /// The slices that count, of one member after the other, a member's by date, a date's by start.
  package func slices(of time: WorkedTime, _ segments: ReportSegments) -> [ReportSlice] {
    let entries = time.entries
    let places = PlacesByMember.places(of: entries.map(\.user))
    let lists = dates.lists()
    let shifts = shifts(of: entries, at: places, segments, over: lists)
    // Missing breaks are taken from a shift's last work, so a shift that goes on needs later dates.
    let continued = shifts.flatMap { lists.continued(over: $0.lastEnd) }
    var cutting = ReportCutting(continued ?? lists, frame, segments, entries: entries.count)
    for index in places { cutting.cut(entries[index], at: index) }
    var slices = cutting.slices
    let isInOrder = zip(slices, slices.dropFirst()).allSatisfy { !Self.comes($1, before: $0, entries) }
    if !isInOrder { slices.sort { Self.comes($0, before: $1, entries) } }
    if let shifts { ReportBreaks.deduct(from: &slices, shifts) }
    if rules.hasOvertime { findOvertime(in: &slices, entries) }
    if let rounding { Self.round(&slices, rounding) }
    let range = frame.startDate...frame.endDate
    if dates.begin(before: frame.startDate) || continued != nil || filter != ReportFilter() {
      slices.removeAll { !range.contains($0.date) || !filter.shows($0, of: time, segments) }
    }
    return slices
  }

  /// The shifts of the entries; nil if no rule asks for them.
  private func shifts(
    of entries: [WorkedEntry], at places: [Int], _ segments: ReportSegments, over dates: ReportDateLists
  ) -> ReportShifts? {
    guard rules.hasBreakRules else { return nil }
    return ReportShifts(of: entries, at: places, segments, rules: rules, asOf: frame.asOf, over: dates)
  }

  private static func comes(_ one: ReportSlice, before other: ReportSlice, _ entries: [WorkedEntry]) -> Bool {
    let user = entries[one.entry].user
    let otherUser = entries[other.entry].user
    if user != otherUser { return user.value < otherUser.value }
    return one.date == other.date ? one.start < other.start : one.date < other.date
  }

  /// Finds in each slice the paid seconds beyond the limits of its date: of the date first, and of a week the rest.
  private func findOvertime(in slices: inout [ReportSlice], _ entries: [WorkedEntry]) {
    var user: UserKey?
    var date: LocalDate?
    var week: LocalDate?
    var left = (day: Int64.max, week: Int64.max)
    for index in slices.indices {
      let owner = entries[slices[index].entry].user
      if owner != user { (user, date, week) = (owner, nil, nil) }
      if slices[index].date != date {
        date = slices[index].date
        let ofDate = rules[slices[index].date]
        left.day = ofDate.dailyOvertimeSeconds ?? .max
        let first = rules.week(of: slices[index].date).first
        if first != week { (week, left.week) = (first, ofDate.weeklyOvertimeSeconds ?? .max) }
      }
      let paid = slices[index].paidSeconds
      let ofDay = min(paid, left.day)
      let regular = min(ofDay, left.week)
      slices[index].dailyOvertimeSeconds = paid - ofDay
      slices[index].weeklyOvertimeSeconds = ofDay - regular
      left.day -= ofDay
      left.week -= regular
    }
  }

  /// Rounds the paid seconds of each part. An addition goes to the last paid slice of the part, a deduction is taken
  /// from the last ones.
  private static func round(_ slices: inout [ReportSlice], _ rounding: ReportRounding) {
    var first = 0
    while first < slices.count {
      var end = first + 1
      while end < slices.count, slices[end].isOfPart(of: slices[first]) { end += 1 }
      let paid = slices[first..<end].reduce(0) { $0 + $1.paidSeconds }
      var rest = rounding.rounded(paid) - paid
      for place in (first..<end).reversed() {
        let seconds = slices[place].paidSeconds
        let change = seconds > 0 ? max(rest, -seconds) : 0
        slices[place].roundedSeconds = seconds + change
        rest -= change
      }
      first = end
    }
  }
}
