import Testing

@testable import PostgreSQLStorage

@Suite("The PostgreSQL schema")
struct SchemaTests {
  private static func lines(_ sql: String) async throws -> [String] {
    var lines: [String] = []
    try await TestDatabase.run { database in
      await (try database.open()).close()
      lines = try database.execute(sql).split(separator: "\n").map(String.init)
    }
    return lines
  }

  /// Tokens, those of invitations too, are found by nothing but their digest, and people belong to no organization: these
  /// tables are none of an organization's.
  @Test("has no unique or exclusion key of an organization's rows that does not begin with organization_id")
  func keys() async throws {
    let keys = try await Self.lines(
      """
      SELECT t.relname || ' ' || i.relname || ' ' || a.attname FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
      LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
      WHERE (x.indisunique OR x.indisexclusion)
      AND t.relname IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'organization_id')
      """
    ).map { $0.split(separator: " ").map(String.init) }
    #expect(keys.count > 8)
    let others = keys.filter { $0.last != "organization_id" }.map { $0[1] }
    #expect(
      others.sorted() == ["invitations_by_digest", "organizations_by_id", "tokens_by_digest", "tokens_pkey"])
  }

  @Test("names every constraint itself")
  func names() async throws {
    // PostgreSQL's default names for them.
    let unnamed = try await Self.lines(
      """
      SELECT c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
      WHERE t.relnamespace = 'public'::regnamespace AND c.conname ~ '_(fkey|check|key|excl)[0-9]*$'
      """)
    #expect(unnamed == [])
    let named = try await Self.lines(
      """
      SELECT c.conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
      WHERE t.relnamespace = 'public'::regnamespace
      """)
    #expect(named.count > 25)
    #expect(Set(named).count == named.count)
  }

  @Test("lets no member have two active entries or overlapping ones, by any writer")
  func lastWord() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0)
      func insert(_ clockIn: Int64, _ clockOut: Int64?, with id: String) throws {
        try database.execute(
          """
          INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, clock_out,
          time_zone, offset_seconds, source, flags, version, updated_at)
          SELECT organization_id, user_id, date, 0, '\(id)', clock_in + \(clockIn),
          clock_in + \(clockOut.map { "\($0)" } ?? "NULL"), 'UTC', 0, 'api', 0, 1, 0 FROM time_entries LIMIT 1
          """)
      }
      func id(_ number: Int) -> String { "00000000-0000-0000-0000-00000000000\(number)" }
      for (clockIn, clockOut, constraint) in [
        (59_999, 70_000, "time_entries_no_overlap"), (-10, 1, "time_entries_no_overlap"),
        (-10, nil, "time_entries_no_overlap"), (60_000, 60_000, "time_entries_order"),
        (90_000_000 * 3, nil, "time_entries_date"),
      ] as [(Int64, Int64?, String)] {
        let error = #expect(throws: (any Error).self) { try insert(clockIn, clockOut, with: id(1)) }
        #expect("\(try #require(error))".contains("\"\(constraint)\""))
      }
      // Touching is no overlap.
      try insert(60_000, 120_000, with: id(2))
      try insert(120_000, nil, with: id(3))
      let second = #expect(throws: (any Error).self) { try insert(-100, nil, with: id(4)) }
      #expect("\(try #require(second))".contains("time_entries_"))
      await storage.close()
    }
  }
}
