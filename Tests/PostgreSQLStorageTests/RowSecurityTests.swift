import Foundation
import StorageCalls
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

  @Test("shows nothing to a session that has named no organization, and lets nobody write for another")
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

  @Test("is missing for an exempt role, which is reported or refused")
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

  /// Takes every condition on the organization out of its statement, and makes calls again that send the statement.
  /// Behind the wall nothing changes: neither our answers nor any row of theirs. Without it some statements show or
  /// change their rows.
  @Test("holds if a statement forgets its condition on the organization")
  func forgottenConditions() async throws {
    try await TestDatabase.run { database in
      let trial = try ForeignCallTrial(in: database)
      // One call of each statement is enough, and without the wall one condition of eight, unless there is time.
      let isExhaustive = ProcessInfo.processInfo.environment["TIMECLOCK_EXHAUSTIVE_TESTS"] == "1"
      let recorded = try await trial.record(ForeignCall.all, together: isExhaustive ? 1 : 16)
      for call in recorded { #expect(!call.outcome.isLeak, "\(call.call)") }
      try await Self.expectEveryCondition(of: recorded, in: trial)
      let conditions = ForgottenCondition.all(of: recorded, most: isExhaustive ? .max : 1)
      let groups = ForgottenCondition.groups(of: conditions)
      let held = try await trial.replay(groups, of: recorded)
      for (condition, found) in zip(groups.joined(), held.joined()) {
        Self.expectNoDifference(condition, found, recorded)
      }
      let some = conditions.enumerated().filter { isExhaustive || $0.offset % 8 == 0 }.map(\.element)
      let openGroups = ForgottenCondition.groups(of: some)
      let administrator = database.cluster.administratorConninfo(of: database.conninfo)
      let open = try await trial.replay(openGroups, of: recorded, as: administrator)
      let leaks = zip(openGroups.joined(), open.joined()).filter { Self.isDifferent($0, $1, recorded) }
      // The others are kept by another condition of the same statement, or by another statement.
      #expect(leaks.count > some.count / (isExhaustive ? 3 : 5), "\(leaks.count) of \(some.count)")
      await trial.end()
    }
  }

  private static func isDifferent(
    _ condition: ForgottenCondition, _ found: [ForeignCallTrial.Outcome]?, _ recorded: [RecordedCall]
  ) -> Bool {
    zip(condition.calls, found ?? []).contains { recorded[$0].outcome != $1 }
  }

  private static func expectNoDifference(
    _ condition: ForgottenCondition, _ found: [ForeignCallTrial.Outcome]?, _ recorded: [RecordedCall]
  ) {
    guard let found else {
      Issue.record("no call has sent it again: \(condition.statement)")
      return
    }
    #expect(found.count == condition.calls.count && !found.isEmpty)
    for (number, outcome) in zip(condition.calls, found) {
      #expect(outcome == recorded[number].outcome, "\(recorded[number].call): \(condition.forgetful)")
    }
  }

  /// Otherwise it would look like a condition that the wall stands in for.
  @Test("A condition whose calls do not send its statement again is reported")
  func unsentStatement() async throws {
    try await TestDatabase.run { database in
      let trial = try ForeignCallTrial(in: database)
      let recorded = try await trial.record(Array(ForeignCall.all.prefix(1)))
      let planted = ForgottenCondition.all(
        of: "SELECT planted FROM members WHERE organization_id = $1", sentBy: [0])
      #expect(planted.count == 1)
      let found = try await trial.replay([planted], of: recorded)
      #expect(found.count == 1 && found.allSatisfy { $0.count == 1 && $0[0] == nil })
      await trial.end()
    }
  }

  /// No condition goes untried: neither one in the source that no call of the catalogue sends, nor one that only methods
  /// without an organization's key send.
  private static func expectEveryCondition(
    of recorded: [RecordedCall], in trial: ForeignCallTrial
  ) async throws {
    let tried = Set(recorded.flatMap(\.statements))
    let others = try await trial.statementsOfOtherMethods()
    let untried = others.subtracting(tried).filter { !ForgottenCondition.all(of: $0, sentBy: []).isEmpty }
    // It is acceptMembership's, whose organization is the token's.
    #expect(
      untried == ["UPDATE members SET accepted = TRUE WHERE organization_id = $1 AND user_id = $2"])
    let unsent = try unsentConditions(among: tried.union(others))
    #expect(unsent == [])
  }

  @Test("A condition in the source that no call sends is reported")
  func unsentCondition() {
    let source = #"""
      // SELECT 1 FROM members WHERE organization_id = $1 AND unsaid
      let a = "SELECT \(columns(of: member)) FROM planted p WHERE p.organization_id = $1 AND \(rest)"
      let b = """
        UPDATE planted SET name = $2 \
        WHERE organization_id = $3::bigint \
        """
      let c = "SELECT session_id FROM sessions WHERE organization_id = $organization AND id = $session"
      let d = "SELECT planted FROM sessions WHERE organization_id = $organization AND id = $session"
      """#
    #expect(
      ForgottenCondition.unsent(
        in: source,
        among: ["SELECT session_id FROM sessions WHERE organization_id = $ AND id = $ FOR UPDATE"])
        == [
          "FROM planted p WHERE p.organization_id = $1 AND ", "WHERE organization_id = $3::bigint ",
          "SELECT planted FROM sessions WHERE organization_id = $organization AND id = $session",
        ])
  }

  private static func unsentConditions(among sent: Set<String>) throws -> [String] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let sent = sent.map { ForgottenCondition.unnumbered($0) }
    return try ["PostgreSQLStorage", "Procedures"].flatMap { module in
      let folder = sources.appending(path: module)
      // `timeclock audit` reads every organization, on a separate connection that sees all of them.
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Verification/") }
        .flatMap { file in
          try ForgottenCondition.unsent(
            in: String(contentsOf: folder.appending(path: file), encoding: .utf8), among: sent)
        }
      // SQLite's form of a statement of both.
    }.filter { !$0.contains(" INDEXED BY ") }
  }
}
