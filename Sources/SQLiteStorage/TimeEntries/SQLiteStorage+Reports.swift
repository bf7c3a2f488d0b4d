import TimeclockDomain

extension SQLiteStorage {
  package func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report {
    try await readLong(of: query.organization) { [identifiers] connection in
      try calculate(WorkedTimeRows(connection: connection, identifiers: identifiers).time(query))
    }
  }
}

/// Reads the rows of a report.
struct WorkedTimeRows {
  private let connection: SQLiteConnection
  private let identifiers: PublicIdentifiers
  private let references: EntryReferences

  init(connection: SQLiteConnection, identifiers: PublicIdentifiers) {
    self.connection = connection
    self.identifiers = identifiers
    references = EntryReferences(identifiers, on: connection)
  }

  func time(_ query: WorkedTimeQuery) throws -> WorkedTime {
    guard query.hasWholeShifts else { return try timeOfSpan(query) }
    var reading = ShiftReading(query, first: try timeOfSpan(ShiftReading.first(of: query)))
    while let next = reading.next {
      let (entries, segments) = try rows(next)
      reading.add(entries: entries, segments: try segments.segments(of: entries))
    }
    return reading.time
  }

  /// The time of the entries that share a moment with the span of the query.
  private func timeOfSpan(_ query: WorkedTimeQuery) throws -> WorkedTime {
    let (entries, segments) = try rows(query)
    return WorkedTime(
      entries: entries, people: try people(query), sessions: try sessions(entries, query),
      segments: try segments.segments(of: entries), purposes: try segments.purposes())
  }

  /// The entries of a report, and the reader of their segments.
  private func rows(_ query: WorkedTimeQuery) throws -> (entries: [WorkedEntry], segments: WorkedSegmentRows)
  {
    var entries: [WorkedEntry] = []
    let dayBefore = query.endingAfter.adding(milliseconds: -86_400_000)
    let organization = SQLiteValue.integer(query.organization.value)
    // The schema keeps every date within a day of its clock-in. Entries of the dates that are not in the span are left
    // out here: by the statement it would cost more.
    let dates: [SQLiteValue] = [
      .date(dayBefore.utcDate.adding(days: -1)), .date(query.beginningBefore.utcDate.adding(days: 1)),
    ]
    let members = query.members.row.map { [SQLiteValue.integer($0)] } ?? []
    let texts = Texts.of(query)
    try connection.statement(texts.walk).forEach([organization] + dates + members) { row in
      let clockIn = row.instant(1)
      guard clockIn >= dayBefore, clockIn < query.beginningBefore else { return }
      try append(row, clockIn, query, to: &entries)
    }
    try connection.statement(texts.long).forEach([organization, .instant(dayBefore)] + members) { row in
      try append(row, row.instant(1), query, to: &entries)
    }
    return (entries, WorkedSegmentRows(connection: connection, query: query, dayBefore: dayBefore))
  }

  private func people(_ query: WorkedTimeQuery) throws -> [UserKey: ReportedPerson] {
    var people: [UserKey: ReportedPerson] = [:]
    let organization = SQLiteValue.integer(query.organization.value)
    let members = query.members.row.map { [SQLiteValue.integer($0)] } ?? []
    try connection.statement(Self.people[query.members.way.rawValue]).forEach([organization] + members, add)
    func add(_ row: SQLiteRow) throws {
      people[UserKey(row.integer(0))] = ReportedPerson(
        id: try identifiers.user(row.integer(0), on: connection), name: row.text(1), storedEmail: row.text(2),
        personnelNumber: row.optionalText(3))
    }
    return people
  }

  /// The sessions of these entries, and the one that the query names.
  private func sessions(
    _ entries: [WorkedEntry], _ query: WorkedTimeQuery
  ) throws -> [Int64: ReportedSession] {
    var sessions: [Int64: ReportedSession] = [:]
    if let id = query.session {
      let row = try connection.statement(Self.sessionByID)
        .first([.integer(query.organization.value), .identifier(id)]) { ($0.integer(0), $0.text(1)) }
      guard let row else { throw TimeclockError.notFound(.session) }
      sessions[row.0] = ReportedSession(id: id, title: row.1)
    }
    for case let session? in entries.lazy.map(\.session) where sessions[session] == nil {
      sessions[session] = try connection.statement(Self.session).first([.integer(session)]) {
        ReportedSession(id: try $0.identifier(0), title: $0.text(1))
      }
    }
    return sessions
  }

  private func append(
    _ row: SQLiteRow, _ clockIn: Instant, _ query: WorkedTimeQuery, to entries: inout [WorkedEntry]
  ) throws {
    let clockOut = row.optionalInstant(2)
    guard clockIn < query.beginningBefore, clockOut.map({ $0 > query.endingAfter }) ?? true else { return }
    let flags = TimeEntryFlags(rawValue: row.integer(3))
    entries.append(
      WorkedEntry(
        user: UserKey(row.integer(0)), clockIn: clockIn, clockOut: clockOut,
        session: query.hasDetails ? row.optionalInteger(5) : nil,
        source: query.hasDetails ? try references.source(row, 6) : .api, flags: flags,
        id: query.hasIDs || clockOut == nil || !flags.isEmpty ? try row.identifier(4) : nil))
  }

  /// The statements of one kind of query.
  private struct Texts {
    /// The entries of some dates, out of each member's run of neighboring rows.
    let walk: SQLiteText
    /// The entries that begin before an instant, and are active or longer than a day.
    let long: SQLiteText

    private init(hasDetails: Bool, of way: MemberSelection.Way) {
      let columns =
        "SELECT e.user_id, e.clock_in, e.clock_out, e.flags, e.id"
        + (hasDetails ? ", e.session_id, e.source" : "")
      walk = SQLiteText(
        """
        \(columns) FROM members m CROSS JOIN time_entries e NOT INDEXED
          ON e.organization_id = m.organization_id AND e.user_id = m.user_id AND e.date BETWEEN ?2 AND ?3
        WHERE m.organization_id = ?1\(way.condition(on: "m.user_id", organization: "?1", row: "?4"))
        """)
      let members = way.condition(on: "e.user_id", organization: "?1", row: "?3")
      long = SQLiteText(
        """
        \(columns) FROM time_entries e INDEXED BY time_entries_one_active
        WHERE e.organization_id = ?1 AND e.clock_out IS NULL AND e.clock_in < ?2\(members)
        UNION ALL \(columns) FROM time_entries e INDEXED BY time_entries_longer_than_a_day
        WHERE e.organization_id = ?1 AND e.clock_in < ?2 AND e.clock_out - e.clock_in > 86400000\(members)
        """)
    }

    private static let plain = MemberSelection.Way.allCases.map { Texts(hasDetails: false, of: $0) }
    private static let details = MemberSelection.Way.allCases.map { Texts(hasDetails: true, of: $0) }

    static func of(_ query: WorkedTimeQuery) -> Texts {
      (query.hasDetails ? details : plain)[query.members.way.rawValue]
    }
  }

  /// By the ways of selecting members.
  private static let people = MemberSelection.Way.allCases.map { way in
    let members = way.condition(on: "m.user_id", organization: "?1", row: "?2")
    return SQLiteText(
      """
      SELECT m.user_id, m.name, m.email, m.personnel_number FROM members m WHERE m.organization_id = ?1\(members)
      """)
  }
  private static let session = SQLiteText("SELECT id, title FROM sessions WHERE session_id = ?1")
  private static let sessionByID = SQLiteText(
    "SELECT session_id, title FROM sessions WHERE organization_id = ?1 AND id = ?2")
}
