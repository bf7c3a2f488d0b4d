import TimeclockDomain

/// A database whose rows can be read one after the other, all from one state of it.
package protocol CopyReadable {
  /// Returns the number of rows that the database counts, without reading them.
  func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64

  /// Calls `body` with every row, in the form of `RowBytes`, in the order of the table's key. Holds one row at a
  /// time.
  func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void) throws
}

/// A database to copy from. It shows nothing that others write in the meantime, and nothing in it changes.
///
/// It is used by one thread, which it blocks.
package protocol CopySource: CopyReadable {
  /// Returns the number of an organization; nil if none has this id.
  func organizationNumber(of id: OrganizationID) throws -> Int64?

  /// - Throws: `CopyError.departed` if something of it has moved to another database, or is on its way.
  func requireHere(_ scope: CopyScope) throws

  /// Returns the greatest number that the numbered column has been given; 0 for none.
  func lastNumber(of numbering: CopiedTable.Numbering, in table: CopiedTable) throws -> Int64

  func close()
}
