/// Organizations that are moving to another cell, or have moved, for the statements with which the service looks for work in all
/// of them. SQLite's table has no rows: only PostgreSQL's databases are cells (docs/cells.md).
package enum Departed {
  /// A condition as SQL: the organization of a row is here, and stays.
  ///
  /// - Parameter row: The name of a row with an `organization_id`.
  package static func none(_ row: String) -> String { "NOT EXISTS (\(departures(of: row)))" }

  /// A condition as SQL: the organization of a row is here, though it may be moving; true of a row that belongs to none. For what is
  /// done to a person in all organizations at once: those that have moved are not asked.
  package static func noneHasMoved(_ row: String) -> String {
    "NOT EXISTS (\(departures(of: row)) AND d.address IS NOT NULL)"
  }

  private static func departures(of row: String) -> String {
    "SELECT 1 FROM organization_departures d WHERE d.organization_id = \(row).organization_id"
  }
}
