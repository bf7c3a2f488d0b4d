import ArgumentParser
import PostgreSQLStorage

/// The place of the data: `sqlite:PATH`, or a PostgreSQL database in any form that libpq reads.
///
/// It may hold a password, so ArgumentParser does not read it: that repeats text that it cannot read.
enum DatabaseLocation: Sendable {
  /// The SQLite file.
  case sqlite(path: String)
  case postgreSQL(PostgreSQLLocation)

  /// - Throws: `CommandError` for text that is not a location, without repeating the text.
  init(_ text: String) throws {
    if text.hasPrefix(Self.sqliteScheme) {
      guard let path = Self.path(text.dropFirst(Self.sqliteScheme.count)) else {
        throw CommandError(
          usage: "The database location is not valid: sqlite: needs the path of a file after it.")
      }
      self = .sqlite(path: path)
    } else {
      // libpq takes a word alone for the name of a database, but more likely it is a path without its scheme.
      guard text.contains("=") || text.contains("://") else {
        let meant = Self.looksLikeFile(text) ? " For a file: sqlite:\(text)." : ""
        throw CommandError(
          usage:
            "The value of \(Setting.database.name) is not valid: it is sqlite:PATH, or a PostgreSQL database (see --help).\(meant)"
        )
      }
      do {
        self = .postgreSQL(try PostgreSQLLocation(text))
      } catch {
        throw CommandError(usage: "\(error)")
      }
    }
  }

  /// The same place, from which nothing but reading is done if `isReadOnly`.
  ///
  /// - Throws: `CommandError` for an SQLite file, which no other process may write meanwhile.
  func reading(only isReadOnly: Bool) throws -> DatabaseLocation {
    guard isReadOnly else { return self }
    guard case .postgreSQL(var location) = self else {
      throw CommandError(
        usage: "\(Setting.readOnly.name) is for PostgreSQL: of an SQLite file this is the only server.")
    }
    location.isReadOnly = true
    return .postgreSQL(location)
  }

  /// Whether a word can only be the path of a file, and so holds no password.
  private static func looksLikeFile(_ text: String) -> Bool {
    let isPath = ["/", "./", "../"].contains { text.hasPrefix($0) }
    let isNamed = [".db", ".sqlite", ".sqlite3"].contains { text.hasSuffix($0) }
    return (isPath || isNamed) && !text.contains { $0 == "@" || $0 == ":" }
  }

  private static func path(_ text: Substring) -> String? {
    var path = text
    if path.hasPrefix("///") { path = path.dropFirst(2) }
    guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:", !path.contains("\0") else { return nil }
    return String(path)
  }

  private static let sqliteScheme = "sqlite:"
}

/// The option for the place of the data.
struct DatabaseOptions: ParsableArguments {
  @Option(.database) var database: String?

  /// - Throws: `CommandError`, `PostgreSQLStorageError` for text that is not a location.
  func location() throws -> DatabaseLocation {
    try DatabaseLocation(Setting.database.value(database))
  }
}
