import ArgumentParser
import DatabaseCopy
import PostgreSQLStorage
import SQLiteStorage
import TimeclockDomain

/// `timeclock copy`: copies data from one database into another, of the same kind or of the other.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy everything, or one organization, into an empty database.",
    discussion: """
      Stop the servers of the source first: what they write while it is copied is not copied. The target gets \
      all of it or nothing, and is read back and compared before it keeps anything. Prints one JSON object with \
      the number of rows of each table and a checksum, which is the same on every database with the same rows.
      """)

  @Option(help: ArgumentHelp("The database to copy from, as in --database of serve.", valueName: "location"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "The database to copy into, which has no organization yet; a SQLite file is made.",
      valueName: "location"))
  var to: String

  @Option(
    help: ArgumentHelp(
      "The id of the one organization to copy, without its members' log-ins. (default: everything)",
      valueName: "id"))
  var organization: String?

  func validate() throws {
    guard organization.map({ OrganizationID($0) != nil }) ?? true else {
      throw ValidationError("The organization's id is not one.")
    }
  }

  func run() throws {
    let target = try DatabaseLocation(to)
    switch try DatabaseLocation(from) {
    case .sqlite(let path):
      if case .sqlite(let targetPath) = target, SQLiteStorage.isSameFile(path, targetPath) {
        throw CopyError.targetIsBusy
      }
      try copy(from: openFile(path) { try SQLiteCopySource(path: path) }, to: target)
    case .postgreSQL(let location): try copy(from: PostgreSQLCopySource(location), to: target)
    }
  }

  private func copy(from source: some CopySource, to target: DatabaseLocation) throws {
    defer { source.close() }
    switch target {
    case .sqlite(let path):
      try copy(from: source) { try openFile(path) { try SQLiteCopyTarget(path: path) } }
    case .postgreSQL(let location): try copy(from: source) { try PostgreSQLCopyTarget(location) }
    }
  }

  private func copy<Source: CopySource, Target: CopyTarget>(
    from source: Source, openTarget: () throws -> Target
  ) throws {
    let scope = try CopyRun<Source, Target>.scope(of: organization.flatMap { OrganizationID($0) }, in: source)
    let target = try openTarget()
    let progress = ProgressLine()
    let result: CopyResult
    do {
      defer {
        progress.clear()
        target.close()
      }
      result = try CopyRun(from: source, to: target, report: progress.show).run(scope)
    }
    print("{\(result.json)}")
  }

  private func openFile<Database>(_ path: String, _ open: () throws -> Database) throws -> Database {
    do {
      return try open()
    } catch SQLiteStorageError.databaseInUse {
      throw CommandError(
        "Another process, most likely a server, holds the database \(path). Stop it first, and start it after."
      )
    }
  }
}

extension CopyResult {
  /// Members of a JSON object: the rows of each table, and the checksum.
  var json: String {
    let rows = rowCounts.map { #""\#($0.table)":\#($0.count)"# }.joined(separator: ",")
    return #""rows":{\#(rows)},"checksum":"\#(checksum)""#
  }
}
