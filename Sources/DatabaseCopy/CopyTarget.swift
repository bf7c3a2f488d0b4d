/// A database to copy into. Others see nothing of the copy before `commit`, and all of it afterwards.
///
/// It is used by one thread, which it blocks. Its schema is brought up to date when it is opened; a failed copy leaves
/// nothing else behind.
package protocol CopyTarget: CopyReadable {
  /// Writes the rows of one table, which `rows` passes to its argument one after the other.
  func write(_ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws

  /// Makes the next numbers greater than this one.
  func setLastNumber(_ number: Int64, of numbering: CopiedTable.Numbering, in table: CopiedTable) throws

  /// Called once, when all tables are written and before they are read back.
  func prepareToRead() throws

  /// - Throws: `CopyError.outcomeUnknown` if it is unknown whether the database has committed.
  func commit() throws

  /// Closes the database; without a previous commit it is as before.
  func close()
}
