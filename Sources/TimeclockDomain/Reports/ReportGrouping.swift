/// Sorts parts into rows by up to three dimensions, and adds them up.
struct ReportGrouping {
  private let dimensions: [ReportDimension]
  private let time: WorkedTime
  /// The places of members and sessions in the order of rows.
  private let ranks: ReportRanks
  private var rows: [Key: Int] = [:]
  private var sums: [(key: Key, sum: Sum)] = []
  private var lastRow: Int?
  private var lastUser: (key: UserKey, number: Int64)?
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
    sums[row(of: part, entry)].sum.add(part, of: entry)
    total.add(part, of: entry)
  }

  /// The place of a part's row among `sums`: mostly that of the part before.
  private mutating func row(of part: ReportCalculation.Part, _ entry: WorkedEntry) -> Int {
    let key = key(of: part, entry)
    if let lastRow, sums[lastRow].key == key { return lastRow }
    let row = rows[key] ?? sums.count
    if row == sums.count {
      rows[key] = row
      sums.append((key, Sum()))
    }
    lastRow = row
    return row
  }

  private mutating func key(of part: ReportCalculation.Part, _ entry: WorkedEntry) -> Key {
    var key = Key()
    key.first = number(dimensions[0], part, entry)
    if dimensions.count > 1 { key.second = number(dimensions[1], part, entry) }
    if dimensions.count > 2 { key.third = number(dimensions[2], part, entry) }
    return key
  }

  private mutating func number(
    _ dimension: ReportDimension, _ part: ReportCalculation.Part, _ entry: WorkedEntry
  ) -> Int64 {
    switch dimension {
    case .user:
      if let lastUser, lastUser.key == entry.user { return lastUser.number }
      let number = ranks.number(of: entry.user)
      lastUser = (entry.user, number)
      return number
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

  /// The sums of a row so far.
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
      count(part.entry, mayComeAgain: part.mayComeAgain)
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

    /// Counts an entry once. One that goes on over midnight comes again at once: nothing else lies between.
    private mutating func count(_ entry: Int, mayComeAgain: Bool) {
      guard entry != lastEntry else { return }
      lastEntry = entry
      guard !mayComeAgain || seen.insert(entry).inserted else { return }
      figures.entries += 1
    }
  }
}

extension ReportedPerson: Comparable {
  /// By name, then by id.
  package static func < (one: ReportedPerson, other: ReportedPerson) -> Bool {
    one.name == other.name ? one.id < other.id : one.name < other.name
  }
}

extension ReportedSession: Comparable {
  /// By title, then by id.
  package static func < (one: ReportedSession, other: ReportedSession) -> Bool {
    one.title == other.title ? one.id < other.id : one.title < other.title
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
      let sorted = time.people.sorted { $0.value < $1.value }
      people = sorted.map(\.value)
      for (number, person) in sorted.enumerated() { peopleNumbers[person.key] = Int64(number) }
    }
    if dimensions.contains(.session) {
      let sorted = time.sessions.sorted { $0.value < $1.value }
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
