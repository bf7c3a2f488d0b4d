import Crypto

/// The rows of one table as they were read: how many, and a SHA-256 of all their bytes.
package struct TableDigest: Hashable, Sendable {
  package let rowCount: Int64
  let hash: [UInt8]

  /// Reads the rows of a table.
  ///
  /// - Parameter alsoTo: Called with each row, once it is part of the digest.
  /// - Throws: `CopyError.differs` where the database counts other rows than it gives; what the database throws.
  static func reading(
    _ table: CopiedTable, in scope: CopyScope, of database: some CopyReadable,
    alsoTo: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> TableDigest {
    var hash = SHA256()
    hash.update(data: Array((table.name + " " + table.columnList).utf8))
    var rowCount = 0 as Int64
    try database.forEachRow(of: table, in: scope) { row in
      hash.update(bufferPointer: row)
      rowCount += 1
      try alsoTo(row)
    }
    guard try database.rowCount(of: table, in: scope) == rowCount else {
      throw CopyError.differs(table: table.name)
    }
    return TableDigest(rowCount: rowCount, hash: Array(hash.finalize()))
  }

  /// One SHA-256 over those of all tables, as hexadecimal digits.
  static func checksum(of digests: [TableDigest]) -> String {
    var hash = SHA256()
    for digest in digests { hash.update(data: digest.hash) }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
