import ArgumentParser
import ChangeLog
import PostgreSQLStorage
import SQLiteStorage

/// The checks of a database and their output: the audit of every organization and, on request, the database's own checks.
struct Verification {
  /// The heads that must be in one of the chains.
  var expectedHeads: Set<String> = []
  /// Whether the database's own integrity and the invariants are checked too.
  var isComplete = true

  /// Checks a database in its present state; servers may run.
  ///
  /// - Returns: Whether all is well.
  /// - Throws: The database's errors.
  func run(on location: DatabaseLocation) throws -> Bool {
    switch location {
    case .sqlite(let path):
      let database = try SQLiteAuditedDatabase(path: path)
      defer { database.close() }
      return try run(on: database)
    case .postgreSQL(let location):
      let database = try PostgreSQLAuditedDatabase(location)
      defer { database.close() }
      return try run(on: database)
    }
  }

  private func run(on database: some AuditedDatabase) throws -> Bool {
    var missingHeads = expectedHeads
    var isIntact = true
    if isComplete {
      let faults = try database.integrityFaults() + database.invariantFaults()
      print("database faults=\(faults.count)")
      isIntact = faults.isEmpty
      printLines(of: faults, of: "database")
    }
    for organization in try database.organizations() {
      let audit = try OrganizationAudit(of: organization, in: database) { missingHeads.remove($0) }
      let rows = audit.rowCount.map { "rows=\($0) " } ?? ""
      print(
        "\(audit.id) changes=\(audit.changeCount) erased=\(audit.erasedCount) unsealed=\(audit.waitingCount) "
          + "\(rows)faults=\(audit.faults.count) head=\(audit.head)")
      printLines(of: audit.faults, of: audit.id.text)
      isIntact = isIntact && audit.faults.isEmpty
    }
    for head in missingHeads.sorted() {
      print("the head \(head) is in no chain: a log was cut off, or altered")
    }
    if !database.hasCurrentSchema {
      print("the rows were not compared: the schema is older than this program's, and its server migrates it")
    }
    return isIntact && missingHeads.isEmpty
  }

  /// The most findings that are printed, which is as many as a person reads.
  private func printLines(of faults: [String], of subject: String) {
    for fault in faults.prefix(Self.mostLines) { print("\(subject) \(fault)") }
    if faults.count > Self.mostLines { print("\(subject) and \(faults.count - Self.mostLines) more") }
  }

  private static let mostLines = 1_000
}
