import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The second wall between organizations (docs/decisions/0015-row-level-security.md).
@Suite("Row-level security")
struct RowSecurityTests {
  @Test("is there, and forced, in every table with an organization's rows, and in no other")
  func tables() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      let held = try database.execute(
        """
        SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity
        AND relnamespace = 'public'::regnamespace ORDER BY 1
        """)
      let meant = try database.execute(
        """
        SELECT table_name FROM information_schema.columns
        WHERE column_name = 'organization_id' AND table_schema = 'public' ORDER BY table_name COLLATE "C"
        """)
      #expect(held == meant)
      #expect(held.contains("time_entries"))
      #expect(
        try database.execute(
          "SELECT count(DISTINCT tablename) || ' ' || count(*) FROM pg_policies WHERE cmd = 'ALL'")
          == "\(held.split(separator: "\n").count) \(held.split(separator: "\n").count)")
    }
  }

  @Test("shows nothing to whoever has named no organization, and lets nobody write for another")
  func setting() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0)
      let other = try await TestOffice(in: storage, number: 2)
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      func count(_ setting: String) throws -> String? {
        try connection.execute(
          """
          BEGIN; SET LOCAL timeclock.organization = '\(setting)';
          SELECT (SELECT count(*) FROM organizations) || ' ' || (SELECT count(*) FROM time_entries)
          """)
      }
      let ours = office.member.key.organization.value
      let theirs = other.member.key.organization.value
      for (setting, counts) in [
        ("", "0 0"), ("\(ours)", "1 1"), ("\(theirs)", "1 0"), ("0", "0 0"), ("everyone", "2 1"),
      ] {
        #expect(try count(setting) == counts, "\(setting)")
        try connection.execute("ROLLBACK")
      }
      // After the transaction nothing is named any more.
      #expect(try connection.execute("SELECT count(*) FROM organizations") == "0")
      #expect(throws: (any Error).self) { try count("Acme") }
      try connection.execute("ROLLBACK; BEGIN; SET LOCAL timeclock.organization = '\(ours)'")
      let refused = #expect(throws: PostgreSQLError.self) {
        try connection.execute(
          "UPDATE sessions SET title = 'x'; UPDATE members SET organization_id = \(theirs)")
      }
      #expect(refused?.sqlState == "42501")
      await storage.close()
    }
  }

  @Test("is missed by a role that it does not hold, which is told or refused")
  func bypassed() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      #expect(storage.isRowSecurityActive)
      await storage.close()
      let administrator = database.cluster.administratorConninfo(of: database.conninfo)
      func open(requiring: Bool) throws -> PostgreSQLStorage {
        try PostgreSQLStorage.open(
          PostgreSQLLocation(administrator), connectionsPerLoop: 2, requiresRowSecurity: requiring
        ) { _ in }
      }
      let bypassing = try open(requiring: false)
      #expect(!bypassing.isRowSecurityActive)
      await bypassing.close()
      #expect(throws: PostgreSQLStorageError.rowSecurityIsBypassed) { _ = try open(requiring: true) }
      // So is one table that somebody has taken the wall from.
      try database.execute("ALTER TABLE sessions NO FORCE ROW LEVEL SECURITY")
      let opened = try database.open()
      #expect(!opened.isRowSecurityActive)
      await opened.close()
    }
  }

  @Test("keeps the requests of several organizations in one round trip apart")
  func together() async throws {
    try await TestDatabase.run { database in
      // One connection that reads, so that all of a turn share a round trip.
      let storage = try database.open(connectionsPerLoop: 2)
      var offices: [TestOffice] = []
      for number in 1...5 { offices.append(try await TestOffice(in: storage, number: UInt8(number))) }
      var entries: [TimeEntry] = []
      for office in offices { entries.append(try await office.keep(0, isActive: true)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          for (office, entry) in zip(offices, entries) {
            group.addTask {
              let active = try await storage.activeTimeEntry(of: office.member.key)
              #expect(active == entry)
              let profile = try await storage.profile(of: office.member.key.user)
              #expect(profile.memberships.count == 1)
            }
          }
        }
        try await group.waitForAll()
      }
      await storage.close()
    }
  }

  /// Takes one condition on the organization out of one statement at a time. Behind the wall nothing changes: neither
  /// what ours is answered nor any row of theirs. Without it many a statement shows or changes what is theirs.
  @Test("holds where a statement forgets its condition on the organization", arguments: 0..<parts)
  func forgottenConditions(_ part: Int) async throws {
    try await TestDatabase.run { database in
      let texts = Mutex<Set<String>>([])
      let plain = try database.open(connectionsPerLoop: 2)
      let outcome = try await Self.outcome(in: database, plain, number: 0) { text in
        texts.withLock { _ = $0.insert(text) }
        return text
      }
      let forgotten = texts.withLock { $0 }.sorted().flatMap(ForgottenCondition.all)
      #expect(forgotten.count > 80)
      #expect(outcome.isUntouched)
      #expect(!outcome.answers.contains { $0.contains("Umbrella") || $0.contains("PostgreSQL") })
      let administrator = database.cluster.administratorConninfo(of: database.conninfo)
      var leaks: [ForgottenCondition] = []
      for (number, condition) in forgotten.enumerated() where number % Self.parts == part {
        let held = try await Self.outcome(in: database, plain, number: 2 * number + 1, condition.rewrite)
        #expect(held == outcome, "\(condition.forgetful)")
        // Without the wall a third of them will do.
        guard number / Self.parts % 3 == 0 else { continue }
        let open = try await Self.outcome(
          in: database, plain, as: administrator, number: 2 * number + 2, condition.rewrite)
        if !open.isUntouched || open.answers.contains(where: { $0.contains("Umbrella") }) {
          leaks.append(condition)
        }
      }
      await plain.close()
      // The others are kept by another condition of the same statement, or by another statement.
      #expect(!leaks.isEmpty)
    }
  }

  /// The statements are divided among so many tests, which run side by side.
  private static let parts = 4

  /// What came of everything that ours asks, and whether any row of theirs has changed.
  private struct Outcome: Equatable {
    let answers: [String]
    let isUntouched: Bool
  }

  private static func outcome(
    in database: TestDatabase, _ plain: PostgreSQLStorage, as conninfo: String? = nil, number: Int,
    _ rewrite: @escaping StatementRewriting
  ) async throws -> Outcome {
    let made = try await TwoOrganizations(in: plain, number: number)
    let before = try theirRows(made, in: database)
    let storage = try PostgreSQLStorage.open(
      PostgreSQLLocation(conninfo ?? database.conninfo), connectionsPerLoop: 2, now: TestDatabase.now,
      sealingDelay: nil, rewrite: rewrite
    ) { _ in }
    let answers = try await made.moved(to: storage).useOurs()
    await storage.close()
    return Outcome(answers: answers, isUntouched: try theirRows(made, in: database) == before)
  }

  /// A digest of all rows of theirs.
  private static func theirRows(_ made: TwoOrganizations, in database: TestDatabase) throws -> String {
    let row = made.theirs.key.organization.value
    let tables = [
      "organizations", "members", "tokens", "sessions", "session_assignees", "time_entries", "changes",
      "unsealed_changes", "change_seals",
    ]
    let rows = tables.map { "SELECT '\($0)' || t::text AS line FROM \($0) t WHERE organization_id = \(row)" }
    return try database.execute(
      "SELECT md5(string_agg(line, ' ' ORDER BY line)) FROM (\(rows.joined(separator: " UNION ALL "))) r")
  }
}

/// A statement without one of its conditions on the organization.
private struct ForgottenCondition: Sendable {
  let text: String
  let forgetful: String

  @Sendable func rewrite(_ text: String) -> String {
    text == self.text ? forgetful : text
  }

  /// Every condition `organization_id = $n` of a statement. The parameter stays, and with it its type.
  static func all(of text: String) -> [ForgottenCondition] {
    text.matches(of: /(?:\w+\.)?organization_id = (\$\d+)(?:::bigint)?/).map { match in
      var forgetful = text
      forgetful.replaceSubrange(match.range, with: "\(match.1)::bigint IS NOT NULL")
      return ForgottenCondition(text: text, forgetful: forgetful)
    }
  }
}
