import ArgumentParser
import Glibc
import SQLiteStorage

/// `timeclock backup`: copies a SQLite database into one file, while a server may use it.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a SQLite database into one file, beside a server that runs.",
    discussion: """
      The file holds everything that was committed before, is checked as timeclock verify checks a database, and \
      appears under its name when all of it is on disk. Prints one JSON object with its size, its SHA-256, the number \
      of rows of each table, and the heads of the logs of changes. For PostgreSQL use its own means: docs/backing-up.md.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The file to make.", valueName: "file"))
  var to: String

  @Flag(help: "Replace a file of that name.")
  var replace = false

  func run() throws {
    guard case .sqlite(let path) = try database.location() else {
      throw CommandError(
        usage:
          "A PostgreSQL database is backed up with pg_dump, or continuously with its log: see docs/backing-up.md."
      )
    }
    // The server has priority.
    _ = nice(10)
    let backup = try SQLiteBackup(of: path, to: to, replacing: replace)
    let found = try UnfinishedFile(backup.unfinishedPath).run(backup.run)
    print(try WholeDatabaseLine(file: to, found, former: nil).text())
    do {
      try BackupNote.write(ofDatabase: DatabaseLocation.resolved(path))
    } catch {
      StandardError.write(
        "The back-up is made. Metrics will not show it: no file can be made beside the database: \(error)")
    }
  }
}
