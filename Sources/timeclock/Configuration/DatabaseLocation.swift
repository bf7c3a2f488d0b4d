import ArgumentParser
import PostgreSQLStorage

/// Where the data is kept: `sqlite:PATH`, or a PostgreSQL database in any form that libpq reads.
///
/// It may hold a password, so it is no value that ArgumentParser reads: that repeats what it cannot read.
enum DatabaseLocation: Sendable {
  /// The SQLite file.
  case sqlite(path: String)
  case postgreSQL(PostgreSQLLocation)

  /// - Throws: `CommandError` for text that is no location, which it does not repeat.
  init(_ text: String) throws {
    if text.hasPrefix(Self.sqliteScheme) {
      guard let path = Self.path(text.dropFirst(Self.sqliteScheme.count)) else {
        throw CommandError("The database location is not valid: sqlite: needs the path of a file after it.")
      }
      self = .sqlite(path: path)
    } else {
      // A word alone would be libpq's database of that name: more likely it is a path without its scheme.
      guard text.contains("=") || text.contains("://") else {
        throw CommandError(
          "The value of --database is not valid: it is sqlite:PATH, or a PostgreSQL database (see --help).")
      }
      self = .postgreSQL(try PostgreSQLLocation(text))
    }
  }

  private static func path(_ text: Substring) -> String? {
    var path = text
    if path.hasPrefix("///") { path = path.dropFirst(2) }
    guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:", !path.contains("\0") else { return nil }
    return String(path)
  }

  private static let sqliteScheme = "sqlite:"
}

/// The option that says where the data is kept.
struct DatabaseOptions: ParsableArguments {
  @Option(.database) var database: String?

  /// - Throws: `CommandError`, `PostgreSQLStorageError` for text that is no location.
  func location() throws -> DatabaseLocation {
    try DatabaseLocation(Setting.database.value(database))
  }
}
