/// Adds up entries for a report. The one place where a report's seconds come from, with every storage.
///
/// Every part, which is an entry on one date, or the whole entry where `attribution` says so, gives whole seconds, cut
/// once. Everything else is sums of these.
struct ReportCalculation {
  /// The dates of the range in the zone, in the order of time; earlier ones where overtime depends on them.
  let stretches: [DayStretch]
  let frame: ReportFrame
  let policy: Policy
  /// Only this session's entries are shown; overtime still depends on all.
  let session: Int64?
  /// Whether the clocks go back over midnight in the range, so that a date is shown again after the next one.
  private let datesComeBack: Bool

  init(stretches: [DayStretch], frame: ReportFrame, policy: Policy, session: Int64?) {
    self.stretches = stretches
    self.frame = frame
    self.policy = policy
    self.session = session
    datesComeBack = zip(stretches, stretches.dropFirst()).contains { $0.date > $1.date }
  }

  /// The contribution of an entry to one date.
  struct Part {
    /// The entry's place among all.
    var entry: Int
    var date: LocalDate
    var start: Instant
    var end: Instant
    var seconds: Int64
    /// Whether it ends with an active entry's running end.
    var isRunning: Bool
    /// Whether another part of the entry may come later, with parts of other entries between them.
    var mayComeAgain = false
    var dailyOvertimeSeconds: Int64 = 0
    var weeklyOvertimeSeconds: Int64 = 0
  }

  /// The parts that count, of one member after the other, a member's by date, a date's by start.
  func parts(of entries: [WorkedEntry]) -> [Part] {
    var parts: [Part] = []
    parts.reserveCapacity(entries.count + entries.count / 4)
    for index in Self.byMember(entries) { append(entries[index], index, to: &parts) }
    let isInOrder = zip(parts, parts.dropFirst()).allSatisfy { !Self.comes($1, before: $0, entries) }
    if !isInOrder { parts.sort { Self.comes($0, before: $1, entries) } }
    if policy.dailyOvertimeSeconds != nil || policy.weeklyOvertimeSeconds != nil {
      findOvertime(in: &parts, entries)
    }
    let range = frame.startDate...frame.endDate
    if stretches.first.map({ $0.date < frame.startDate }) ?? false || session != nil {
      parts.removeAll {
        !range.contains($0.date) || (session != nil && entries[$0.entry].session != session)
      }
    }
    return parts
  }

  /// The places of the entries, each member's together and in the order in which they came, by counting: a storage
  /// that gives entries by their start leaves nearly nothing to sort then. Members of one organization have numbers
  /// close to each other; where they do not, the places are left as they are.
  private static func byMember(_ entries: [WorkedEntry]) -> [Int] {
    var (least, most) = (Int64.max, Int64.min)
    var isInOrder = true
    for entry in entries {
      if entry.user.value < most { isInOrder = false }
      least = min(least, entry.user.value)
      most = max(most, entry.user.value)
    }
    let (width, overflow) = most.subtractingReportingOverflow(least)
    guard !isInOrder, !overflow, width < 8 * entries.count else { return Array(entries.indices) }
    var next = [Int](repeating: 0, count: Int(width) + 2)
    for entry in entries { next[Int(entry.user.value - least) + 1] += 1 }
    for member in 1..<next.count { next[member] += next[member - 1] }
    var places = [Int](repeating: 0, count: entries.count)
    for index in entries.indices {
      let member = Int(entries[index].user.value - least)
      places[next[member]] = index
      next[member] += 1
    }
    return places
  }

  private static func comes(_ one: Part, before other: Part, _ entries: [WorkedEntry]) -> Bool {
    let user = entries[one.entry].user
    let otherUser = entries[other.entry].user
    if user != otherUser { return user.value < otherUser.value }
    return one.date == other.date ? one.start < other.start : one.date < other.date
  }

  private func append(_ entry: WorkedEntry, _ index: Int, to parts: inout [Part]) {
    let end = entry.clockOut ?? frame.asOf
    guard entry.clockIn < end else { return }
    switch frame.attribution {
    case .split: appendSplit(entry, index, end, to: &parts)
    case .start: appendWhole(entry, index, end, onDateOf: entry.clockIn, to: &parts)
    case .end: appendWhole(entry, index, end, onDateOf: end, to: &parts)
    }
  }

  private func appendWhole(
    _ entry: WorkedEntry, _ index: Int, _ end: Instant, onDateOf instant: Instant, to parts: inout [Part]
  ) {
    let place = stretches.place(endingAfter: instant)
    guard place < stretches.count, stretches[place].start <= instant else { return }
    parts.append(
      Part(
        entry: index, date: stretches[place].date, start: entry.clockIn, end: end,
        seconds: end.milliseconds(since: entry.clockIn) / 1_000, isRunning: entry.clockOut == nil))
  }

  private func appendSplit(_ entry: WorkedEntry, _ index: Int, _ end: Instant, to parts: inout [Part]) {
    let first = parts.count
    var place = stretches.place(endingAfter: entry.clockIn)
    while place < stretches.count, stretches[place].start < end {
      let stretch = stretches[place]
      place += 1
      let start = max(entry.clockIn, stretch.start)
      let partEnd = min(end, stretch.end)
      // In milliseconds for now: a date that comes back has two spans, cut as one.
      let milliseconds = partEnd.milliseconds(since: start)
      let isRunning = entry.clockOut == nil && partEnd == end
      if let known = parts[first...].lastIndex(where: { $0.date == stretch.date }) {
        parts[known].seconds += milliseconds
        parts[known].end = partEnd
        parts[known].isRunning = isRunning
      } else {
        parts.append(
          Part(
            entry: index, date: stretch.date, start: start, end: partEnd, seconds: milliseconds,
            isRunning: isRunning))
      }
    }
    for part in first..<parts.count {
      parts[part].seconds /= 1_000
      parts[part].mayComeAgain = datesComeBack && parts.count > first + 1
    }
  }

  /// Tells in each part what goes beyond the policy's limits: of a date first, and of a week what is left.
  private func findOvertime(in parts: inout [Part], _ entries: [WorkedEntry]) {
    var user: UserKey?
    var date: LocalDate?
    var week: LocalDate?
    var left = (day: Int64.max, week: Int64.max)
    for index in parts.indices {
      let owner = entries[parts[index].entry].user
      if owner != user { (user, date, week) = (owner, nil, nil) }
      if parts[index].date != date {
        date = parts[index].date
        left.day = policy.dailyOvertimeSeconds ?? .max
        let first = parts[index].date.startOfWeek(beginning: policy.weekStart)
        if first != week { (week, left.week) = (first, policy.weeklyOvertimeSeconds ?? .max) }
      }
      let ofDay = min(parts[index].seconds, left.day)
      let regular = min(ofDay, left.week)
      parts[index].dailyOvertimeSeconds = parts[index].seconds - ofDay
      parts[index].weeklyOvertimeSeconds = ofDay - regular
      left.day -= ofDay
      left.week -= regular
    }
  }
}
