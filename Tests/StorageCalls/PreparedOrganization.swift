import Procedures
import TimeclockDomain

/// An organization in which every method of a storage has something to do: an admin, a member who is clocked in, a
/// session of theirs, an entry at it, and an API token.
package struct PreparedOrganization: Sendable {
  /// A person, as calls name one.
  package struct Person: Sendable {
    package var id: UserID
    package var key: MemberKey
    package var email: EmailAddress
  }

  /// The names and ids of an organization's resources.
  package struct Names: Sendable {
    package var text: String
    package var adminEmail: EmailAddress
    package var memberEmail: EmailAddress
    private let ids = Dictionary(
      uniqueKeysWithValues: Snapshot.Kind.allCases.map { ($0, next() as ResourceID) })

    package var entry: TimeEntryID { id(of: .timeEntry) }
    package var apiToken: ApiTokenID { id(of: .apiToken) }

    /// The id of the one that is prepared of this kind.
    func id<Resource>(of kind: Snapshot.Kind) -> Identifier<Resource> {
      let id = ids[kind] ?? next()
      return Identifier(high: id.high, low: id.low)
    }

    /// Names that nothing else has, the text apart.
    init(_ text: String) throws {
      self.text = text
      adminEmail = try newEmail()
      memberEmail = try newEmail()
    }
  }

  package var id: OrganizationID
  package var key: OrganizationKey
  package var timeZone: TimeZoneIdentifier
  package var names: Names
  package var admin: Person
  /// An active member with a log-in and an API token, who has been clocked in since `start`.
  package var member: Person
  /// The digest of the admin's log-in, and its row.
  package var logIn: TokenDigest
  package var logInKey: Int64
  /// The digest of the API token in the member's name.
  package var apiTokenDigest: TokenDigest

  /// 2026-11-20T09:00:00.123Z, when everything is made and asked.
  package static let start = Instant(millisecondsSince1970: 1_795_165_200_123)
  /// Its date in UTC.
  package static let today = LocalDate(year: 2026, month: 11, day: 20) ?? .latest
  /// The hash of everybody's password.
  package static let password = PasswordHash(text: "$scrypt$a")

  private static let identifiers = IdentifierGenerator()

  /// An id that nothing has.
  package static func next<Subject>() -> Identifier<Subject> { identifiers.next(at: start) }

  /// The head of a record of the organization's.
  func head<Record>(_ id: Identifier<Record> = next()) -> Head<Record> {
    Head(id: id, organizationID: self.id, at: Self.start)
  }

  /// An address that nobody has.
  package static func newEmail() throws -> EmailAddress {
    let id: UserID = next()
    return try EmailAddress("\(id.text)@example.com")
  }

  /// A digest that no token and no request has. Its first bytes differ from others', as those of SHA-256 do: storages
  /// make locks of them.
  package static func newDigest() -> TokenDigest {
    let id: UserID = next()
    return TokenDigest(bytes: Array((id.text + id.text).utf8.reversed().prefix(32)))
  }

  /// Makes an organization.
  ///
  /// - Parameter other: An organization to be mistaken for: its admin and its member are those of the new one too, and
  ///   session, entry and API token, and everything else that is prepared, get the same ids.
  package static func make(
    _ text: String, like other: PreparedOrganization? = nil, in storage: any Storage
  ) async throws -> PreparedOrganization {
    var names = try other?.names ?? Names(text)
    names.text = text
    // A person who is there keeps the password there is.
    let password = other == nil ? Self.password : nil
    guard let timeZone = TimeZoneIdentifier("Europe/Berlin") else { throw MissingPart() }
    let id: OrganizationID = next()
    let logIn = newDigest()
    var organization = Organization(
      id: id, name: text, timeZone: timeZone, createdAt: start, updatedAt: start)
    organization.policy.remindAfterSeconds = 3_600
    _ = try await storage.createOrganization(
      organization, admin: account(names.adminEmail, text, password),
      token: NewToken(digest: logIn, createdAt: start, expiresAt: .latest, client: nil), context: .call)
    guard let found = try await storage.authenticate(logIn, organizationID: id, at: start),
      let admin = found.membership
    else { throw MissingPart() }
    let added = try await storage.createMember(
      account(names.memberEmail, text, password),
      NewMember(organization: admin.key.organization, role: .member, timeZone: nil), context: .call)
    guard let member = try await storage.membership(of: added.userID, in: admin.key.organization) else {
      throw MissingPart()
    }
    let made = PreparedOrganization(
      id: id, key: admin.key.organization, timeZone: timeZone, names: names,
      admin: Person(id: admin.userID, key: admin.key, email: names.adminEmail),
      member: Person(id: member.userID, key: member.key, email: names.memberEmail), logIn: logIn,
      logInKey: found.tokenKey, apiTokenDigest: newDigest())
    for part in StorageCalls.parts { try await part.prepare(made, storage) }
    return made
  }

  /// An account that is not there yet, unless the address has one.
  static func account(
    _ email: EmailAddress, _ name: String, _ password: PasswordHash? = nil
  ) -> NewAccount {
    NewAccount(userID: next(), email: email, name: name, passwordHash: password)
  }

  /// This organization's key with everything else of another's: the calls of somebody who knows the other's ids.
  package func asking(about other: PreparedOrganization) -> PreparedOrganization {
    var asking = other
    asking.id = id
    asking.key = key
    asking.admin = admin
    asking.member.key = MemberKey(organization: key, user: other.member.key.user)
    asking.names.text = names.text
    asking.names.adminEmail = names.adminEmail
    return asking
  }
}

extension PreparedOrganization {
  /// An entry that begins `hours` hours after `start` and lasts one, or runs on.
  func entry(
    _ id: TimeEntryID = PreparedOrganization.next(), of person: Person, hours: Int64, isActive: Bool = false,
    session: SessionID? = nil
  ) -> TimeEntry {
    let begin = Self.start.adding(milliseconds: hours * 3_600_000)
    return TimeEntry(
      id: id, userID: person.id, organizationID: self.id, clockInTime: begin,
      clockOutTime: isActive ? nil : begin.adding(milliseconds: 3_600_000), date: Self.today,
      timeZone: timeZone, offsetSeconds: 3_600, sessionID: session,
      notes: Notes(stored: names.text), source: .api, flags: [], version: 1, createdAt: begin,
      updatedAt: begin)
  }

  /// The entry, to be kept for its person.
  func new(_ entry: TimeEntry, needsSessionAssignment: Bool = true) -> NewTimeEntry {
    let key = entry.userID == admin.id ? admin.key : member.key
    return NewTimeEntry(
      member: key, entry: entry, needsSessionAssignment: needsSessionAssignment, context: .call)
  }

  func session(_ id: SessionID = PreparedOrganization.next(), of assignees: [UserID]) -> Session {
    Session(
      id: id, organizationID: self.id, date: Self.today, title: names.text, startTime: nil, endTime: nil,
      location: nil, assigneeIDs: assignees, version: 1, createdAt: Self.start, updatedAt: Self.start)
  }

  func apiToken(_ id: ApiTokenID = PreparedOrganization.next(), of person: Person) -> ApiToken {
    ApiToken(
      id: id, name: names.text, userID: person.id, scope: .full, createdAt: Self.start, expiresAt: .latest,
      lastUsedAt: nil)
  }
}

extension ChangeContext {
  /// That of every call.
  static let call = ChangeContext(author: .service, operation: "call", time: PreparedOrganization.start)
}

/// Something that was just made is not there.
struct MissingPart: Error {}
