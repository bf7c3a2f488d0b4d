import ArgumentParser
import SQLiteStorage

/// `timeclock restore`: puts a back-up in a database's place.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a back-up of a SQLite database into its place.",
    discussion: """
      Stop the server first. The back-up is copied and checked before anything is replaced: one that is damaged, of \
      another program, or of a newer Timeclock is refused, and the database is as it was. The back-up stays as it is. A \
      former database is kept beside the new one, with its log, under the name that is printed; remove it when you \
      are certain. The next start brings an older back-up's schema up to date.
      """)

  @Option(help: ArgumentHelp("The back-up.", valueName: "file"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "The place of the database: sqlite:PATH, as in --database.", valueName: "location"))
  var to: String

  @Flag(help: "Replace a database that stands there; it is kept under another name.")
  var replace = false

  func run() throws {
    guard case .sqlite(let path) = try DatabaseLocation(to) else {
      throw CommandError(
        usage: "A PostgreSQL database is restored with pg_restore: see docs/backing-up.md.")
    }
    let restore: SQLiteRestore
    do {
      restore = try SQLiteRestore(from: from, to: path, replacing: replace)
    } catch SQLiteStorageError.databaseInUse {
      throw CommandError("Another process, most likely a server, holds the database \(path). Stop it first.")
    }
    let (found, former) = try UnfinishedFile(restore.unfinishedPath).run(restore.run)
    print(try WholeDatabaseLine(file: path, found, former: former).text())
  }
}
