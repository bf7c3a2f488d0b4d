import TimeclockDomain

/// Reads exported entries out of rows with the columns of `TimeEntryRows`. Each thing that many rows refer to is looked
/// up once.
///
/// Lives as long as one page.
final class TimeEntryExportRows {
  private struct Person {
    var id: UserID
    var name: String
    var email: String
    var personnelNumber: String?
    var marks: PeriodEnds
  }

  private struct Session {
    var id: SessionID
    var title: String
  }

  private let connection: SQLiteConnection
  private let organization: OrganizationKey
  private let organizationID: OrganizationID
  private var people: [Int64: Person] = [:]
  private var lastPerson: (row: Int64, person: Person)?
  private var sessions: [Int64: Session] = [:]
  private let references: EntryReferences

  init(
    of organization: OrganizationKey, on connection: SQLiteConnection, identifiers: PublicIdentifiers
  ) throws {
    self.connection = connection
    self.organization = organization
    references = EntryReferences(identifiers, on: connection)
    organizationID = try identifiers.organization(organization.value, on: connection)
  }

  /// The entry in the row.
  func entry(_ row: SQLiteRow) throws -> ExportedTimeEntry {
    let person = try person(row.integer(1))
    let session = try row.optionalInteger(10).map(session)
    let entry = TimeEntry(
      id: try row.identifier(5), userID: person.id, organizationID: organizationID,
      clockInTime: row.instant(6), clockOutTime: row.optionalInstant(7), date: row.date(2),
      timeZone: try references.zone(row, 8), offsetSeconds: Int32(clamping: row.integer(9)),
      sessionID: session?.id,
      notes: row.optionalText(11).map(Notes.init(stored:)), source: try references.source(row, 12),
      flags: TimeEntryFlags(rawValue: row.integer(13)), version: row.integer(14), createdAt: row.instant(3),
      updatedAt: row.instant(15))
    return ExportedTimeEntry(
      entry: entry, userName: person.name, userEmail: person.email,
      personnelNumber: person.personnelNumber, sessionTitle: session?.title,
      periodState: person.marks.state(of: entry.clockInTime))
  }

  /// The entry's place among its member's.
  func place(_ row: SQLiteRow) -> TimeEntryCursor {
    TimeEntryCursor(date: row.date(2), createdAt: row.instant(3), row: row.integer(4))
  }

  private func person(_ row: Int64) throws -> Person {
    if let lastPerson, lastPerson.row == row { return lastPerson.person }
    let person = try people[row] ?? read(person: row)
    people[row] = person
    lastPerson = (row, person)
    return person
  }

  private func read(person row: Int64) throws -> Person {
    let person = try connection.statement(
      """
      SELECT u.id, m.name, m.email, m.anonymized_at, m.personnel_number,
        p.submitted_through, p.submitted_until, p.approved_through, p.approved_until, p.locked_through, p.locked_until
      FROM members m JOIN users u ON u.user_id = m.user_id
        LEFT JOIN periods p ON p.organization_id = m.organization_id AND p.user_id = m.user_id
      WHERE m.organization_id = ?1 AND m.user_id = ?2
      """
    ).first([.integer(organization.value), .integer(row)]) { row -> Person in
      let id: UserID = try row.identifier(0)
      let marks = PeriodEnds(
        submitted: Self.end(row, 5), approved: Self.end(row, 7), locked: Self.end(row, 9))
      guard row.isNull(3) else {
        return Person(
          id: id, name: Anonymity.name, email: Anonymity.email(of: id), personnelNumber: nil, marks: marks)
      }
      return Person(
        id: id, name: row.text(1), email: row.text(2), personnelNumber: row.optionalText(4), marks: marks)
    }
    guard let person else { throw MalformedRow(column: "user_id") }
    return person
  }

  /// The end of a mark, whose date and instant are two columns.
  private static func end(_ row: SQLiteRow, _ column: Int32) -> PeriodEnd? {
    guard let until = row.optionalInstant(column + 1) else { return nil }
    return PeriodEnd(through: row.date(column), until: until)
  }

  private func session(_ row: Int64) throws -> Session {
    if let known = sessions[row] { return known }
    let session = try connection.statement(
      "SELECT id, title FROM sessions WHERE organization_id = ?1 AND session_id = ?2"
    ).first([.integer(organization.value), .integer(row)]) {
      Session(id: try $0.identifier(0), title: $0.text(1))
    }
    guard let session else { throw MalformedRow(column: "session_id") }
    sessions[row] = session
    return session
  }
}
