/// Gives out the numbers that rows are listed by, each greater than all before and never given twice, also
/// after rows were deleted. Used by the writer's thread only.
///
/// Numbers are reserved in the database a block at a time, in the transaction that uses the first of them, so
/// that most transactions write one page less. After a crash the rest of a block is never used.
final class RowNumbers {
  private var last: Int64
  /// The last number taken according to the database, and the same after the open transaction.
  private var committed: Int64
  private var reserved: Int64

  private static let block: Int64 = 1_024

  /// Goes on after the last number that the database knows of.
  init(on connection: SQLiteConnection) throws {
    let last = try connection.statement("SELECT last_number FROM row_numbers").first([]) { $0.integer(0) }
    guard let last else { throw MalformedRow(column: "last_number") }
    self.last = last
    committed = last
    reserved = last
  }

  /// The next number.
  func next() -> Int64 {
    last += 1
    return last
  }

  /// Reserves the numbers that were given out, and some more; to be called before the commit.
  func save(on connection: SQLiteConnection) throws {
    guard last > reserved else { return }
    try connection.statement("UPDATE row_numbers SET last_number = ?1").run([.integer(last + Self.block)])
    reserved = last + Self.block
  }

  func noteCommit() {
    committed = reserved
  }

  /// Numbers given out stay given out, so that none is ever given twice.
  func noteRollback() {
    reserved = committed
  }
}
