import Cryptography

/// The number of the rows that were read from one table, and a SHA-256 of all their bytes.
package struct TableDigest: Hashable, Sendable {
  package let rowCount: Int64
  let hash: [UInt8]

  /// Reads the rows of a table.
  ///
  /// - Parameter alsoTo: Called with each row, once it is part of the digest.
  /// - Throws: `CopyError.differs` if the database counts a different number of rows than it returns; the database's
  ///   errors.
  static func reading(
    _ table: CopiedTable, in scope: CopyScope, of database: some CopyReadable,
    alsoTo: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> TableDigest {
    var hash = SHA256()
    hash.update(Array((table.name + " " + table.columnList).utf8))
    var rowCount = 0 as Int64
    try database.forEachRow(of: table, in: scope) { row in
      hash.update(row)
      rowCount += 1
      try alsoTo(row)
    }
    guard try database.rowCount(of: table, in: scope) == rowCount else {
      throw CopyError.differs(table: table.name)
    }
    return TableDigest(rowCount: rowCount, hash: hash.finalize())
  }

  /// Returns one SHA-256 over the digests of all tables, as hexadecimal digits.
  static func checksum(of digests: [TableDigest]) -> String {
    var hash = SHA256()
    for digest in digests { hash.update(digest.hash) }
    return Hexadecimal.text(of: hash.finalize())
  }
}
