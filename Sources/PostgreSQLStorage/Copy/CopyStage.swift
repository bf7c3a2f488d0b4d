import DatabaseCopy

/// A temporary table that rows are copied into on their way to a table with row-level security, which takes no COPY
/// (postgresql.org/docs/current/sql-copy.html).
struct CopyStage {
  let name: String
  private let table: CopiedTable
  private let connection: EstablishedConnection

  /// Makes it, inside a transaction; nil if the table takes a COPY from this role.
  init?(for table: CopiedTable, on connection: EstablishedConnection) throws {
    guard try connection.execute("SELECT row_security_active('\(table.name)')") == "t" else { return nil }
    name = "copied_\(table.name)"
    self.table = table
    self.connection = connection
    try connection.execute(
      """
      CREATE TEMPORARY TABLE \(name) ON COMMIT DROP AS SELECT \(table.columnList) FROM \(table.name) WITH NO DATA
      """)
  }

  /// Moves the copied rows into the table itself.
  func moveOn() throws {
    try connection.execute(
      """
      INSERT INTO \(table.name) (\(table.columnList)) SELECT \(table.columnList) FROM \(name); TRUNCATE \(name)
      """)
  }

  func drop() throws {
    try connection.execute("DROP TABLE \(name)")
  }
}
