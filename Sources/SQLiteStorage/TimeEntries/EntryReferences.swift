import TimeclockDomain

/// The references of the last rows: in most lists all rows have the same member, zone and source, and few sessions,
/// which then need not be looked up or created for each row. Lives as long as one read or write.
final class EntryReferences {
  private let connection: SQLiteConnection
  private let identifiers: PublicIdentifiers
  private var lastOrganization: (row: Int64, id: OrganizationID)?
  private var lastUser: (row: Int64, id: UserID)?
  private var lastZone: TimeZoneIdentifier?
  private var lastSource: TimeEntrySource?
  private var sessions: [Int64: SessionID] = [:]

  init(_ identifiers: PublicIdentifiers, on connection: SQLiteConnection) {
    self.identifiers = identifiers
    self.connection = connection
  }

  /// The id of the organization in this row.
  func organization(_ row: Int64) throws -> OrganizationID {
    if let lastOrganization, lastOrganization.row == row { return lastOrganization.id }
    let id = try identifiers.organization(row, on: connection)
    lastOrganization = (row, id)
    return id
  }

  /// The id of the user in this row.
  func user(_ row: Int64) throws -> UserID {
    if let lastUser, lastUser.row == row { return lastUser.id }
    let id = try identifiers.user(row, on: connection)
    lastUser = (row, id)
    return id
  }

  /// The id of the session in this row.
  func session(_ row: Int64) throws -> SessionID {
    if let known = sessions[row] { return known }
    guard
      let id: SessionID = try connection.statement("SELECT id FROM sessions WHERE session_id = ?1")
        .first([.integer(row)], { try $0.identifier(0) })
    else { throw MalformedRow(column: "session_id") }
    sessions[row] = id
    return id
  }

  /// The zone that a column names.
  func zone(_ row: SQLiteRow, _ column: Int32) throws -> TimeZoneIdentifier {
    if let lastZone, row.holds(lastZone.name, in: column) { return lastZone }
    let zone = try row.timeZone(column)
    lastZone = zone
    return zone
  }

  /// The source that a column names.
  func source(_ row: SQLiteRow, _ column: Int32) throws -> TimeEntrySource {
    if let lastSource, row.holds(lastSource.rawValue, in: column) { return lastSource }
    let source: TimeEntrySource = try row.choice(column)
    lastSource = source
    return source
  }
}
