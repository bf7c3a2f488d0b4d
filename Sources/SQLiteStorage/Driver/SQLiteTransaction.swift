/// The connection, the row numbers and the note of grown logs that a write works with.
struct SQLiteTransaction {
  let connection: SQLiteConnection
  let numbers: RowNumbers
  let grownLogs: GrownLogs

  func statement(_ sql: StaticString) throws -> SQLiteStatement {
    try connection.statement(sql)
  }

  func statement(_ sql: SQLiteText) throws -> SQLiteStatement {
    try connection.statement(sql)
  }
}
