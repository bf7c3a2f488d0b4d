import ArgumentParser

/// `timeclock verify`: checks that a database is intact.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that a database is whole.",
    discussion: """
      Reads one moment of the database, beside servers that run: its pages, indexes and references, the rules that \
      hold for all entries, the log of changes, and every row against the log. Changes nothing. Prints a line for the \
      database and one for each organization, and a line for each fault; ends with 1 where there is any. Keep the \
      heads somewhere else, as with timeclock audit verify.
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var heads: ExpectedHeads

  func run() throws {
    guard try Verification(expectedHeads: Set(heads.expecting)).run(on: database.location()) else {
      throw ExitCode(1)
    }
  }
}

/// The option that names heads of chains.
struct ExpectedHeads: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A head that an earlier run printed; it has to be in one of the chains. Can be given several times.",
      valueName: "sequence:hash"))
  var expecting: [String] = []
}
