import ArgumentParser
import Credentials
import FoundationEssentials
import Glibc
import SQLiteStorage
import TimeclockDomain

/// `timeclock organization …`: commands for organizations, run on the machine itself.
struct OrganizationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "organization", abstract: "Manage organizations.", subcommands: [Create.self, List.self])

  /// `timeclock organization create`: makes an organization with its first admin.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an organization with its first admin.",
      discussion: """
        Prints one JSON object with organizationID, userId, token and expiresAt. The token is shown this once, and is a \
        log-in of 30 days: give the admin a password too (--admin-password-stdin, or timeclock member set-password), or \
        make an API token of a year (timeclock token create). While a server holds an SQLite database, use the operation \
        createOrganization (POST /v1/organizations) instead.
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
    /// - Throws: `CommandError`.
    private func create(passwordHash: PasswordHash?) async throws -> String {
      let token = BearerToken()
      let request = NewOrganizationRequest(
        name: name, timeZone: timeZone, adminEmail: adminEmail, adminName: adminName)
      let created = try await database.withTimeclock(
        whenInUse: """
          Stop it first, or use its operation createOrganization (POST /v1/organizations, with the operator's \
          token).
          """
      ) { timeclock in
        try await timeclock.createOrganization(
          request, password: passwordHash.map { hash in NewPassword { _ in hash } }, token: token.digest,
          by: Author(means: .operator))
      }
      // Ids and tokens are plain ASCII words, which JSON takes as they are.
      return #"{"organizationID":"\#(created.organization.id)","userId":"\#(created.admin.id)","#
        + #""token":"\#(token.text)","expiresAt":"\#(created.tokenExpiresAt.rfc3339)"}"#
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

  /// `timeclock organization list`: lists the organizations with their active admins.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the organizations of a database.",
      discussion: """
        Prints one JSON object a line: organizationID, name, timeZone, createdAt, and the e-mail addresses of the active \
        admins.
        """)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
      try await database.withTimeclock(whenInUse: "Stop it first.") { timeclock in
        for one in try await timeclock.storage.organizations() {
          let organization = try await timeclock.storage.organization(one.key)
          let listed = ListedOrganization(
            organizationID: "\(organization.id)", name: organization.name,
            timeZone: organization.timeZone.name, createdAt: organization.createdAt.rfc3339,
            admins: try await timeclock.activeAdmins(of: one.key).map(\.email))
          let encoder = JSONEncoder()
          encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
          print(String(decoding: try encoder.encode(listed), as: UTF8.self))
        }
      }
    }
  }
}

private struct ListedOrganization: Encodable {
  let organizationID: String
  let name: String
  let timeZone: String
  let createdAt: String
  let admins: [String]
}

extension Timeclock {
  fileprivate func activeAdmins(of organization: OrganizationKey) async throws -> [Member] {
    var found: [Member] = []
    var cursor: RowCursor?
    repeat {
      let page = try await storage.members(of: organization, after: cursor, limit: 1_000)
      found += page.elements.filter { $0.role == .admin && $0.isActive }
      cursor = page.next
    } while cursor != nil
    return found
  }
}
