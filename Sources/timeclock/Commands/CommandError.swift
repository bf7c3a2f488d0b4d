/// The reason why a command ends without success: one line for the person at the terminal.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
