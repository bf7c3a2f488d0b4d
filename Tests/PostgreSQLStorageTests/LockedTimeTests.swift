import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The database's own refusals about locked time, independent of the program's checks.
@Suite("The schema of locked time by itself")
struct LockedTimeTests {
  private static let opening = """
    INSERT INTO correcting SELECT organization_id, user_id, 0 FROM periods
    """
  private static let closing = "DELETE FROM correcting"
  private static let deletion = "DELETE FROM time_entries"
  private static let cut = "UPDATE time_entries SET clock_out = clock_out - 1"
  private static let insertion = """
    INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, clock_out, time_zone,
      offset_seconds, source, flags, version, updated_at)
    SELECT organization_id, user_id, date, created_at, gen_random_uuid(), clock_in - 60000, clock_in,
      time_zone, offset_seconds, source, flags, version, updated_at FROM time_entries
    """
  private static let segment = """
    INSERT INTO segments (organization_id, user_id, id, start_time, end_time, is_paid, billable, name,
      time_zone, source, version, created_at, updated_at)
    SELECT organization_id, user_id, gen_random_uuid(), 0, 60000, true, false, 'S', 'UTC', 'api', 1, 86400000, 0
    FROM periods
    """

  @Test("lets nothing into it but a transaction that says so, and none end that does not take that back")
  func lastWord() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(-600)
      try database.execute(
        """
        UPDATE time_entries SET created_at = clock_in + 600000;
        INSERT INTO periods (organization_id, id, user_id, submitted_through, submitted_until, approved_through,
          approved_until, locked_through, locked_until, version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 99999, 4000000000000, 99999, 4000000000000, 99999,
          4000000000000, 1, 0, 0 FROM time_entries
        """)
      for (statements, constraint) in [
        ([Self.deletion], "time_entries_unlocked"), ([Self.cut], "time_entries_unlocked"),
        ([Self.insertion], "time_entries_unlocked"), ([Self.segment], "segments_unlocked"),
        ([Self.opening, Self.deletion], "correcting_ends"), ([Self.opening], "correcting_ends"),
        ([Self.opening, Self.closing, Self.deletion], "time_entries_unlocked"),
      ] {
        let sql = "BEGIN; \(statements.joined(separator: ";")); COMMIT"
        let error = #expect(throws: (any Error).self, "\(sql)") { try database.execute(sql) }
        #expect("\(try #require(error))".contains(constraint), "\(sql)")
      }
      for statement in [Self.segment, Self.insertion, Self.cut, Self.deletion] {
        try database.execute("BEGIN; \(Self.opening); \(statement); \(Self.closing); COMMIT")
      }
      #expect(try database.execute("SELECT count(*) FROM time_entries") == "0")
      await storage.close()
    }
  }
}
