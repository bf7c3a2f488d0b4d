import ArgumentParser
import TimeclockDomain

/// `timeclock token …`: commands for API tokens, run on the machine itself.
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make API tokens.", subcommands: [Create.self])

  /// `timeclock token create`: makes an API token that acts as a member.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an API token that acts as a member.",
      discussion:
        "Prints one JSON object with apiTokenId, scope, token and expiresAt. The token is shown this once."
    )

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var whose: MemberOptions

    @Option(help: "The purpose of the token.")
    var name: String

    @Option(help: "When it ends, such as 2027-01-01T00:00:00Z. (default: in a year)")
    var expiresAt: String?

    @Option(help: "Its rights: full for all that the member may do, read for reading alone.")
    var scope = ApiTokenScope.full

    func validate() throws {
      if let expiresAt, Instant(rfc3339: expiresAt) == nil {
        throw ValidationError("--expires-at is no instant such as 2027-01-01T00:00:00Z.")
      }
    }

    func run() async throws {
      try await database.perform(
        .createToken(
          member: whose.member, name: name, scope: scope.rawValue, expiresAt: expiresAt))
    }
  }
}

extension ApiTokenScope: ExpressibleByArgument {}
