/// Sorts parts into rows by up to three dimensions, and adds them up.
struct ReportGrouping {
  private let dimensions: [ReportDimension]
  private let time: WorkedTime
  /// Where a member and a session come in the order of rows.
  private let ranks: ReportRanks
  private var rows: [Key: Int] = [:]
  private var sums: [(key: Key, sum: Sum)] = []
  private var total = Sum()

  init(by dimensions: [ReportDimension], of time: WorkedTime) {
    self.dimensions = dimensions
    self.time = time
    ranks = ReportRanks(time, dimensions)
  }

  /// The rows in their order, and what they add up to.
  ///
  /// - Parameter parts: In the order in which `ReportCalculation.parts` gives them.
  static func grouping(
    _ parts: [ReportCalculation.Part], of time: WorkedTime, by dimensions: [ReportDimension]
  ) -> (rows: [ReportRow], totals: ReportFigures) {
    var grouping = ReportGrouping(by: dimensions, of: time)
    for part in parts { grouping.add(part) }
    let sorted = grouping.sums.sorted { $0.key < $1.key }
    return (
      sorted.map { ReportRow(dimensions: grouping.values(of: $0.key), figures: $0.sum.figures) },
      grouping.total.figures
    )
  }

  /// The numbers of a row's dimensions; numbers in the order of the rows.
  private struct Key: Hashable, Comparable {
    var first: Int64 = 0
    var second: Int64 = 0
    var third: Int64 = 0

    static func < (one: Key, other: Key) -> Bool {
      (one.first, one.second, one.third) < (other.first, other.second, other.third)
    }
  }

  private mutating func add(_ part: ReportCalculation.Part) {
    let entry = time.entries[part.entry]
    let key = key(of: part, entry)
    if let row = rows[key] {
      sums[row].sum.add(part, of: entry)
    } else {
      rows[key] = sums.count
      var sum = Sum()
      sum.add(part, of: entry)
      sums.append((key, sum))
    }
    total.add(part, of: entry)
  }

  private func key(of part: ReportCalculation.Part, _ entry: WorkedEntry) -> Key {
    var key = Key()
    key.first = number(dimensions[0], part, entry)
    if dimensions.count > 1 { key.second = number(dimensions[1], part, entry) }
    if dimensions.count > 2 { key.third = number(dimensions[2], part, entry) }
    return key
  }

  private func number(
    _ dimension: ReportDimension, _ part: ReportCalculation.Part, _ entry: WorkedEntry
  ) -> Int64 {
    switch dimension {
    case .user: return ranks.number(of: entry.user)
    case .day: return Int64(part.date.daysSince1970)
    case .week: return Int64(part.date.startOfWeek(beginning: .monday).daysSince1970)
    case .month: return Int64(part.date.startOfMonth.daysSince1970)
    case .session: return ranks.number(ofSession: entry.session)
    case .status: return entry.clockOut == nil ? 0 : 1
    case .source: return Self.sources.firstIndex(of: entry.source).map(Int64.init) ?? 0
    }
  }

  /// In the order of their names.
  private static let sources = TimeEntrySource.allCases.sorted { $0.rawValue < $1.rawValue }

  private func values(of key: Key) -> [ReportValue] {
    zip(dimensions, [key.first, key.second, key.third]).map { dimension, number in
      let date = LocalDate(daysSince1970: Int32(clamping: number))
      switch dimension {
      case .user: return .user(ranks.people[Int(number)])
      case .day: return .day(date)
      case .week: return .week(ISOWeek(date))
      case .month: return .month(year: date.year, month: date.month)
      case .session:
        return .session(ranks.sessions.indices.contains(Int(number)) ? ranks.sessions[Int(number)] : nil)
      case .status: return .status(number == 0 ? .clockedIn : .clockedOut)
      case .source: return .source(Self.sources[Int(number)])
      }
    }
  }

  /// What a row adds up to so far.
  private struct Sum {
    var figures = ReportFigures()
    private var seen = Set<Int>()
    private var lastEntry = -1
    private var lastDay: (user: UserKey, date: LocalDate)?
    private var lastEnd: Instant?

    mutating func add(_ part: ReportCalculation.Part, of entry: WorkedEntry) {
      figures.seconds += part.seconds
      figures.dailyOvertimeSeconds += part.dailyOvertimeSeconds
      figures.weeklyOvertimeSeconds += part.weeklyOvertimeSeconds
      count(part.entry, isSplit: part.isSplit)
      // Parts come by member and date, so a day's stand together.
      if lastDay.map({ $0.user != entry.user || $0.date != part.date }) ?? true {
        figures.daysWorked += 1
        lastDay = (entry.user, part.date)
      }
      figures.firstIn = min(figures.firstIn ?? part.start, part.start)
      if lastEnd.map({ $0 < part.end }) ?? true {
        lastEnd = part.end
        figures.lastOut = part.isRunning ? nil : part.end
      } else if lastEnd == part.end, part.isRunning {
        figures.lastOut = nil
      }
    }

    /// Counts an entry once. Only one that was split can come again, mostly at once.
    private mutating func count(_ entry: Int, isSplit: Bool) {
      guard entry != lastEntry else { return }
      lastEntry = entry
      guard !isSplit || seen.insert(entry).inserted else { return }
      figures.entries += 1
    }
  }
}

/// The members and sessions of a report in the order in which its rows show them.
private struct ReportRanks {
  /// By name, then by id.
  private(set) var people: [ReportedPerson] = []
  /// By title, then by id.
  private(set) var sessions: [ReportedSession] = []
  private var peopleNumbers: [UserKey: Int64] = [:]
  private var sessionNumbers: [Int64: Int64] = [:]

  init(_ time: WorkedTime, _ dimensions: [ReportDimension]) {
    if dimensions.contains(.user) {
      let sorted = time.people.sorted {
        ($0.value.name, $0.value.id.text) < ($1.value.name, $1.value.id.text)
      }
      people = sorted.map(\.value)
      for (number, person) in sorted.enumerated() { peopleNumbers[person.key] = Int64(number) }
    }
    if dimensions.contains(.session) {
      let sorted = time.sessions.sorted {
        ($0.value.title, $0.value.id.text) < ($1.value.title, $1.value.id.text)
      }
      sessions = sorted.map(\.value)
      for (number, session) in sorted.enumerated() { sessionNumbers[session.key] = Int64(number) }
    }
  }

  func number(of user: UserKey) -> Int64 { peopleNumbers[user] ?? 0 }

  /// Time of no session comes last.
  func number(ofSession session: Int64?) -> Int64 {
    session.flatMap { sessionNumbers[$0] } ?? Int64(sessions.count)
  }
}
