/// The reason why a command ends without success: one line for the person at the terminal.
struct CommandError: Error, CustomStringConvertible {
  let description: String
  /// The number with which the process ends.
  var status = Self.failure
  /// The absolute path of the SQLite database that another process holds; nil for any other reason.
  var heldDatabase: String?

  init(_ description: String) {
    self.description = description
  }

  /// An option, a variable or an argument that cannot be meant: the same again fails again.
  init(usage description: String) {
    self.description = description
    status = Self.usage
  }

  /// The numbers with which the process ends, those of sysexits.h: any failure; wrong usage, which ArgumentParser ends with
  /// too; files that a person has to look at; a database that fails while it is in use.
  static let failure: Int32 = 1
  static let usage: Int32 = 64
  static let data: Int32 = 65
  static let software: Int32 = 70
}
