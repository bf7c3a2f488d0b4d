import Procedures
import Synchronization
import TimeclockDomain

/// A storage with organizations and people that tests are about.
final class World: Sendable {
  let storage: any Storage
  private let identifiers = IdentifierGenerator()
  private let count = Atomic(0)

  /// 2026-11-20T09:00:00.123Z.
  static let start = Instant(millisecondsSince1970: 1_795_165_200_123)
  /// The password of people who are made without saying which.
  static let passwordHash = PasswordHash(text: "$scrypt$secret")
  /// Its date in UTC.
  static let today = LocalDate(year: 2026, month: 11, day: 20) ?? .latest

  init(_ underTest: StorageUnderTest) {
    storage = underTest.storage
  }

  func id<Subject>() -> Identifier<Subject> { identifiers.next(at: Self.start) }

  /// A number that no other part of the test has.
  func unique() -> Int { count.add(1, ordering: .relaxed).newValue }

  func digest() -> TokenDigest {
    let number = unique()
    return TokenDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4)) &+ $0) })
  }

  func token(expiresAt: Instant = .latest, client: LogInClient? = nil) -> NewToken {
    NewToken(digest: digest(), createdAt: Self.start, expiresAt: expiresAt, client: client)
  }

  func account(
    email: String? = nil, name: String = "Ana", passwordHash: PasswordHash? = nil
  ) throws -> NewAccount {
    NewAccount(
      userID: id(), email: try EmailAddress(email ?? "person\(unique())@example.com"), name: name,
      passwordHash: passwordHash)
  }

  /// A new organization with an admin.
  func organization(
    admin account: NewAccount? = nil, policy: Policy = .standard
  ) async throws -> TestOrganization {
    let organization = Organization(
      id: id(), name: "Acme", timeZone: zone("Europe/Berlin"), policy: policy, createdAt: Self.start,
      updatedAt: Self.start)
    let token = token()
    let user = try await storage.createOrganization(
      organization, admin: account ?? self.account(passwordHash: Self.passwordHash), token: token,
      context: .test())
    let authentication = try await authenticate(token.digest, in: organization.id)
    return TestOrganization(
      id: organization.id, key: authentication.key.organization,
      admin: TestMember(id: user.id, key: authentication.key, email: user.email), adminToken: token.digest)
  }

  /// A new member of an organization.
  func member(
    of organization: TestOrganization, role: Role = .member, account: NewAccount? = nil
  ) async throws -> TestMember {
    let member = try await storage.createMember(
      account ?? self.account(passwordHash: Self.passwordHash),
      NewMember(organization: organization.key, role: role, timeZone: nil), context: .test())
    guard let membership = try await storage.membership(of: member.userID, in: organization.key) else {
      throw Missing()
    }
    return TestMember(id: member.userID, key: membership.key, email: member.email)
  }

  /// A new log-in of a member.
  func logIn(
    _ member: TestMember, expiresAt: Instant = .latest, client: LogInClient? = nil
  ) async throws -> TokenDigest {
    let token = token(expiresAt: expiresAt, client: client)
    let hash = try await storage.passwordHash(of: member.key.user) ?? Self.passwordHash
    try await storage.createLogInToken(token, for: member.key.user, checkedHash: hash)
    return token.digest
  }

  /// A new API token in a member's name.
  func apiToken(
    for member: TestMember, in organization: TestOrganization, expiresAt: Instant = .latest
  ) async throws -> (token: ApiToken, digest: TokenDigest) {
    let token = ApiToken(
      id: id(), name: "Payroll", userID: member.id, scope: .full, createdAt: Self.start,
      expiresAt: expiresAt, lastUsedAt: nil)
    let digest = digest()
    try await storage.createApiToken(token, digest: digest, in: organization.key, context: .test())
    return (token, digest)
  }

  /// The membership that a token gives; a test fails if it gives none.
  func authenticate(_ digest: TokenDigest, in organization: OrganizationID) async throws -> Membership {
    guard
      let membership = try await storage.authenticate(digest, organizationID: organization, at: Self.start)?
        .membership
    else { throw Missing() }
    return membership
  }

  /// Whether a token is good for anything.
  func isGood(_ digest: TokenDigest, at now: Instant = World.start) async throws -> Bool {
    try await storage.authenticate(digest, organizationID: nil, at: now) != nil
  }
}

struct TestOrganization: Sendable {
  let id: OrganizationID
  let key: OrganizationKey
  let admin: TestMember
  let adminToken: TokenDigest
}

struct TestMember: Hashable, Sendable {
  let id: UserID
  let key: MemberKey
  let email: String
}

/// Something that the test has just made is not there.
struct Missing: Error {}

func zone(_ name: String) -> TimeZoneIdentifier {
  guard let zone = TimeZoneIdentifier(name) else { fatalError("\(name) is no zone name") }
  return zone
}

extension ChangeContext {
  /// A change by nobody in particular.
  static func test(at time: Instant = World.start) -> ChangeContext {
    ChangeContext(author: .service, operation: "test", time: time)
  }
}

extension Instant {
  /// `hours` hours after the start of the world.
  static func hour(_ hours: Double) -> Instant {
    World.start.adding(milliseconds: Int64(hours * 3_600_000))
  }

  /// The date in UTC.
  var utcDate: LocalDate {
    let day = 86_400_000 as Int64
    let (quotient, remainder) = millisecondsSince1970.quotientAndRemainder(dividingBy: day)
    return LocalDate(daysSince1970: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
  }
}
