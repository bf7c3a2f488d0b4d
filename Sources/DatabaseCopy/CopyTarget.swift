/// A database to copy into: nothing of it is seen by others before `commit`, and all of it after.
///
/// Used by one thread; it blocks. Its schema is brought up to date when it is opened, which is all that a copy
/// that fails leaves behind.
package protocol CopyTarget: CopyReadable {
  /// Takes the rows of one table out of `rows`, which calls its argument with one row after the other.
  func write(_ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws

  /// Makes the next numbers greater than this one.
  func setLastNumber(_ number: Int64, of numbering: CopiedTable.Numbering, in table: CopiedTable) throws

  /// Called once, when all tables are written and before they are read back.
  func prepareToRead() throws

  /// - Throws: `CopyError.outcomeUnknown` where nobody can tell whether it has.
  func commit() throws

  /// Closes the database; without a commit before, as it was.
  func close()
}
