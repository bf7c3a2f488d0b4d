import Testing
import TimeclockDomain

@testable import SQLiteStorage

/// The database's own refusals about segments, independent of the program's checks.
@Suite("The schema of segments by itself")
struct SegmentGuardTests {
  /// Extended result codes (sqlite.org/rescode.html).
  private static let check: Int32 = 275
  private static let foreignKey: Int32 = 787
  private static let trigger: Int32 = 1811
  private static let unique: Int32 = 2067

  private static let base = 20_000 * 86_400_000

  /// User 1 of organization 1 has an entry from 0 to 1000 and an active one from 2000 on, user 2 of organization 2 one
  /// from 0 to 1000; there are a project and a break type of each organization.
  private static let before: [String] =
    [
      entry(1, of: 1, from: 0, to: 1_000), entry(2, of: 1, from: 2_000, to: nil),
      entry(3, of: 2, from: 0, to: 1_000),
    ]
    + [1, 2].flatMap { organization in
      [
        """
        INSERT INTO projects VALUES (\(organization), \(organization), randomblob(16), NULL, 'P', NULL, '#007AFF', 0, 0, 1, 0, 0)
        """,
        """
        INSERT INTO break_types VALUES (\(organization), \(organization), randomblob(16), 'B', 0, NULL, 0, 1, 0, 0)
        """,
      ]
    }

  private static func id(_ entry: Int) -> String { "x'0000000000000000000000000000000\(entry)'" }

  private static func entry(_ number: Int, of member: Int, from begin: Int, to end: Int?) -> String {
    """
    INSERT INTO time_entries (organization_id, user_id, date, created_at, entry_number, id, clock_in, clock_out, time_zone,
      offset_seconds, source, flags, version, updated_at)
    VALUES (\(member), \(member), 20000, 0, \(1_000_000 + number), \(id(number)), \(base + begin),
      \(end.map { "\(base + $0)" } ?? "NULL"), 'UTC', 0, 'api', 0, 1, 0)
    """
  }

  private static func segment(
    _ number: Int, from begin: Int, to end: Int?, in entry: Int? = 1, project: Int? = 1,
    breakType: Int? = nil,
    member: Int = 1
  ) -> String {
    func sql(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }
    return """
      INSERT INTO segments (segment_id, organization_id, user_id, id, start_time, end_time, time_entry_id, project_id,
        break_type_id, is_paid, billable, name, time_zone, source, version, created_at, updated_at)
      VALUES (\(number), \(member), \(member), randomblob(16), \(base + begin), \(sql(end.map { base + $0 })),
        \(entry.map(id) ?? "NULL"), \(sql(project)), \(sql(breakType)), 1, 0, 'S', 'UTC', 'api', 1, 0, 0)
      """
  }

  /// The last statement of a case, behind others, and the code that refuses it; nil if it stands.
  @Test(
    "lets no segment overlap another, lie outside its entry, or be a break on its own",
    arguments: [
      ([], segment(1, from: 0, to: 1_000), nil),
      ([], segment(1, from: -1, to: 500), trigger),
      ([], segment(1, from: 500, to: 1_001), trigger),
      ([], segment(1, from: 500, to: nil), trigger),
      ([], segment(1, from: 500, to: 600, in: 3), trigger),
      ([], segment(1, from: 2_000, to: nil, in: 2), nil),
      ([], segment(1, from: 5_000, to: 6_000, in: nil), nil),
      ([], segment(1, from: 5_000, to: nil, in: nil), check),
      ([], segment(1, from: 5, to: 5), check),
      ([], segment(1, from: 5, to: 6, project: nil, breakType: 1), nil),
      ([], segment(1, from: 5, to: 6, breakType: 1), check),
      ([], segment(1, from: 5, to: 6, in: nil, project: nil, breakType: 1), check),
      ([], segment(1, from: 5, to: 6, project: 2), foreignKey),
      ([], segment(1, from: 5, to: 6, project: nil, breakType: 2), foreignKey),
      ([segment(1, from: 100, to: 200)], segment(2, from: 200, to: 300), nil),
      ([segment(1, from: 100, to: 200)], segment(2, from: 199, to: 300), trigger),
      ([segment(1, from: 100, to: 200)], segment(2, from: 50, to: 101), trigger),
      ([segment(1, from: 2_000, to: nil, in: 2)], segment(2, from: 3_000, to: nil, in: 2), trigger),
      (
        [segment(1, from: 100, to: 200), segment(2, from: 300, to: 400)],
        "UPDATE segments SET end_time = end_time + 101 WHERE segment_id = 1", trigger
      ),
      (
        [segment(1, from: 100, to: 200)], "UPDATE segments SET end_time = end_time + 801",
        trigger
      ),
      (
        [segment(1, from: 100, to: 200)],
        "UPDATE time_entries SET clock_out = clock_out - 801 WHERE user_id = 1",
        trigger
      ),
      (
        [segment(1, from: 100, to: 200)],
        "UPDATE time_entries SET clock_out = clock_out - 800 WHERE user_id = 1",
        nil
      ),
      (
        [segment(1, from: 100, to: 200)],
        "UPDATE time_entries SET clock_in = clock_in + 101 WHERE entry_number = 1000001", trigger
      ),
      (
        [segment(1, from: 2_000, to: nil, in: 2)],
        "UPDATE time_entries SET clock_out = clock_in + 1 WHERE clock_out IS NULL", trigger
      ),
      ([segment(1, from: 100, to: 200)], "DELETE FROM time_entries", foreignKey),
      ([segment(1, from: 100, to: 200)], "DELETE FROM projects", foreignKey),
    ] as [([String], String, Int32?)])
  func lastWord(_ earlier: [String], _ last: String, _ expected: Int32?) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage, number: 1)
    _ = try await TestOffice(in: storage, number: 2)
    var code: Int32?
    do {
      try await storage.writer.write { transaction in
        for statement in Self.before + earlier + [last] { try transaction.connection.execute(statement) }
      }
    } catch let error as SQLiteError {
      code = error.code
    }
    #expect(code == expected, "\(last)")
    await storage.close()
  }

  @Test("lets nobody have two open segments, without the triggers too")
  func oneOpen() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage, number: 1)
    _ = try await TestOffice(in: storage, number: 2)
    let error = await #expect(throws: SQLiteError.self) {
      try await storage.writer.write { transaction in
        for statement in Self.before + [
          "DROP TRIGGER segments_no_overlap_on_insert", Self.segment(1, from: 2_000, to: nil, in: 2),
          Self.segment(2, from: 3_000, to: nil, in: 2),
        ] {
          try transaction.connection.execute(statement)
        }
      }
    }
    #expect(error?.code == Self.unique)
    await storage.close()
  }
}
