import Testing
import TimeclockDomain

@testable import SQLiteStorage

/// The database's own refusals, independent of the program's checks: writes that skip the checks.
@Suite("The schema by itself")
struct SchemaGuardTests {
  /// Extended result codes (sqlite.org/rescode.html).
  private static let check: Int32 = 275
  private static let foreignKey: Int32 = 787
  private static let trigger: Int32 = 1811
  private static let unique: Int32 = 2067

  private static let day = 20_000
  private static let base = 20_000 * 86_400_000

  private static func insertion(
    number: Int, from begin: Int, to end: Int?, organization: Int = 1, user: Int = 1,
    session: String = "NULL",
    date: Int = day
  ) -> String {
    """
    INSERT INTO time_entries (organization_id, user_id, date, created_at, entry_number, id, clock_in,
      clock_out, time_zone, offset_seconds, session_id, source, flags, version, updated_at)
    VALUES (\(organization), \(user), \(date), 0, \(1_000_000 + number), randomblob(16), \(base + begin),
      \(end.map { "\(base + $0)" } ?? "NULL"), 'UTC', 0, \(session), 'api', 0, 1, 0)
    """
  }

  /// Runs statements one after the other in one write; the code of the first that fails.
  private static func code(of statements: [String], in storage: SQLiteStorage) async throws -> Int32? {
    do {
      try await storage.writer.write { transaction in
        for statement in statements { try transaction.connection.execute(statement) }
      }
      return nil
    } catch let error as SQLiteError {
      return error.code
    }
  }

  /// An office in organization 1 with user 1, and another one with user 2 in organization 2.
  private static func withOffices(_ test: (SQLiteStorage) async throws -> Void) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    _ = try await TestOffice(in: storage, number: 1)
    _ = try await TestOffice(in: storage, number: 2)
    try await test(storage)
    await storage.close()
  }

  @Test("refuses overlaps, on insertion and on update")
  func overlaps() async throws {
    try await Self.withOffices { storage in
      let first = Self.insertion(number: 1, from: 100, to: 200)
      let next = Self.insertion(number: 2, from: 200, to: 300)
      let cases: [(statement: String, code: Int32?)] = [
        (Self.insertion(number: 3, from: 150, to: 250), Self.trigger),
        (Self.insertion(number: 3, from: 0, to: 1_000), Self.trigger),
        (Self.insertion(number: 3, from: 120, to: 130), Self.trigger),
        (Self.insertion(number: 3, from: 0, to: nil), Self.trigger),
        (Self.insertion(number: 3, from: 100, to: 200), Self.trigger),
        (Self.insertion(number: 3, from: 0, to: 100), nil),
        (Self.insertion(number: 3, from: 300, to: nil), nil),
        ("UPDATE time_entries SET clock_out = clock_out + 1 WHERE entry_number = 1000001", Self.trigger),
        ("UPDATE time_entries SET clock_out = NULL WHERE entry_number = 1000001", Self.trigger),
        ("UPDATE time_entries SET clock_in = clock_in - 1 WHERE entry_number = 1000002", Self.trigger),
        ("UPDATE time_entries SET clock_in = clock_in - 1 WHERE entry_number = 1000001", nil),
        ("UPDATE time_entries SET clock_out = NULL WHERE entry_number = 1000002", nil),
        ("UPDATE time_entries SET clock_out = clock_out - 1 WHERE entry_number = 1000001", nil),
      ]
      for (statement, expected) in cases {
        let code = try await Self.code(of: [first, next, statement, "DELETE FROM time_entries"], in: storage)
        #expect(code == expected, "\(statement)")
      }
    }
  }

  @Test("refuses a second active entry and a second entry with the same start, without the triggers too")
  func uniqueIndexes() async throws {
    try await Self.withOffices { storage in
      let withoutTriggers = [
        "DROP TRIGGER time_entries_no_overlap_on_insert", "DROP TRIGGER time_entries_no_overlap_on_update",
      ]
      let active = Self.insertion(number: 1, from: 100, to: nil)
      for second in [
        Self.insertion(number: 2, from: 200, to: nil), Self.insertion(number: 2, from: 100, to: 200),
      ] {
        let code = try await Self.code(of: withoutTriggers + [active, second], in: storage)
        #expect(code == Self.unique)
      }
      let elsewhere = Self.insertion(number: 3, from: 100, to: nil, organization: 2, user: 2)
      let clean = "DELETE FROM time_entries"
      let code = try await Self.code(of: withoutTriggers + [active, elsewhere, clean], in: storage)
      #expect(code == nil)
    }
  }

  @Test("refuses spans that are empty, and dates away from their clock-in")
  func checks() async throws {
    try await Self.withOffices { storage in
      let refused = [
        Self.insertion(number: 1, from: 100, to: 100), Self.insertion(number: 1, from: 100, to: 99),
        Self.insertion(number: 1, from: 100, to: 200, date: Self.day + 2),
        Self.insertion(number: 1, from: 100, to: 200, date: Self.day - 2),
        "UPDATE organizations SET minimum_seconds = maximum_seconds",
        "UPDATE organizations SET maximum_seconds = 9000000000",
        "UPDATE organizations SET version = 0", "UPDATE members SET role = 'owner'",
        "UPDATE members SET active = 2", "UPDATE tokens SET name = 'half an API token'",
        "UPDATE tokens SET digest = x'00'", "UPDATE users SET id = x'00'",
        "INSERT INTO row_numbers VALUES (2, 0)",
      ]
      for statement in refused {
        let code = try await Self.code(of: [statement], in: storage)
        #expect(code == Self.check, "\(statement)")
      }
    }
  }

  @Test("takes the words that the program knows, and no others")
  func words() async throws {
    try await Self.withOffices { storage in
      func change(means: String, kind: String) -> String {
        """
        INSERT INTO changes (change_number, organization_id, time, author_means, operation, kind, resource, resource_id, salt)
        VALUES (1000001, 1, 0, '\(means)', '', '\(kind)', '', randomblob(16), randomblob(16))
        """
      }
      func entry(source: String) -> String {
        Self.insertion(number: 1, from: 100, to: 200).replacing("'api'", with: "'\(source)'")
      }
      let taken =
        Author.Means.allCases.map { change(means: $0.rawValue, kind: "created") }
        + ChangeKind.allCases.map { change(means: "service", kind: $0.rawValue) }
        + TimeEntrySource.allCases.map { entry(source: $0.rawValue) }
      for statement in taken {
        // The second statement is refused for another reason, and undoes the first.
        let second =
          "INSERT INTO users SELECT user_id + 1000, id, email, email_key, name, NULL, 0, 0, NULL FROM users"
        let code = try await Self.code(of: [statement, second], in: storage)
        #expect(code == Self.unique, "\(statement)")
      }
      for statement in [
        change(means: "other", kind: "created"), change(means: "service", kind: "made"),
        change(means: "SERVICE", kind: "created"), entry(source: "other"), entry(source: ""),
      ] {
        let code = try await Self.code(of: [statement], in: storage)
        #expect(code == Self.check, "\(statement)")
      }
    }
  }

  @Test("refuses rows that point into another organization")
  func references() async throws {
    try await Self.withOffices { storage in
      let session = """
        INSERT INTO sessions (session_id, organization_id, id, date, title, version, created_at, updated_at)
        VALUES (7, 2, randomblob(16), 0, 'Theirs', 1, 0, 0)
        """
      let token = """
        INSERT INTO tokens (token_id, user_id, digest, created_at, expires_at, organization_id, id, name)
        VALUES (99, 2, randomblob(32), 0, 0, 1, randomblob(16), 'Theirs')
        """
      let refused = [
        Self.insertion(number: 1, from: 100, to: 200, user: 2),
        Self.insertion(number: 1, from: 100, to: 200, session: "7"),
        "INSERT INTO session_assignees VALUES (1, 7, 1)", "INSERT INTO session_assignees VALUES (2, 7, 1)",
        token,
      ]
      for statement in refused {
        let code = try await Self.code(of: [session, statement], in: storage)
        #expect(code == Self.foreignKey, "\(statement)")
      }
      let allowed = Self.insertion(number: 1, from: 100, to: 200, organization: 2, user: 2, session: "7")
      let assignee = "INSERT INTO session_assignees VALUES (2, 7, 2)"
      let code = try await Self.code(of: [session, assignee, allowed], in: storage)
      #expect(code == nil)
    }
  }
}
