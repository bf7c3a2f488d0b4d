import ArgumentParser
import PostgreSQLStorage

/// Where the data is kept: `sqlite:PATH`, or a PostgreSQL database in any form that libpq reads.
enum DatabaseLocation: ExpressibleByArgument, Sendable {
  /// The SQLite file.
  case sqlite(path: String)
  case postgreSQL(PostgreSQLLocation)

  static let standard = DatabaseLocation.sqlite(path: "timeclock.db")

  init?(argument: String) {
    if argument.hasPrefix(Self.sqliteScheme) {
      guard let path = Self.path(argument.dropFirst(Self.sqliteScheme.count)) else { return nil }
      self = .sqlite(path: path)
    } else {
      // A word alone would be libpq's database of that name: more likely it is a path without its scheme.
      let isLocation = argument.contains("=") || argument.contains("://")
      guard isLocation, let location = try? PostgreSQLLocation(argument) else { return nil }
      self = .postgreSQL(location)
    }
  }

  private static func path(_ text: Substring) -> String? {
    var path = text
    if path.hasPrefix("///") { path = path.dropFirst(2) }
    guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:", !path.contains("\0") else { return nil }
    return String(path)
  }

  /// Never with a password.
  var defaultValueDescription: String {
    switch self {
    case .sqlite(let path): Self.sqliteScheme + path
    case .postgreSQL: "postgresql"
    }
  }

  private static let sqliteScheme = "sqlite:"
}

/// The option that says where the data is kept.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where the data is kept: sqlite:PATH, or a PostgreSQL database as postgresql://… or as keywords and values \
      such as "host=db dbname=timeclock". (default: sqlite:timeclock.db; TIMECLOCK_DATABASE)
      """,
      valueName: "location"))
  var database: DatabaseLocation?

  func location() throws -> DatabaseLocation {
    try Setting.value(database, "TIMECLOCK_DATABASE", default: .standard)
  }
}
