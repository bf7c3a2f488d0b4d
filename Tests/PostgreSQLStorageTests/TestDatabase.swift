import PostgreSQLTestCluster
import SchemaMigrations
import Synchronization
import TimeclockDomain

@testable import PostgreSQLStorage

/// A database of a test's own.
final class TestDatabase: Sendable {
  let cluster: PostgreSQLTestCluster
  let conninfo: String
  /// The lines logged by storages.
  let log = Mutex<[String]>([])

  private init(on cluster: PostgreSQLTestCluster) throws {
    self.cluster = cluster
    conninfo = try cluster.makeDatabase()
  }

  /// Runs a test with a database of the process's cluster.
  static func run(_ test: (TestDatabase) async throws -> Void) async throws {
    await Turnstile.shared.enter()
    defer { Turnstile.shared.leave() }
    let database = try TestDatabase(on: PostgreSQLTestCluster.shared.get())
    defer { try? database.cluster.removeDatabase(database.conninfo) }
    try await test(database)
  }

  /// Runs a test with a cluster of its own, which it may stop and change.
  static func runWithCluster(_ test: (TestDatabase) async throws -> Void) async throws {
    await Turnstile.shared.enter()
    defer { Turnstile.shared.leave() }
    let cluster = try PostgreSQLTestCluster()
    defer { cluster.remove() }
    try await test(TestDatabase(on: cluster))
  }

  func open(
    _ conninfo: String? = nil, connectionsPerLoop: Int = 3
  ) throws -> PostgreSQLStorage {
    // Nothing but the test's own work.
    try PostgreSQLStorage.open(
      PostgreSQLLocation(conninfo ?? self.conninfo), connectionsPerLoop: connectionsPerLoop, now: Self.now,
      sealingDelay: nil
    ) { [self] line in log.withLock { $0.append(line) } }
  }

  /// A connection of the cluster's superuser, who sees the rows of every organization.
  func connectAsAdministrator() throws -> EstablishedConnection {
    try EstablishedConnection.connect(PostgreSQLLocation(cluster.administratorConninfo(of: conninfo)))
  }

  /// Runs SQL as somebody else would.
  @discardableResult
  func execute(_ sql: String) throws -> String {
    try cluster.execute(sql, in: conninfo)
  }

  static let now = Instant(millisecondsSince1970: 1_795_165_200_123)
}

/// An organization with one member, its admin.
struct TestOffice: Sendable {
  let storage: PostgreSQLStorage
  let organization: Organization
  let member: Membership
  let token: TokenDigest
  static let identifiers = IdentifierGenerator()

  init(in storage: PostgreSQLStorage, number: UInt8 = 1) async throws {
    let now = TestDatabase.now
    guard let zone = TimeZoneIdentifier("Europe/Berlin") else { throw Absent() }
    self.storage = storage
    token = TokenDigest(bytes: Array(repeating: number, count: 32))
    organization = Organization(
      id: Self.identifiers.next(at: now), name: "Acme", timeZone: zone, createdAt: now, updatedAt: now)
    let admin = NewAccount(
      userID: Self.identifiers.next(at: now), email: try EmailAddress("admin\(number)@example.com"),
      name: "Ana", passwordHash: PasswordHash(text: "a"))
    _ = try await storage.createOrganization(
      organization, admin: admin,
      token: NewToken(digest: token, createdAt: now, expiresAt: .latest, client: nil),
      context: .test())
    guard
      let member = try await storage.authenticate(token, organizationID: organization.id, at: now)?.membership
    else { throw Absent() }
    self.member = member
  }

  func addMember(_ number: Int) async throws -> Membership {
    let now = TestDatabase.now
    let added = try await storage.createMember(
      NewAccount(
        userID: Self.identifiers.next(at: now), email: try EmailAddress("m\(number)@example.com"),
        name: "Member", passwordHash: PasswordHash(text: "a")),
      NewMember(organization: member.key.organization, role: .member, timeZone: nil), context: .test())
    guard let membership = try await storage.membership(of: added.userID, in: member.key.organization) else {
      throw Absent()
    }
    return membership
  }

  /// Keeps an entry that begins `minute` minutes after now and lasts one, or runs on.
  @discardableResult
  func keep(
    _ minute: Int, isActive: Bool = false, of member: Membership? = nil, session: SessionID? = nil,
    in storage: PostgreSQLStorage? = nil
  ) async throws -> TimeEntry {
    try await (storage ?? self.storage).createTimeEntry(
      entry(minute, isActive: isActive, of: member, session: session))
  }

  /// Such an entry, not yet kept.
  func entry(
    _ minute: Int, isActive: Bool = false, of member: Membership? = nil, session: SessionID? = nil
  ) -> NewTimeEntry {
    entry(
      at: TestDatabase.now.adding(milliseconds: Int64(minute) * 60_000), isActive: isActive, of: member,
      session: session)
  }

  /// An entry that begins then.
  func entry(
    at begin: Instant, isActive: Bool = false, of member: Membership? = nil, session: SessionID? = nil
  ) -> NewTimeEntry {
    let member = member ?? self.member
    let day = Int32(clamping: begin.millisecondsSince1970 / 86_400_000)
    return NewTimeEntry(
      member: member.key,
      entry: TimeEntry(
        id: Self.identifiers.next(at: begin), userID: member.userID, organizationID: organization.id,
        clockInTime: begin, clockOutTime: isActive ? nil : begin.adding(milliseconds: 60_000),
        date: LocalDate(daysSince1970: day), timeZone: organization.timeZone, offsetSeconds: 3_600,
        sessionID: session, notes: nil, source: .api, flags: [], version: 1, createdAt: begin,
        updatedAt: begin),
      needsSessionAssignment: true, context: .test())
  }

  /// Renames the organization, which takes a transaction of several statements.
  func rename(_ name: String, in storage: PostgreSQLStorage? = nil) async throws {
    _ = try await (storage ?? self.storage).updateOrganization(
      member.key.organization, expectedVersion: nil, context: .test(at: TestDatabase.now)
    ) { $0.name = name }
  }

  func list() async throws -> [TimeEntry] {
    try await storage.timeEntries(
      TimeEntryQuery(
        organization: member.key.organization, user: nil, range: .dates(from: nil, through: nil),
        status: nil, session: nil, cursor: nil, limit: 10_000)
    ).elements
  }
}

/// Something that the test has just made is not there.
struct Absent: Error {}

/// Tries again and again, until it succeeds or this much time has passed; then throws the last error.
func eventually<Value>(
  within limit: Duration, _ body: () async throws -> Value
) async throws -> Value {
  let end = ContinuousClock.now + limit
  while true {
    do {
      return try await body()
    } catch {
      guard ContinuousClock.now < end else { throw error }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension ChangeContext {
  /// A change by nobody in particular.
  static func test(at time: Instant = TestDatabase.now) -> ChangeContext {
    ChangeContext(author: .service, operation: "test", time: time)
  }
}
