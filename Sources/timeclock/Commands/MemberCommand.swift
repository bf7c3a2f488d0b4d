import ArgumentParser
import Credentials
import Glibc
import TimeclockDomain

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

    func run() async throws {
      guard let password = readLine(strippingNewline: true) else {
        throw ValidationError("There is no password on standard input.")
      }
      let line: String = try await database.withTimeclock(
        whenInUse: "Stop it first, or have an admin use updateMember (PATCH …/members/{userId})."
      ) { timeclock in
        let (key, member) = try await whose.member(in: timeclock)
        _ = try await timeclock.updateMember(
          member.userID, MemberChanges(),
          password: NewPassword { obvious in try await PasswordHasher().hash(password, obvious: obvious) },
          expectedVersion: nil, by: timeclock.operatorMembership(in: key))
        return #"{"organizationID":"\#(member.organizationID)","userId":"\#(member.userID)"}"#
      }
      print(line)
    }
  }
}
