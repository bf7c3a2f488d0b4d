/// The connection and the row numbers that a write works with.
struct SQLiteTransaction {
  let connection: SQLiteConnection
  let numbers: RowNumbers

  func statement(_ sql: StaticString) throws -> SQLiteStatement {
    try connection.statement(sql)
  }

  func statement(_ sql: SQLiteText) throws -> SQLiteStatement {
    try connection.statement(sql)
  }
}
