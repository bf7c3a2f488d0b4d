import Testing
import TimeclockDomain

@testable import SQLiteStorage

/// How SQLite carries statements out (sqlite.org/eqp.html): a statement that walks a whole table, or sorts what
/// an index could have given in order, passes every test of its answers and fails in a year.
@Suite("Query plans")
struct QueryPlanTests {
  private static let organization = OrganizationKey(1)
  private static let instant = Instant(millisecondsSince1970: 1_795_165_200_123)
  private static let date = LocalDate(daysSince1970: 20_000)
  private static let cursor = TimeEntryCursor(date: date, createdAt: instant, row: 5)

  private static func plan(_ sql: String, on connection: SQLiteConnection) throws -> [String] {
    let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: connection.handle)
    defer { statement.finalize() }
    return try statement.all([]) { $0.text(3) }
  }

  private static func withStorage(_ test: (SQLiteStorage) async throws -> Void) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    try await test(storage)
    await storage.close()
  }

  private static func plan(
    user: UserKey? = nil, range: TimeEntryRange = .dates(from: nil, through: nil),
    status: TimeEntryStatus? = nil, session: SessionID? = nil, cursor: TimeEntryCursor? = nil,
    in storage: SQLiteStorage
  ) throws -> [String] {
    try storage.read { connection in
      let selection = try TimeEntrySelection(
        TimeEntryQuery(
          organization: organization, user: user, range: range, status: status, session: session,
          cursor: cursor, limit: 100), on: connection)
      return try plan(selection.sql, on: connection)
    }
  }

  @Test("of lists walk one index, in its order, from where the page begins")
  func lists() async throws {
    try await Self.withStorage { storage in
      let ranges: [TimeEntryRange] = [
        .dates(from: nil, through: nil), .dates(from: Self.date, through: Self.date),
        .overlapping(from: nil, to: Self.instant), .overlapping(from: Self.instant, to: Self.instant),
      ]
      for range in ranges {
        for status in [nil, .clockedOut] as [TimeEntryStatus?] {
          for cursor in [nil, Self.cursor] {
            let ofMember = try Self.plan(
              user: UserKey(1), range: range, status: status, cursor: cursor, in: storage)
            #expect(ofMember.count == 1)
            #expect(ofMember[0].hasPrefix("SEARCH e USING PRIMARY KEY (organization_id=? AND user_id=?"))
            let ofAll = try Self.plan(range: range, status: status, cursor: cursor, in: storage)
            #expect(ofAll.count == 1)
            #expect(ofAll[0].hasPrefix("SEARCH e USING INDEX time_entries_by_date (organization_id=?"))
            for plan in [ofMember, ofAll] where cursor != nil {
              #expect(plan[0].contains("(date,created_at,entry_number)<(?,?,?)"))
            }
          }
        }
      }
    }
  }

  @Test("of a range of dates walk these dates only")
  func ranges() async throws {
    try await Self.withStorage { storage in
      let dates = TimeEntryRange.dates(from: Self.date, through: Self.date.adding(days: 5))
      let plans = [
        try Self.plan(user: UserKey(1), range: dates, in: storage), try Self.plan(range: dates, in: storage),
        try Self.plan(range: .overlapping(from: Self.instant, to: Self.instant), in: storage),
      ]
      for plan in plans { #expect(plan[0].contains("date>? AND date<?")) }
    }
  }

  /// At most one row a member, which no index has in the list's order.
  @Test("of who is clocked in look at active entries only, and sort those")
  func active() async throws {
    try await Self.withStorage { storage in
      let plan = try Self.plan(status: .clockedIn, in: storage)
      #expect(
        plan == [
          "SEARCH e USING INDEX time_entries_one_active (organization_id=?)",
          "USE TEMP B-TREE FOR ORDER BY",
        ])
    }
  }

  @Test("of a session's list look at its entries only")
  func session() async throws {
    try await Self.withStorage { storage in
      let session = SessionID(high: 1, low: 2)
      try await storage.writer.write { transaction in
        try transaction.connection.execute(
          """
          INSERT INTO organizations VALUES (1, randomblob(16), '', '', 0, 60, 0, 0, 0, 1, 0, 0);
          INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
          VALUES (1, x'00000000000000010000000000000002', 0, '', 1, 0, 0)
          """)
      }
      let plan = try Self.plan(session: session, cursor: Self.cursor, in: storage)
      #expect(
        plan == [
          "SEARCH e USING INDEX time_entries_of_session "
            + "(organization_id=? AND session_id=? AND (date,created_at,entry_number)<(?,?,?))"
        ])
    }
  }

  /// Runs every method of the protocol, and then asks SQLite about every statement that was prepared for it.
  @Test("of every statement of the storage search, and never scan or sort")
  func everyStatement() async throws {
    try await Self.withStorage { storage in
      let office = try await TestOffice(in: storage)
      try await exercise(office)
      var texts = Set(try storage.read { $0.preparedTexts })
      texts.formUnion(try await storage.writer.write { $0.connection.preparedTexts })
      let relevant = texts.filter { !$0.hasPrefix("BEGIN") && !$0.contains("SAVEPOINT") }
      #expect(relevant.count > 30)
      // Tables of a row or two, and whether there is any organisation at all.
      let allowed = [
        "SCAN row_numbers", "SCAN schema_migrations", "SCAN CONSTANT ROW",
        "SCAN organizations USING COVERING INDEX organizations_by_id",
      ]
      for text in relevant {
        let lines = try storage.read { try Self.plan(text, on: $0) }
        for line in lines where line.hasPrefix("SCAN") || line.contains("TEMP B-TREE") {
          #expect(allowed.contains(line) || text.contains("time_entries_one_active"), "\(line): \(text)")
        }
      }
    }
  }

  private func exercise(_ office: TestOffice) async throws {
    let storage = office.storage
    let key = office.member.key
    let now = TestDatabase.now
    let token = ApiToken(
      id: ApiTokenID(high: 1, low: 1), name: "A", userID: office.member.userID, createdAt: now,
      expiresAt: .latest, lastUsedAt: nil)
    _ = try await office.addMember(1)
    try await office.keep(0, isActive: true)
    _ = try? await office.keep(1)
    _ = try await storage.clockOut(
      ClockOut(member: key, time: now, isStated: false, notes: nil, policy: .standard, now: now))
    _ = try await storage.timeEntry(TimeEntryID(high: 1, low: 1), in: key.organization)
    _ = try await storage.activeTimeEntry(of: key)
    for user in [key.user, nil] {
      for status in [nil, TimeEntryStatus.clockedIn] {
        _ = try await storage.timeEntries(
          TimeEntryQuery(
            organization: key.organization, user: user, range: .overlapping(from: now, to: now),
            status: status, session: nil, cursor: nil, limit: 5))
      }
    }
    _ = try? await storage.createTimeEntry(
      NewTimeEntry(
        member: key,
        entry: TimeEntry(
          id: TimeEntryID(high: 1, low: 3), userID: office.member.userID,
          organizationID: office.organization.id, clockInTime: now, clockOutTime: nil,
          date: LocalDate(daysSince1970: 20_777), timeZone: office.organization.timeZone, offsetSeconds: 0,
          sessionID: SessionID(high: 1, low: 1), notes: nil, source: .api, flags: [], version: 1,
          createdAt: now, updatedAt: now), needsSessionAssignment: true))
    _ = try await storage.profile(of: key.user)
    _ = try await storage.members(of: key.organization, after: nil, limit: 5)
    _ = try await storage.member(office.member.userID, in: key.organization)
    _ = try await storage.organization(key.organization)
    _ = try await storage.updateOrganization(key.organization, expectedVersion: nil, at: now) {
      $0.name = "B"
    }
    try await storage.createApiToken(token, digest: TokenDigest(bytes: [7]), in: key.organization)
    _ = try await storage.apiTokens(of: key.organization, after: nil, limit: 5)
    try await storage.deleteApiToken(token.id, in: key.organization)
    try await storage.deleteToken(123)
    storage.noteTokenUse(123, at: now)
    _ = try await storage.logInAccount(for: EmailAddress("admin1@example.com"))
    try? await storage.changePassword(
      of: key.user, from: PasswordHash(text: "a"), to: PasswordHash(text: "b"), keepingToken: 1)
    try? await storage.createLogInToken(
      NewToken(digest: TokenDigest(bytes: [8]), createdAt: now, expiresAt: .latest), for: key.user,
      checkedHash: PasswordHash(text: "b"))
    _ = try? await storage.updateMember(
      office.member.userID, in: key.organization, expectedVersion: nil,
      passwordHash: PasswordHash(text: "a"), at: now
    ) {
      $0.name = "C"
      $0.isActive = false
    }
    _ = try await storage.passwordHash(of: key.user)
  }
}
