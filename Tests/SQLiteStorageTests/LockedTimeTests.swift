import Testing
import TimeclockDomain

@testable import SQLiteStorage

/// The database's own refusals about locked time, independent of the program's checks.
@Suite("The schema of locked time by itself")
struct LockedTimeTests {
  /// The place where locked time is refused.
  enum Refusal {
    /// A trigger refuses a statement: its extended result code (sqlite.org/rescode.html).
    case trigger
    /// The transaction does not commit.
    case end

    private static let triggerCode: Int32 = 1811

    init?(_ error: any Error) {
      if let error = error as? SQLiteError, error.code == Self.triggerCode {
        self = .trigger
      } else if case TimeclockError.unavailable = error {
        self = .end
      } else {
        return nil
      }
    }
  }

  private static let opening = "INSERT INTO correcting VALUES (1, 1, 0)"
  private static let closing = "DELETE FROM correcting"
  private static let deletion = "DELETE FROM time_entries"
  private static let cut = "UPDATE time_entries SET clock_out = clock_out - 1"
  private static let insertion = """
    INSERT INTO time_entries (organization_id, user_id, date, created_at, entry_number, id, clock_in, clock_out, time_zone,
      offset_seconds, source, flags, version, updated_at)
    SELECT organization_id, user_id, date, created_at + 1, entry_number + 1, randomblob(16), clock_in - 60000, clock_in,
      time_zone, offset_seconds, source, flags, version, updated_at FROM time_entries
    """
  private static let segment = """
    INSERT INTO segments (segment_id, organization_id, user_id, id, start_time, end_time, is_paid, billable, name,
      time_zone, source, version, created_at, updated_at)
    VALUES (1, 1, 1, randomblob(16), 0, 60000, 1, 0, 'S', 'UTC', 'api', 1, 86400000, 0)
    """

  @Test(
    "lets nothing into it but a transaction that says so, and none end that does not take that back",
    arguments: [
      ([deletion], .trigger), ([cut], .trigger), ([insertion], .trigger), ([segment], .trigger),
      ([opening, deletion, closing], nil), ([opening, cut, closing], nil),
      ([opening, insertion, closing], nil),
      ([opening, segment, closing], nil), ([opening, deletion], .end), ([opening], .end),
      ([opening, closing, deletion], .trigger),
      (["INSERT INTO correcting VALUES (1, 2, 0)", deletion], .trigger),
    ] as [([String], Refusal?)])
  func lastWord(_ statements: [String], _ expected: Refusal?) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(-600)
    var refusal: Refusal?
    do {
      try await storage.writer.write { transaction in
        try transaction.connection.execute(
          """
          UPDATE time_entries SET created_at = clock_in + 600000;
          INSERT INTO periods VALUES (1, 1, randomblob(16), 1, 99999, 4000000000000, 99999, 4000000000000, 99999,
            4000000000000, 1, 0, 0)
          """)
      }
      try await storage.writer.write { transaction in
        for statement in statements { try transaction.connection.execute(statement) }
      }
    } catch {
      guard let known = Refusal(error) else { throw error }
      refusal = known
    }
    #expect(refusal == expected)
    await storage.close()
  }
}
