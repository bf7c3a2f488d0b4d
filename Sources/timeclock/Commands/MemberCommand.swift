import ArgumentParser

/// `timeclock member …`: commands for members, run on the machine itself.
struct MemberCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "member", abstract: "Let somebody back in.", subcommands: [SetPassword.self])

  /// `timeclock member set-password`: gives a member a new password.
  struct SetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a member a new password.",
      discussion: """
        Reads the password from the first line of standard input. All log-ins of the person end, and the API tokens of \
        this organization that are theirs. A member who was deactivated stays so. Prints one JSON object with the \
        organizationID and the userId.
        """)

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var whose: MemberOptions

    @Flag(help: "The person has to change it at the first log-in.")
    var oneTime = false

    func run() async throws {
      guard let password = readLine(strippingNewline: true) else {
        throw ValidationError("There is no password on standard input.")
      }
      try await database.perform(
        .setPassword(member: whose.member, password: password, isOneTime: oneTime))
    }
  }
}
