import TimeclockDomain

/// The public ids of the last row's member and organisation: in most lists all rows have the same, and need
/// not be looked up again. Lives as long as one read or write.
final class EntryOwners {
  private let connection: SQLiteConnection
  private let identifiers: PublicIdentifiers
  private var lastOrganization: (row: Int64, id: OrganizationID)?
  private var lastUser: (row: Int64, id: UserID)?

  init(_ identifiers: PublicIdentifiers, on connection: SQLiteConnection) {
    self.identifiers = identifiers
    self.connection = connection
  }

  /// The id of the organisation in this row.
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
}
