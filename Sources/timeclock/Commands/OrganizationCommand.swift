import ArgumentParser
import Credentials
import FoundationEssentials
import Glibc
import TimeclockDomain

/// `timeclock organization …`: commands for organizations, run on the machine itself.
struct OrganizationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "organization", abstract: "Manage organizations.",
    subcommands: [
      Create.self, CreateDemo.self, List.self, Show.self, Deactivate.self, Reactivate.self, Delete.self,
      MoveCommand.self,
    ])

  /// `timeclock organization create`: makes an organization with its first admin.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an organization with its first admin.",
      discussion: """
        Prints one JSON object with organizationID, userId, token and expiresAt. The token is shown this once, and is a \
        log-in of 30 days: give the admin a password too (--admin-password-stdin, or timeclock member set-password), or \
        make an API token of a year (timeclock token create).
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
        try await database.perform(
          .createOrganization(
            OperatorTask.CreatedOrganization(
              name: name, timeZone: timeZone, adminEmail: adminEmail, adminName: adminName,
              adminPasswordHash: passwordHash?.text)))
      } catch let error as TimeclockError {
        throw CommandError(error)
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

  /// `timeclock organization create-demo`: makes an organization to try the service with.
  struct CreateDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an organization to try, with people and two weeks of time.",
      discussion: """
        For a database that can be thrown away. Prints one JSON object with organizationID, and userId, token, expiresAt, \
        email and password of the admin; three more members, mia@example.com, noa@example.com (a manager) and \
        ivo@example.com, have the same password.
        """)

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The organization's time zone, such as Europe/Berlin.")
    var timeZone: String

    func run() async throws {
      guard let zone = TimeZoneIdentifier(timeZone), TimeZoneDatabase().zone(zone) != nil else {
        throw CommandError(TimeclockError.unknownTimeZone)
      }
      let demo = DemoOrganization(timeZone: timeZone)
      print(
        try await database.withTimeclock(whenInUse: "Stop it, or name another database.") {
          try await demo.create(in: $0)
        })
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

    func run() async throws { try await database.perform(.listOrganizations) }
  }

  /// `timeclock organization show`: shows an organization with the numbers of its members.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show an organization of a database.",
      discussion: """
        Prints one JSON object: what organization list prints, and activeMembers by role, inactiveMembers, and how many \
        are clockedIn.
        """)

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var named: OrganizationOption

    func run() async throws {
      try await database.perform(.showOrganization(organization: named.organization))
    }
  }

  /// `timeclock organization deactivate`: closes an organization to everybody.
  struct Deactivate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close an organization to everybody, and keep all of it.",
      discussion: """
        Its members and its API tokens are answered 403 organization_deactivated from now on, and who is clocked in is \
        clocked out. Prints one JSON object with organizationID and state.
        """)

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var named: OrganizationOption

    func run() async throws {
      try await database.perform(.setActive(organization: named.organization, isActive: false))
    }
  }

  /// `timeclock organization reactivate`: opens an organization again.
  struct Reactivate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Open an organization again that was deactivated.",
      discussion: """
        Its members, log-ins and API tokens are good again. Prints one JSON object with organizationID and state.
        """)

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var named: OrganizationOption

    func run() async throws {
      try await database.perform(.setActive(organization: named.organization, isActive: true))
    }
  }

  /// `timeclock organization delete`: deletes an organization for ever.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an organization that is deactivated, for ever.",
      discussion: """
        Its entries, sessions, break types, tokens and members go, the accounts that belong to no other organization, and \
        the content of its changes. What stays is the chain of the changes, which tells no more than that there were some. \
        Others write meanwhile. Run it again if it was interrupted. Prints one JSON object with organizationID and \
        deleted.
        """)

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var named: OrganizationOption

    @Option(help: "The organization's name, to say that it is meant.")
    var confirm: String

    func run() async throws {
      var (place, erasedThrough) = (named.organization, 0 as Int64)
      while true {
        let lines = try await database.lines(
          of: .deleteOrganization(
            organization: place, confirmedName: confirm, erasedThrough: erasedThrough))
        let state = try JSONDecoder().decode(
          OrganizationDeletionLine.self, from: Data((lines.first ?? "").utf8))
        guard let next = state.erasedThrough else {
          for line in lines { print(line) }
          return
        }
        // It has no name any more.
        (place, erasedThrough) = (state.organizationID, next)
      }
    }
  }
}
