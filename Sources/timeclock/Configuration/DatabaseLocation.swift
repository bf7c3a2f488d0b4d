import ArgumentParser

/// Where the data is kept: `sqlite:PATH`.
struct DatabaseLocation: ExpressibleByArgument, Sendable {
  /// The SQLite file.
  let path: String

  static let standard = DatabaseLocation(path: "timeclock.db")

  private init(path: String) {
    self.path = path
  }

  init?(argument: String) {
    let scheme = "sqlite:"
    guard argument.hasPrefix(scheme) else { return nil }
    var path = argument.dropFirst(scheme.count)
    if path.hasPrefix("///") { path = path.dropFirst(2) }
    guard !path.isEmpty, !path.hasPrefix("//"), path != ":memory:", !path.contains("\0") else { return nil }
    self.init(path: String(path))
  }

  var defaultValueDescription: String { "sqlite:\(path)" }
}

/// The option that says where the data is kept.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the data is kept, as sqlite:PATH. (default: sqlite:timeclock.db; TIMECLOCK_DATABASE)",
      valueName: "location"))
  var database: DatabaseLocation?

  func location() throws -> DatabaseLocation {
    try Setting.value(database, "TIMECLOCK_DATABASE", default: .standard)
  }
}
