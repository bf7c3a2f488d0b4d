import Threads
import TimeclockDomain

extension SQLiteStorage {
  package func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report {
    try await readLong { [identifiers] connection in
      try calculate(WorkedTimeRows(connection: connection, identifiers: identifiers).time(query))
    }
  }
}

/// Reads what a report needs.
private struct WorkedTimeRows {
  private let connection: SQLiteConnection
  private let identifiers: PublicIdentifiers
  private let references: EntryReferences

  init(connection: SQLiteConnection, identifiers: PublicIdentifiers) {
    self.connection = connection
    self.identifiers = identifiers
    references = EntryReferences(identifiers, on: connection)
  }

  func time(_ query: WorkedTimeQuery) throws -> WorkedTime {
    var entries: [WorkedEntry] = []
    let dayBefore = query.endingAfter.adding(milliseconds: -86_400_000)
    let span: [SQLiteValue] = [
      .integer(query.organization.value), .instant(query.endingAfter), .instant(query.beginningBefore),
      .instant(dayBefore),
    ]
    // The schema keeps every date within a day of its clock-in.
    let dates: [SQLiteValue] = [
      .date(dayBefore.utcDate.adding(days: -1)), .date(query.beginningBefore.utcDate.adding(days: 1)),
    ]
    let user = query.user.map { [SQLiteValue.integer($0.value)] } ?? []
    try connection.statement(user.isEmpty ? Self.everybodys : Self.members)
      .forEach(span + dates + user) { entries.append(try entry($0, query)) }
    try connection.statement(user.isEmpty ? Self.everybodysLong : Self.membersLong)
      .forEach(span + user) { entries.append(try entry($0, query)) }
    return WorkedTime(entries: entries, people: try people(query), sessions: try sessions(entries, query))
  }

  private func people(_ query: WorkedTimeQuery) throws -> [UserKey: ReportedPerson] {
    var people: [UserKey: ReportedPerson] = [:]
    let organization = SQLiteValue.integer(query.organization.value)
    if let user = query.user {
      try connection.statement(Self.person).forEach([organization, .integer(user.value)], add)
    } else {
      try connection.statement(Self.people).forEach([organization], add)
    }
    func add(_ row: SQLiteRow) throws {
      people[UserKey(row.integer(0))] = ReportedPerson(
        id: try identifiers.user(row.integer(0), on: connection), name: row.text(1))
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

  private func entry(_ row: SQLiteRow, _ query: WorkedTimeQuery) throws -> WorkedEntry {
    let clockOut = row.optionalInstant(2)
    let flags = TimeEntryFlags(rawValue: row.integer(3))
    return WorkedEntry(
      user: UserKey(row.integer(0)), clockIn: row.instant(1), clockOut: clockOut,
      session: query.hasDetails ? row.optionalInteger(5) : nil,
      source: query.hasDetails ? try references.source(row, 6) : .api, flags: flags,
      id: clockOut == nil || !flags.isEmpty ? try row.identifier(4) : nil)
  }

  private static let columns =
    "SELECT e.user_id, e.clock_in, e.clock_out, e.flags, e.id, e.session_id, e.source"

  private static let isInSpan = "e.clock_in < ?3 AND (e.clock_out IS NULL OR e.clock_out > ?2)"

  /// The entries of the span that begin a day ahead of it or later, out of each member's run of neighbouring rows.
  private static func walk(_ condition: String = "") -> SQLiteText {
    SQLiteText(
      """
      \(columns) FROM members m CROSS JOIN time_entries e NOT INDEXED
        ON e.organization_id = m.organization_id AND e.user_id = m.user_id AND e.date BETWEEN ?5 AND ?6
      WHERE m.organization_id = ?1 AND e.clock_in >= ?4 AND \(isInSpan) \(condition)
      """)
  }

  /// The entries of the span that begin earlier, and so are longer than a day.
  private static func long(_ condition: String = "") -> SQLiteText {
    SQLiteText(
      """
      \(columns) FROM time_entries e INDEXED BY time_entries_longer_than_a_day
      WHERE e.organization_id = ?1 AND e.clock_in < ?4
        AND (e.clock_out IS NULL OR e.clock_out - e.clock_in > 86400000) AND \(isInSpan) \(condition)
      """)
  }

  private static let everybodys = walk()
  private static let members = walk("AND m.user_id = ?7")
  private static let everybodysLong = long()
  private static let membersLong = long("AND e.user_id = ?5")
  private static let people = SQLiteText("SELECT user_id, name FROM members WHERE organization_id = ?1")
  private static let person = SQLiteText(
    "SELECT user_id, name FROM members WHERE organization_id = ?1 AND user_id = ?2")
  private static let session = SQLiteText("SELECT id, title FROM sessions WHERE session_id = ?1")
  private static let sessionByID = SQLiteText(
    "SELECT session_id, title FROM sessions WHERE organization_id = ?1 AND id = ?2")
}
