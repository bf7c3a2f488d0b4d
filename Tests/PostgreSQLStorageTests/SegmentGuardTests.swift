import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The database's own refusals about segments, independent of the program's checks.
@Suite("The schema of segments by itself")
struct SegmentGuardTests {
  /// The member's first entry lasts from 0 to 60 seconds, the second one is active from 120 seconds on.
  private static func insertion(
    _ number: Int, from start: Int64, to end: Int64?, in entry: Int = 0, project: Bool = true,
    isBreak: Bool = false
  ) -> String {
    """
    INSERT INTO segments (organization_id, user_id, id, start_time, end_time, time_entry_id, project_id, break_type_id,
    is_paid, billable, name, time_zone, source, version, created_at, updated_at)
    SELECT organization_id, user_id, '00000000-0000-0000-0000-00000000000\(number)',
    (SELECT min(clock_in) FROM time_entries) + \(start), \(end.map { "(SELECT min(clock_in) FROM time_entries) + \($0)" } ?? "NULL"), id,
    \(project ? "(SELECT project_id FROM projects)" : "NULL"), \(isBreak ? "(SELECT break_type_id FROM break_types)" : "NULL"),
    true, false, 'S', 'UTC', 'api', 1, 0, 0 FROM time_entries ORDER BY clock_in LIMIT 1 OFFSET \(entry)
    """
  }

  @Test("lets no segment overlap another, lie outside its entry, or be two things")
  func lastWord() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0)
      try await office.keep(2, isActive: true)
      try database.execute(
        """
        INSERT INTO projects (organization_id, id, name, color, archived, billable, version, created_at, updated_at)
        SELECT organization_id, id, 'P', '#007AFF', false, false, 1, 0, 0 FROM organizations
        """)
      try database.execute(
        """
        INSERT INTO break_types (organization_id, id, name, is_paid, archived, version, created_at, updated_at)
        SELECT organization_id, id, 'B', false, false, 1, 0, 0 FROM organizations
        """)
      try database.execute(Self.insertion(1, from: 10_000, to: 20_000))
      for (statement, constraint) in [
        (Self.insertion(2, from: 19_999, to: 30_000), "segments_no_overlap"),
        (Self.insertion(2, from: -1, to: 5_000), "segments_inside_entry"),
        (Self.insertion(2, from: 50_000, to: 60_001), "segments_inside_entry"),
        (Self.insertion(2, from: 50_000, to: nil), "segments_inside_entry"),
        (Self.insertion(2, from: 30_000, to: 30_000), "segments_order"),
        (Self.insertion(2, from: 30_000, to: 40_000, isBreak: true), "segments_break"),
        ("UPDATE segments SET end_time = end_time + 40001", "segments_inside_entry"),
        (
          "UPDATE time_entries SET clock_out = clock_in + 19999 WHERE clock_out IS NOT NULL",
          "segments_inside_entry"
        ),
        (
          "UPDATE time_entries SET clock_in = clock_in + 10001 WHERE clock_out IS NOT NULL",
          "segments_inside_entry"
        ),
        ("DELETE FROM time_entries", "segments_entry"), ("DELETE FROM projects", "segments_project"),
      ] {
        let error = #expect(throws: (any Error).self, "\(statement)") { try database.execute(statement) }
        #expect("\(try #require(error))".contains(constraint))
      }
      // Touching is no overlap, and an entry that still contains its segments may change.
      try database.execute(Self.insertion(3, from: 20_000, to: 60_000))
      try database.execute("UPDATE time_entries SET clock_in = clock_in + 10000 WHERE clock_out IS NOT NULL")
      try database.execute(Self.insertion(4, from: 110_000, to: nil, in: 1))
      let second = #expect(throws: (any Error).self) {
        try database.execute(Self.insertion(5, from: 120_000, to: nil, in: 1))
      }
      #expect("\(try #require(second))".contains("segments_"))
      let closing = #expect(throws: (any Error).self) {
        try database.execute("UPDATE time_entries SET clock_out = clock_in + 1 WHERE clock_out IS NULL")
      }
      #expect("\(try #require(closing))".contains("segments_inside_entry"))
      await storage.close()
    }
  }
}
