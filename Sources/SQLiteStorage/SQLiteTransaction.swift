/// What a write works with.
struct SQLiteTransaction {
  let connection: SQLiteConnection
  let numbers: EntryNumbers

  func statement(_ sql: StaticString) throws -> SQLiteStatement {
    try connection.statement(sql)
  }
}

/// Gives out the numbers of time entries; written down once a transaction. Used by the writer's thread only.
final class EntryNumbers {
  private var last: Int64
  private var saved: Int64

  /// Goes on after the last number that the database knows of.
  init(on connection: SQLiteConnection) throws {
    saved = try connection.statement("SELECT last_number FROM entry_numbers").first([]) { $0.integer(0) } ?? 0
    last = saved
  }

  /// The next number.
  func next() -> Int64 {
    last += 1
    return last
  }

  /// Writes the last number down; to be called before the commit.
  func save(on connection: SQLiteConnection) throws {
    guard last != saved else { return }
    try connection.statement("UPDATE entry_numbers SET last_number = ?1").run([.integer(last)])
    saved = last
  }

  /// Forgets that the number was written down, because the transaction was undone. Numbers given out stay
  /// given out, so that none is ever given twice.
  func restore() {
    saved = -1
  }
}
