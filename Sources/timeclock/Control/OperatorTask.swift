import Credentials
import FoundationEssentials
import Procedures
import TimeclockDomain

/// The work of a command on the organizations of a database.
///
/// The command does it itself, or asks the server that holds the database to (`ControlSocket`); both are this code. A task
/// is sent as JSON, so a case may get members, but none changes its meaning.
enum OperatorTask: Codable, Sendable {
  case createOrganization(CreatedOrganization)
  case listOrganizations
  case showOrganization(organization: String)
  case setActive(organization: String, isActive: Bool)
  /// Deletes a part that takes some seconds at most.
  case deleteOrganization(organization: String, confirmedName: String, erasedThrough: Int64)
  /// A password that is for one time has to be changed at the first log-in; nil for one that is not.
  case setPassword(member: NamedMember, password: String, isOneTime: Bool?)
  case createToken(member: NamedMember, name: String, scope: String, expiresAt: String?)

  /// An organization to make, with its first admin.
  struct CreatedOrganization: Codable, Sendable {
    var name: String
    var timeZone: String
    var adminEmail: String
    var adminName: String
    /// The hash of the admin's password; nil for an admin without one.
    var adminPasswordHash: String?
  }

  /// A member by the organization's id or name, and the e-mail address.
  struct NamedMember: Codable, Sendable {
    var organization: String
    var email: String
  }

  /// The name of the task, for the log.
  var name: String {
    switch self {
    case .createOrganization: "organization create"
    case .listOrganizations: "organization list"
    case .showOrganization: "organization show"
    case .setActive(_, let isActive): isActive ? "organization reactivate" : "organization deactivate"
    case .deleteOrganization: "organization delete"
    case .setPassword: "member set-password"
    case .createToken: "token create"
    }
  }

  /// Does the work.
  ///
  /// - Parameter passwords: Hashes a password, if one is to be; called once at most.
  /// - Returns: The lines to print, each one JSON object.
  /// - Throws: `CommandError`, `TimeclockError`, the errors of the storage.
  func perform(on timeclock: Timeclock, passwords: () throws -> PasswordHasher) async throws -> [String] {
    switch self {
    case .createOrganization(let new): [try await new.perform(on: timeclock)]
    case .listOrganizations:
      try await timeclock.organizationSummaries().map { try Self.line($0) }
    case .showOrganization(let name):
      [
        try Self.line(
          await timeclock.organizationSummary(timeclock.organizationKey(named: name), isWhole: true))
      ]
    case .setActive(let name, let isActive):
      [try Self.line(await timeclock.setActive(isActive, organizationNamed: name))]
    case .deleteOrganization(let name, let confirmedName, let sequence):
      [
        try Self.line(
          await timeclock.deletePart(
            ofOrganizationNamed: name, confirmedName: confirmedName, erasedThrough: sequence))
      ]
    case .setPassword(let member, let password, let isOneTime):
      [try await member.setPassword(password, isOneTime: isOneTime ?? false, on: timeclock, passwords())]
    case .createToken(let member, let name, let scope, let expiresAt):
      [try await member.createToken(name: name, scope: scope, expiresAt: expiresAt, on: timeclock)]
    }
  }

  private static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

// Ids, tokens and instants are plain ASCII words, which JSON takes as they are.

extension OperatorTask.CreatedOrganization {
  fileprivate func perform(on timeclock: Timeclock) async throws -> String {
    let token = BearerToken()
    let created = try await timeclock.createOrganization(
      NewOrganizationRequest(name: name, timeZone: timeZone, adminEmail: adminEmail, adminName: adminName),
      password: adminPasswordHash.map { hash in NewPassword(hash: { _ in PasswordHash(text: hash) }) },
      token: token.digest, by: Author(means: .operator))
    return #"{"organizationID":"\#(created.organization.id)","userId":"\#(created.admin.id)","#
      + #""token":"\#(token.text)","expiresAt":"\#(created.tokenExpiresAt.rfc3339)"}"#
  }
}

extension OperatorTask.NamedMember {
  fileprivate func setPassword(
    _ password: String, isOneTime: Bool, on timeclock: Timeclock, _ passwords: PasswordHasher
  ) async throws -> String {
    let (key, member) = try await found(in: timeclock)
    _ = try await timeclock.updateMember(
      member.userID, MemberChanges(),
      password: NewPassword { obvious in
        try NewPasswordRules.check(password, obvious: obvious)
      } hash: { obvious in
        var hash = try await passwords.hash(password, obvious: obvious)
        hash.isOneTime = isOneTime
        return hash
      },
      expectedVersion: nil, by: timeclock.operatorMembership(in: key))
    return #"{"organizationID":"\#(member.organizationID)","userId":"\#(member.userID)"}"#
  }

  fileprivate func createToken(
    name: String, scope: String, expiresAt: String?, on timeclock: Timeclock
  ) async throws
    -> String
  {
    let expiry = try expiresAt.map { text in
      guard let instant = Instant(rfc3339: text) else {
        throw CommandError(usage: "--expires-at is no instant such as 2027-01-01T00:00:00Z.")
      }
      return instant
    }
    guard let scope = ApiTokenScope(rawValue: scope) else {
      throw CommandError(
        usage: "A token's scope is one of \(ApiTokenScope.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let (key, member) = try await found(in: timeclock)
    let token = BearerToken()
    let made = try await timeclock.createApiToken(
      name: name, for: member.userID, scope: scope, expiresAt: expiry, digest: token.digest,
      by: timeclock.operatorMembership(in: key))
    return #"{"apiTokenId":"\#(made.id)","scope":"\#(made.scope.rawValue)","token":"\#(token.text)","#
      + #""expiresAt":"\#(made.expiresAt.rfc3339)"}"#
  }

  private func found(in timeclock: Timeclock) async throws -> (organization: OrganizationKey, member: Member)
  {
    let key = try await timeclock.organizationKey(named: organization)
    return (key, try await timeclock.member(withEmail: email, in: key))
  }
}
