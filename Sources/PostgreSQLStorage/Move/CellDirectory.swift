import Procedures
import SchemaMigrations
import TimeclockDomain

/// The organizations and accounts that one cell has, for a directory of several.
package struct CellDirectory {
  /// The organizations that are served by the cell, but for deleted ones, with whether they are on their way to another.
  package let organizations: [(id: OrganizationID, isMoving: Bool)]
  /// Whether the cell has an account with the address, and an organization of it; nil if none was asked for.
  package let hasAccount: Bool?

  /// Reads them, beside servers that run. Blocks.
  ///
  /// - Throws: `PostgreSQLStorageError`; `PostgreSQLError`.
  package init(of location: PostgreSQLLocation, withAccount address: EmailAddress?) throws {
    let database = try PostgreSQLCopyConnection(location)
    defer { database.connection.close() }
    try database.connection.execute("BEGIN READ ONLY; \(RowScope.Setting.everyoneInTransaction)")
    try SchemaUpdate(connection: database.connection, now: .earliest).requireCurrent(
      SchemaMigrations.postgresql)
    organizations = try database.rows(
      """
      SELECT o.id, d.organization_id IS NOT NULL FROM organizations o \
      LEFT JOIN organization_departures d ON d.organization_id = o.organization_id \
      WHERE o.state <> 'deleted' AND d.address IS NULL ORDER BY o.id
      """
    ).map { (try $0.identifier(0), $0.bool(1)) }
    hasAccount = try address.map { address in
      try database.rows(
        """
        SELECT 1 FROM users u WHERE u.email_key = $1 AND EXISTS (SELECT 1 FROM members m \
        WHERE m.user_id = u.user_id AND \(Departed.noneHasMoved("m")))
        """, [address.key]
      ).count > 0
    }
  }
}
