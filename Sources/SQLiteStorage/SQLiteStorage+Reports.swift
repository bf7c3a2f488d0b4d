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
    let span: [SQLiteValue] = [
      .integer(query.organization.value), .instant(query.endingAfter), .instant(query.beginningBefore),
    ]
    // The schema keeps every date within a day of its clock-in.
    let dates: [SQLiteValue] = [
      .date(query.endingAfter.utcDate.adding(days: -1)), .date(query.beginningBefore.utcDate.adding(days: 1)),
    ]
    let user = query.user.map { [SQLiteValue.integer($0.value)] } ?? []
    try connection.statement(user.isEmpty ? Self.spanning : Self.spanningOfUser).forEach(span + user) {
      entries.append(try entry($0, query))
    }
    try connection.statement(user.isEmpty ? Self.beginning : Self.beginningOfUser)
      .forEach(span + dates + user) { entries.append(try entry($0, query)) }
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

  /// The entries that begin in the span, out of each member's run of neighbouring rows.
  private static func beginning(_ condition: String) -> SQLiteText {
    SQLiteText(
      """
      \(columns) FROM members m CROSS JOIN time_entries e NOT INDEXED
        ON e.organization_id = m.organization_id AND e.user_id = m.user_id AND e.date BETWEEN ?4 AND ?5
      WHERE m.organization_id = ?1 AND e.clock_in >= ?2 AND e.clock_in < ?3 \(condition)
      """)
  }

  /// The entries that reach into the span from before: at most the last one of each member.
  private static func spanning(_ condition: String) -> SQLiteText {
    SQLiteText(
      """
      \(columns) FROM members m CROSS JOIN time_entries e INDEXED BY time_entries_by_start
        ON e.organization_id = m.organization_id AND e.user_id = m.user_id AND e.clock_in = (
          SELECT max(b.clock_in) FROM time_entries b INDEXED BY time_entries_by_start
          WHERE b.organization_id = m.organization_id AND b.user_id = m.user_id AND b.clock_in < ?2)
      WHERE m.organization_id = ?1 AND coalesce(e.clock_out, 9223372036854775807) > ?2 AND e.clock_in < ?3
        \(condition)
      """)
  }

  private static let beginning = beginning("")
  private static let beginningOfUser = beginning("AND m.user_id = ?6")
  private static let spanning = spanning("")
  private static let spanningOfUser = spanning("AND m.user_id = ?4")
  private static let people = SQLiteText("SELECT user_id, name FROM members WHERE organization_id = ?1")
  private static let person = SQLiteText(
    "SELECT user_id, name FROM members WHERE organization_id = ?1 AND user_id = ?2")
  private static let session = SQLiteText("SELECT id, title FROM sessions WHERE session_id = ?1")
  private static let sessionByID = SQLiteText(
    "SELECT session_id, title FROM sessions WHERE organization_id = ?1 AND id = ?2")
}
