import ArgumentParser
import Credentials
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

    @Option(help: "What the token is for.")
    var name: String

    @Option(help: "When it ends, such as 2027-01-01T00:00:00Z. (default: in a year)")
    var expiresAt: String?

    @Option(help: "What it may do: full for all that the member may, read for reading alone.")
    var scope = ApiTokenScope.full

    func run() async throws {
      let expiry = try expiresAt.map { text in
        guard let instant = Instant(rfc3339: text) else {
          throw ValidationError("--expires-at is no instant such as 2027-01-01T00:00:00Z.")
        }
        return instant
      }
      let line: String = try await database.withTimeclock(
        whenInUse: "Stop it first, or have an admin use createApiToken (POST …/apiTokens)."
      ) { timeclock in
        let (key, member) = try await whose.member(in: timeclock)
        let token = BearerToken()
        let made = try await timeclock.createApiToken(
          name: name, for: member.userID, scope: scope, expiresAt: expiry, digest: token.digest,
          by: timeclock.operatorMembership(in: key))
        return
          #"{"apiTokenId":"\#(made.id)","scope":"\#(made.scope.rawValue)","token":"\#(token.text)","#
          + #""expiresAt":"\#(made.expiresAt.rfc3339)"}"#
      }
      print(line)
    }
  }
}

extension ApiTokenScope: ExpressibleByArgument {}
