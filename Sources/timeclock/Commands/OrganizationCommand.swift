import ArgumentParser
import Credentials
import Glibc
import SQLiteStorage
import TimeclockDomain

/// `timeclock organization …`: what is done about organisations on the machine itself.
struct OrganizationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "organization", abstract: "Manage organizations.", subcommands: [Create.self])

  /// `timeclock organization create`: an organisation with its first admin.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an organization with its first admin.",
      discussion: """
        Prints one JSON object with organizationID, userId and token. The token is shown this once. While a \
        server holds the database, use the operation createOrganization (POST /v1/organizations) instead.
        """)

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The organization's name.")
    var name: String

    @Option(help: "The organization's time zone, such as Europe/Berlin.")
    var timeZone: String

    @Option(help: "The admin's e-mail address.")
    var adminEmail: String

    @Option(help: "The admin's name.")
    var adminName: String

    @Flag(help: "Read the admin's password from the first line of standard input.")
    var adminPasswordStdin = false

    func run() async throws {
      let storage = try database.location().open(
        whenInUse: """
          Stop it first, or use its operation createOrganization (POST /v1/organizations, with the operator's \
          token).
          """, report: { StandardErrorLog.shared.append("database: \($0)", level: .error) }, onFailure: {})
      defer { StandardErrorLog.shared.finish() }
      do {
        print(try await create(in: storage))
      } catch let error as TimeclockError {
        await storage.close()
        throw CommandError("\(error.code): \(error.detail)")
      }
      await storage.close()
    }

    private func create(in storage: SQLiteStorage) async throws -> String {
      let password = adminPasswordStdin ? try Self.readPassword() : nil
      let newPassword = password.map { text in NewPassword { try await PasswordHasher().hash(text) } }
      let token = BearerToken()
      let created = try await Timeclock(storage: storage).createOrganization(
        NewOrganizationRequest(
          name: name, timeZone: timeZone, adminEmail: adminEmail, adminName: adminName),
        password: newPassword, token: token.digest)
      // Ids and tokens are plain ASCII words, which JSON takes as they are.
      return #"{"organizationID":"\#(created.organization.id)","userId":"\#(created.admin.id)","#
        + #""token":"\#(token.text)"}"#
    }

    private static func readPassword() throws -> String {
      guard let line = readLine(strippingNewline: true) else {
        throw ValidationError("There is no password on standard input.")
      }
      return line
    }
  }
}
