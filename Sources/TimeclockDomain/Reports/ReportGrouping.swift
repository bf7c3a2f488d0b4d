/// Sorts slices into rows by up to three dimensions, and adds them up.
package struct ReportGrouping {
  private let dimensions: [ReportDimension]
  private let time: WorkedTime
  private let segments: ReportSegments
  /// The places of members and sessions in the order of rows.
  private let ranks: ReportRanks
  private var rows: [Key: Int] = [:]
  private var sums: [(key: Key, sum: Sum)] = []
  private var lastRow: Int?
  private var lastUser: (key: UserKey, number: Int64)?
  private var total = Sum()

  init(by dimensions: [ReportDimension], of time: WorkedTime, _ segments: ReportSegments) {
    self.dimensions = dimensions
    self.time = time
    self.segments = segments
    ranks = ReportRanks(time, dimensions)
  }

  /// The rows in their order, and their sums.
  ///
  /// - Parameter slices: In the order in which `ReportCalculation.slices` gives them.
  package static func grouping(
    _ slices: [ReportSlice], of time: WorkedTime, _ segments: ReportSegments, by dimensions: [ReportDimension]
  ) -> (rows: [ReportRow], totals: ReportFigures) {
    var grouping = ReportGrouping(by: dimensions, of: time, segments)
    for slice in slices { grouping.add(slice) }
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

  private mutating func add(_ slice: ReportSlice) {
    let entry = time.entries[slice.entry]
    sums[row(of: slice, entry)].sum.add(slice, of: entry)
    total.add(slice, of: entry)
  }

  /// The place of a slice's row among `sums`: mostly that of the slice before.
  private mutating func row(of slice: ReportSlice, _ entry: WorkedEntry) -> Int {
    let key = key(of: slice, entry)
    if let lastRow, sums[lastRow].key == key { return lastRow }
    let row = rows[key] ?? sums.count
    if row == sums.count {
      rows[key] = row
      sums.append((key, Sum()))
    }
    lastRow = row
    return row
  }

  private mutating func key(of slice: ReportSlice, _ entry: WorkedEntry) -> Key {
    var key = Key()
    key.first = number(dimensions[0], slice, entry)
    if dimensions.count > 1 { key.second = number(dimensions[1], slice, entry) }
    if dimensions.count > 2 { key.third = number(dimensions[2], slice, entry) }
    return key
  }

  private mutating func number(
    _ dimension: ReportDimension, _ slice: ReportSlice, _ entry: WorkedEntry
  ) -> Int64 {
    switch dimension {
    case .user:
      if let lastUser, lastUser.key == entry.user { return lastUser.number }
      let number = ranks.number(of: entry.user)
      lastUser = (entry.user, number)
      return number
    case .group: return ranks.groups.number(of: entry.user.value)
    case .day: return Int64(slice.date.daysSince1970)
    case .week: return Int64(slice.date.startOfWeek(beginning: .monday).daysSince1970)
    case .month: return Int64(slice.date.startOfMonth.daysSince1970)
    case .session: return ranks.sessions.number(of: entry.session)
    case .status: return entry.clockOut == nil ? 0 : 1
    case .source: return Self.sources.firstIndex(of: entry.source).map(Int64.init) ?? 0
    case .project: return ranks.projects.number(of: segment(of: slice)?.project)
    case .client: return ranks.clients.number(of: segment(of: slice)?.project)
    case .task: return ranks.tasks.number(of: segment(of: slice)?.task)
    case .kind: return Self.kinds.firstIndex(of: ReportedKind(slice.kind)).map(Int64.init) ?? 0
    case .approval:
      let state = time.marks[entry.user]?.state(of: slice.start) ?? .unsubmitted
      return Self.states.firstIndex(of: state).map(Int64.init) ?? 0
    }
  }

  private func segment(of slice: ReportSlice) -> WorkedSegment? { slice.segment.map { segments[$0] } }

  /// In the order of their names.
  private static let kinds = ReportedKind.allCases.sorted { $0.rawValue < $1.rawValue }
  /// In the order of their names.
  private static let sources = TimeEntrySource.allCases.sorted { $0.rawValue < $1.rawValue }
  /// The weakest first.
  private static let states = PeriodState.Word.allCases

  private func values(of key: Key) -> [ReportValue] {
    zip(dimensions, [key.first, key.second, key.third]).map { dimension, number in
      let date = LocalDate(daysSince1970: Int32(clamping: number))
      switch dimension {
      case .user: return .user(ranks.people[Int(number)])
      case .group: return .group(ranks.groups[number])
      case .day: return .day(date)
      case .week: return .week(ISOWeek(date))
      case .month: return .month(year: date.year, month: date.month)
      case .session: return .session(ranks.sessions[number])
      case .project: return .project(ranks.projects[number])
      case .client: return .client(ranks.clients[number])
      case .task: return .task(ranks.tasks[number])
      case .kind: return .kind(Self.kinds[Int(number)])
      case .approval: return .approval(Self.states[Int(number)])
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

    mutating func add(_ slice: ReportSlice, of entry: WorkedEntry) {
      figures.seconds += slice.seconds
      if slice.isBreak { figures.breakSeconds += slice.seconds }
      if slice.kind == .unpaidBreak { figures.unpaidBreakSeconds += slice.seconds }
      figures.deductedBreakSeconds += slice.deductedSeconds
      figures.roundedSeconds += slice.roundedSeconds
      figures.dailyOvertimeSeconds += slice.dailyOvertimeSeconds
      figures.weeklyOvertimeSeconds += slice.weeklyOvertimeSeconds
      count(slice.entry, mayComeAgain: slice.mayComeAgain)
      // Slices come by member and date, so a day's stand together.
      if lastDay.map({ $0.user != entry.user || $0.date != slice.date }) ?? true {
        figures.daysWorked += 1
        lastDay = (entry.user, slice.date)
      }
      figures.firstIn = min(figures.firstIn ?? slice.start, slice.start)
      if lastEnd.map({ $0 < slice.end }) ?? true {
        lastEnd = slice.end
        figures.lastOut = slice.isRunning ? nil : slice.end
      } else if lastEnd == slice.end, slice.isRunning {
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

extension ReportedGroup: Comparable {
  /// By name, then by id.
  package static func < (one: ReportedGroup, other: ReportedGroup) -> Bool {
    one.name == other.name ? one.id < other.id : one.name < other.name
  }
}

extension ReportedSession: Comparable {
  /// By title, then by id.
  package static func < (one: ReportedSession, other: ReportedSession) -> Bool {
    one.title == other.title ? one.id < other.id : one.title < other.title
  }
}

extension ReportedProject: Comparable {
  /// By name, then by id.
  package static func < (one: ReportedProject, other: ReportedProject) -> Bool {
    one.name == other.name ? one.id < other.id : one.name < other.name
  }
}

extension ReportedTask: Comparable {
  /// By name, then by id.
  package static func < (one: ReportedTask, other: ReportedTask) -> Bool {
    one.name == other.name ? one.id < other.id : one.name < other.name
  }
}

/// The members, sessions and so on of a report in the order in which its rows show them.
private struct ReportRanks {
  /// By name, then by id.
  private(set) var people: [ReportedPerson] = []
  private var peopleNumbers: [UserKey: Int64] = [:]
  /// By the rows of their members.
  let groups: Ranks<ReportedGroup>
  let sessions: Ranks<ReportedSession>
  let projects: Ranks<ReportedProject>
  let clients: Ranks<String>
  let tasks: Ranks<ReportedTask>

  init(_ time: WorkedTime, _ dimensions: [ReportDimension]) {
    if dimensions.contains(.user) {
      let sorted = time.people.sorted { $0.value < $1.value }
      people = sorted.map(\.value)
      for (number, person) in sorted.enumerated() { peopleNumbers[person.key] = Int64(number) }
    }
    groups = Ranks(Dictionary(uniqueKeysWithValues: time.groups.map { ($0.value, $1) }))
    let purposes = time.purposes
    sessions = Ranks(dimensions.contains(.session) ? time.sessions : [:])
    projects = Ranks(dimensions.contains(.project) ? purposes.projects : [:])
    clients = Ranks(dimensions.contains(.client) ? purposes.projects.compactMapValues(\.client) : [:])
    tasks = Ranks(dimensions.contains(.task) ? purposes.tasks : [:])
  }

  func number(of user: UserKey) -> Int64 { peopleNumbers[user] ?? 0 }

  /// The different values of some rows in their order; time that has none comes last.
  struct Ranks<Value: Comparable & Hashable> {
    private let values: [Value]
    private let numbers: [Int64: Int64]

    init(_ rows: [Int64: Value]) {
      values = Set(rows.values).sorted()
      var places: [Value: Int64] = [:]
      for (place, value) in values.enumerated() { places[value] = Int64(place) }
      numbers = rows.compactMapValues { places[$0] }
    }

    func number(of row: Int64?) -> Int64 { row.flatMap { numbers[$0] } ?? Int64(values.count) }

    subscript(number: Int64) -> Value? { values.indices.contains(Int(number)) ? values[Int(number)] : nil }
  }
}
