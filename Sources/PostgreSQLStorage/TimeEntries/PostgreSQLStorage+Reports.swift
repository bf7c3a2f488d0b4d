import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report {
    let organization = PostgreSQLValue.integer(query.organization.value)
    let scope = RowScope.organization(query.organization)
    var sessions: [Int64: ReportedSession] = [:]
    if let id = query.session {
      let row = try await read(WorkedTimeRows.session, [organization, .identifier(id)], in: scope)
        .first { ($0.integer(0), $0.text(1)) }
      guard let row else { throw TimeclockError.notFound(.session) }
      sessions[row.0] = ReportedSession(id: id, title: row.1)
    }
    let span = query.hasWholeShifts ? ShiftReading.first(of: query) : query
    // Asked at the same time: the loop sends both before it waits for either.
    async let named = people(of: query)
    async let known = purposes(of: query)
    let rows = try await rows(of: span)
    let people = try await named
    let purposes = try await known
    if query.hasDetails {
      let used = try await readAtLength(
        WorkedTimeRows.sessions(span), WorkedTimeRows.sessionValues(span), in: scope)
      for (row, session) in try used.map(WorkedTimeRows.session) { sessions[row] = session }
    }
    let time = { @Sendable [sessions] in
      try WorkedTimeRows.time(
        in: rows, query, WorkedTime(entries: [], people: people, sessions: sessions, purposes: purposes))
    }
    guard query.hasWholeShifts else {
      return try await calculated(rows.count) { try calculate(time()) }
    }
    var reading = try await calculated(rows.count) { ShiftReading(query, first: try time()) }
    while let next = reading.next {
      let found = try WorkedTimeRows.time(
        in: try await self.rows(of: next), next, WorkedTime(entries: [], people: [:], sessions: [:]))
      reading.add(entries: found.entries, segments: found.segments)
    }
    let whole = reading.time
    return try await calculated(whole.entries.count + whole.segments.count) { try calculate(whole) }
  }

  private func rows(of query: WorkedTimeQuery) async throws -> PostgreSQLRows {
    try await readAtLength(
      WorkedTimeRows.entries(query), WorkedTimeRows.values(query), in: .organization(query.organization))
  }

  /// The result of a calculation over this many rows: a long one runs on a thread.
  private func calculated<Result: Sendable>(
    _ rows: Int, _ calculate: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    rows <= Self.entriesOnLoop ? try calculate() : try await atLength(calculate)
  }

  /// The most entries that are added up on the event loop: that takes a third of a millisecond at most, and to hand
  /// them to a thread and come back costs a good part of it. If each becomes a row, its text takes a millisecond more.
  private static let entriesOnLoop = 2_000

  /// The meaning of segments' rows, if the query asks for segments.
  private func purposes(of query: WorkedTimeQuery) async throws -> ReportedPurposes {
    var purposes = ReportedPurposes()
    guard query.segments != .none else { return purposes }
    let values = [PostgreSQLValue.integer(query.organization.value)]
    let scope = RowScope.organization(query.organization)
    let breaks = try await read(WorkedTimeRows.expectedBreaks, values, in: scope)
      .map { ($0.integer(0), $0.integer(1)) }
    purposes.expectedBreaks = Dictionary(uniqueKeysWithValues: breaks)
    guard case .all = query.segments else { return purposes }
    async let projects = read(WorkedTimeRows.projects, values, in: scope)
    async let tasks = read(WorkedTimeRows.tasks, values, in: scope)
    purposes.projects = Dictionary(uniqueKeysWithValues: try await projects.map(WorkedTimeRows.project))
    purposes.tasks = Dictionary(uniqueKeysWithValues: try await tasks.map(WorkedTimeRows.task))
    return purposes
  }

  private func people(of query: WorkedTimeQuery) async throws -> [UserKey: ReportedPerson] {
    var values: [PostgreSQLValue] = [.integer(query.organization.value)]
    if let row = query.members.row { values.append(.integer(row)) }
    let scope = RowScope.organization(query.organization)
    let statements = WorkedTimeRows.people[query.members.way.rawValue]
    let named = try await read(statements.names, values, in: scope).map(WorkedTimeRows.NamedPerson.init)
    let known = userIdentifiers.known(of: named.map(\.user))
    var people: [UserKey: ReportedPerson] = [:]
    for (person, id) in zip(named, known) {
      guard let id else { break }
      people[person.user] = person.reported(as: id)
    }
    guard people.count < named.count else { return people }
    let all = try await read(statements.all, values, in: scope)
    for (user, person) in try all.map(WorkedTimeRows.person) {
      people[user] = person
    }
    userIdentifiers.keep(people)
    return people
  }
}

/// The statements of a report, and the reading of their rows.
enum WorkedTimeRows {
  static func entries(_ query: WorkedTimeQuery) -> PostgreSQLStatement {
    WorkedTimeStatement.all[WorkedTimeStatement(query).place]
  }

  static func sessions(_ query: WorkedTimeQuery) -> PostgreSQLStatement {
    ofSessions[query.members.way.rawValue]
  }

  static func values(_ query: WorkedTimeQuery) -> [PostgreSQLValue] {
    var values: [PostgreSQLValue] = [
      .integer(query.organization.value), .instant(query.endingAfter), .instant(query.beginningBefore),
      .instant(query.endingAfter.adding(milliseconds: -86_400_000)),
    ]
    if let pattern = StoredTags.pattern(query.segments.tag) { values.append(.text(pattern)) }
    if let row = query.members.row { values.append(.integer(row)) }
    return values
  }

  /// The values of `sessions`.
  static func sessionValues(_ query: WorkedTimeQuery) -> [PostgreSQLValue] {
    var query = query
    query.segments = .none
    return values(query)
  }

  /// The time with the entries and segments of the rows.
  static func time(
    in rows: PostgreSQLRows, _ query: WorkedTimeQuery, _ time: WorkedTime
  ) throws -> WorkedTime {
    var time = time
    time.entries.reserveCapacity(rows.count)
    for row in try rows.map({ row in
      query.segments != .none && row.bool(7) ? Row.segment(try segment(row)) : .entry(try entry(row, query))
    }) {
      switch row {
      case .entry(let entry): time.entries.append(entry)
      case .segment(let segment): time.segments.append(segment)
      }
    }
    return time
  }

  private enum Row {
    case entry(WorkedEntry)
    case segment(WorkedSegment)
  }

  private static func segment(_ row: PostgreSQLRow) throws -> WorkedSegment {
    WorkedSegment(
      user: UserKey(row.integer(0)), start: row.instant(1), end: row.optionalInstant(2),
      traits: WorkedSegmentTraits(rawValue: row.integer(3)), project: row.optionalInteger(8),
      task: row.optionalInteger(9), breakType: row.optionalInteger(10), entryID: try row.optionalIdentifier(4)
    )
  }

  static func project(_ row: PostgreSQLRow) throws -> (Int64, ReportedProject) {
    (
      row.integer(0),
      ReportedProject(
        id: try row.identifier(1), name: row.text(2), color: row.text(3), client: row.optionalText(4))
    )
  }

  static func task(_ row: PostgreSQLRow) throws -> (Int64, ReportedTask) {
    (row.integer(0), ReportedTask(id: try row.identifier(1), name: row.text(2)))
  }

  static let expectedBreaks = PostgreSQLStatement(
    """
    SELECT break_type_id, expected_seconds FROM break_types WHERE organization_id = $1 AND expected_seconds IS NOT NULL
    """)
  static let projects = PostgreSQLStatement(
    "SELECT project_id, id, name, color, client FROM projects WHERE organization_id = $1")
  static let tasks = PostgreSQLStatement("SELECT task_id, id, name FROM tasks WHERE organization_id = $1")

  private static func entry(_ row: PostgreSQLRow, _ query: WorkedTimeQuery) throws -> WorkedEntry {
    // An entry without an id has no flags.
    let id: TimeEntryID? = try row.optionalIdentifier(4)
    return WorkedEntry(
      user: UserKey(row.integer(0)), clockIn: row.instant(1), clockOut: row.optionalInstant(2),
      session: query.hasDetails ? row.optionalInteger(5) : nil,
      source: query.hasDetails ? try row.choice(6) : .api,
      flags: id == nil ? [] : TimeEntryFlags(rawValue: row.integer(3)), id: id)
  }

  /// A person in a row of names, which lacks the public id.
  struct NamedPerson {
    let user: UserKey
    private let name: String
    private let email: String
    private let personnelNumber: String?

    init(_ row: PostgreSQLRow) {
      user = UserKey(row.integer(0))
      name = row.text(1)
      email = row.text(2)
      personnelNumber = row.optionalText(3)
    }

    func reported(as id: UserID) -> ReportedPerson {
      ReportedPerson(id: id, name: name, storedEmail: email, personnelNumber: personnelNumber)
    }
  }

  static func person(_ row: PostgreSQLRow) throws -> (UserKey, ReportedPerson) {
    let person = NamedPerson(row)
    return (person.user, person.reported(as: try row.identifier(4)))
  }

  static func session(_ row: PostgreSQLRow) throws -> (Int64, ReportedSession) {
    (row.integer(0), ReportedSession(id: try row.identifier(1), title: row.text(2)))
  }

  private static func sessions(_ condition: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT s.session_id, s.id, s.title FROM sessions s WHERE s.organization_id = $1 AND s.session_id IN ( \
      \(WorkedTimeStatement.select("SELECT e.session_id", condition)))
      """)
  }

  /// By the ways of selecting members.
  private static let ofSessions = MemberSelection.Way.allCases.map {
    sessions($0.condition(on: "e.user_id", row: "$5"))
  }

  static let session = PostgreSQLStatement(
    "SELECT session_id, title FROM sessions WHERE organization_id = $1 AND id = $2")

  private static let ofPerson = "m.user_id, m.name, m.email, m.personnel_number"

  /// Each id is looked up by itself: for a join PostgreSQL would read everybody's.
  private static let selectPeople = """
    SELECT \(ofPerson), (SELECT u.id FROM users u WHERE u.user_id = m.user_id) FROM members m \
    WHERE m.organization_id = $1
    """

  private static let selectNames = "SELECT \(ofPerson) FROM members m WHERE m.organization_id = $1"

  /// By the ways of selecting members: their names; and with their public ids, for users whose ids are not cached yet.
  static let people = MemberSelection.Way.allCases.map { way in
    let members = way.condition(on: "m.user_id", row: "$2")
    return (
      names: PostgreSQLStatement(selectNames + members), all: PostgreSQLStatement(selectPeople + members)
    )
  }
}
