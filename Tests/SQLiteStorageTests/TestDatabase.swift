import Foundation
import SchemaMigrations
import Synchronization
import TimeclockDomain

@testable import SQLiteStorage

/// A database file in a folder of its own, which goes away with the test.
final class TestDatabase: Sendable {
  let folder: String
  /// How often a storage has reported that it failed.
  let failures = Mutex(0)
  /// The alarms that storages have raised.
  let alarms = Mutex<[String]>([])
  /// The other reports of storages.
  let reports = Mutex<[String]>([])

  var path: String { folder + "/timeclock.db" }

  init() throws {
    folder = NSTemporaryDirectory() + "timeclock-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A connection to the file, which is empty if nobody has made it yet.
  func connection() throws -> SQLiteConnection {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
    return try SQLiteConnection(path: path, isReadOnly: false)
  }

  func open(
    _ path: String? = nil, mayCreate: Bool = true, migrations: [SchemaMigration] = SchemaMigrations.sqlite,
    logLimits: WriteAheadLog.Limits = WriteAheadLog.Limits()
  ) throws -> SQLiteStorage {
    try SQLiteStorage.open(
      path: path ?? self.path, mayCreate: mayCreate, migrations: migrations, logLimits: logLimits,
      now: Self.now,
      reports: StorageReports(
        error: { [self] report in reports.withLock { $0.append(report) } },
        alarm: { [self] report in alarms.withLock { $0.append(report) } },
        onFailure: { [self] in failures.withLock { $0 += 1 } }))
  }

  /// The size of the file, or of one beside it; 0 if there is none.
  func size(_ suffix: String = "") -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
    return (attributes?[.size] as? Int) ?? 0
  }

  static let now = Instant(millisecondsSince1970: 1_795_165_200_123)
}

/// An organization with one member, its admin.
struct TestOffice: Sendable {
  let storage: SQLiteStorage
  let organization: Organization
  let member: Membership
  let token: TokenDigest
  static let identifiers = IdentifierGenerator()

  init(in storage: SQLiteStorage, number: UInt8 = 1) async throws {
    let now = TestDatabase.now
    guard let zone = TimeZoneIdentifier("Europe/Berlin") else { throw Absent() }
    self.storage = storage
    token = TokenDigest(bytes: Array(repeating: number, count: 32))
    organization = Organization(
      id: Self.identifiers.next(at: now), name: "Acme", timeZone: zone, createdAt: now, updatedAt: now)
    let admin = NewAccount(
      userID: Self.identifiers.next(at: now), email: try EmailAddress("admin\(number)@example.com"),
      name: "Ana", passwordHash: nil)
    _ = try await storage.createOrganization(
      organization, admin: admin,
      token: NewToken(digest: token, createdAt: now, expiresAt: .latest, client: nil),
      context: .test())
    guard
      let member = try await storage.authenticate(token, organizationID: organization.id, at: now)?.membership
    else { throw Absent() }
    self.member = member
  }

  /// The same office in a storage that was opened later.
  init(in storage: SQLiteStorage, like office: TestOffice) {
    self.storage = storage
    organization = office.organization
    member = office.member
    token = office.token
  }

  /// Keeps an entry that begins `minute` minutes after now and lasts one, or runs on.
  @discardableResult
  func keep(_ minute: Int, isActive: Bool = false, notes: String? = nil, session: SessionID? = nil)
    async throws -> TimeEntry
  {
    try await storage.createTimeEntry(entry(minute, isActive: isActive, notes: notes, session: session))
  }

  /// Such an entry, not yet kept.
  func entry(_ minute: Int, isActive: Bool = false, notes: String? = nil, session: SessionID? = nil)
    -> NewTimeEntry
  {
    let begin = TestDatabase.now.adding(milliseconds: Int64(minute) * 60_000)
    let day = Int32(clamping: begin.millisecondsSince1970 / 86_400_000)
    return NewTimeEntry(
      member: member.key,
      entry: TimeEntry(
        id: Self.identifiers.next(at: begin), userID: member.userID, organizationID: organization.id,
        clockInTime: begin, clockOutTime: isActive ? nil : begin.adding(milliseconds: 60_000),
        date: LocalDate(daysSince1970: day), timeZone: organization.timeZone, offsetSeconds: 3_600,
        sessionID: session, notes: notes.map(Notes.init(stored:)), source: .api, flags: [], version: 1,
        createdAt: begin, updatedAt: begin), needsSessionAssignment: true, context: .test())
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

extension ChangeContext {
  /// A change by nobody in particular.
  static func test(at time: Instant = TestDatabase.now) -> ChangeContext {
    ChangeContext(author: .service, operation: "test", time: time)
  }
}
