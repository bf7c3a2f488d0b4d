import ChangeLog
import Cryptography
import DatabaseCopy
import Glibc
import TimeclockDomain

/// The contents of a copy of a database, after everything in it was checked.
package struct WholeDatabase: Sendable {
  package let byteCount: Int64
  /// SHA-256 of the file, in hexadecimal digits.
  package let checksum: String
  /// Tables with the numbers of their rows; empty if the schema is older than this program's.
  package let rowCounts: [(table: String, count: Int64)]
  /// Organizations with the heads of their logs of changes.
  package let heads: [(organization: OrganizationID, head: String)]

  /// Checks everything in a file that nobody writes: its pages and references, the invariants, the log of changes, and
  /// the rows against it.
  ///
  /// - Parameter report: Called with the name of the next check.
  /// - Throws: `BackupError.faults`; `SQLiteStorageError` if it is no database of this program, or a newer one.
  init(checking path: String, report: (String) -> Void) throws {
    let database = try SQLiteAuditedDatabase(path: path)
    defer { database.close() }
    report("pages and references")
    var faults = try database.integrityFaults() + database.invariantFaults()
    // A database with damaged pages cannot be read on.
    guard faults.isEmpty else { throw BackupError.faults(faults) }
    var heads: [(organization: OrganizationID, head: String)] = []
    for organization in try database.organizations() {
      report("organization \(heads.count + 1)")
      let audit = try OrganizationAudit(of: organization, in: database)
      faults += audit.faults.map { "\(audit.id) \($0)" }
      heads.append((audit.id, audit.head))
    }
    guard faults.isEmpty else { throw BackupError.faults(faults) }
    self.heads = heads
    rowCounts =
      database.hasCurrentSchema
      ? try CopiedTable.all.map { ($0.name, try database.connection.rowCount(of: $0, in: .everything)) } : []
    (byteCount, checksum) = try Self.digest(of: path)
  }

  private static func digest(of path: String) throws -> (byteCount: Int64, checksum: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SQLiteStorageError.cannotOpen(path: path, reason: systemError()) }
    defer { close(file) }
    var hash = SHA256()
    var byteCount: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count >= 0 else { throw SQLiteStorageError.cannotOpen(path: path, reason: systemError()) }
      guard count > 0 else { break }
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      byteCount += Int64(count)
    }
    return (byteCount, Hexadecimal.text(of: hash.finalize()))
  }
}
