/// The reason why a command ends without success: one line for the person at the terminal.
struct CommandError: Error, CustomStringConvertible {
  let description: String
  /// The absolute path of the SQLite database that another process holds; nil for any other reason.
  var heldDatabase: String?

  init(_ description: String) {
    self.description = description
  }
}
