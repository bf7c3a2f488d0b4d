import ArgumentParser
import Credentials
import Glibc
import SQLiteStorage
import TimeclockDomain

/// `timeclock organization …`: commands for organizations, run on the machine itself.
struct OrganizationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "organization", abstract: "Manage organizations.", subcommands: [Create.self])

  /// `timeclock organization create`: makes an organization with its first admin.
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
      do {
        try checkNames()
        let passwordHash = try await readPasswordHash()
        print(try await create(passwordHash: passwordHash))
      } catch let error as TimeclockError {
        throw CommandError("\(error.code): \(error.detail)")
      }
    }

    /// Refuses input that creating would refuse, before a database file is made, so that a mistake leaves nothing behind.
    ///
    /// - Throws: `TimeclockError.invalidName`, `.unknownTimeZone`, `.invalidEmail`.
    private func checkNames() throws {
      _ = try Name.validated(name)
      guard let zone = TimeZoneIdentifier(timeZone), TimeZoneDatabase().zone(zone) != nil else {
        throw TimeclockError.unknownTimeZone
      }
      _ = try EmailAddress(adminEmail)
      _ = try Name.validated(adminName)
    }

    /// Makes the organization in the database, and the database too if it does not exist.
    ///
    /// - Returns: The line to print.
    /// - Throws: `TimeclockError`; `CommandError` if the database cannot be opened.
    private func create(passwordHash: PasswordHash?) async throws -> String {
      let storage = try database.location().open(
        whenInUse: """
          Stop it first, or use its operation createOrganization (POST /v1/organizations, with the operator's \
          token).
          """, report: { StandardErrorLog.shared.append("database: \($0)", level: .error) }, onFailure: {})
      defer { StandardErrorLog.shared.finish() }
      let token = BearerToken()
      let request = NewOrganizationRequest(
        name: name, timeZone: timeZone, adminEmail: adminEmail, adminName: adminName)
      let created: NewOrganization
      do {
        created = try await Timeclock(storage: storage).createOrganization(
          request, password: passwordHash.map { hash in NewPassword { _ in hash } }, token: token.digest,
          by: Author(means: .operator))
      } catch {
        await storage.close()
        throw error
      }
      await storage.close()
      // Ids and tokens are plain ASCII words, which JSON takes as they are.
      return #"{"organizationID":"\#(created.organization.id)","userId":"\#(created.admin.id)","#
        + #""token":"\#(token.text)"}"#
    }

    /// Returns the hash of the password on standard input; nil if none is to be read.
    ///
    /// - Throws: `TimeclockError.invalidPassword`, `.passwordTooCommon`; `ValidationError` if standard input has no line.
    private func readPasswordHash() async throws -> PasswordHash? {
      guard adminPasswordStdin else { return nil }
      guard let password = readLine(strippingNewline: true) else {
        throw ValidationError("There is no password on standard input.")
      }
      return try await PasswordHasher().hash(password, obvious: [adminEmail, name])
    }
  }
}
