import StorageCalls
import Testing
import TimeclockDomain

@testable import Procedures

@Suite("The table of a kind of record")
struct RecordTableTests {
  private struct Thing: Sendable {
    var name: String
    var count: Int64
  }

  private static let fields: [RecordField<Thing>] = [
    .fixed("name", .text) { .text($0.name) }, .field("count", .integer) { .integer($0.count) },
  ]

  @Test("inserts without the key that the database numbers, and changes what is not fixed")
  func numbered() {
    let table = RecordTable("things", key: .numbered("thing_id"), fields: Self.fields)
    #expect(
      table.insertion.plain.postgresql
        == "INSERT INTO things (organization_id, name, count) VALUES ($1, $2, $3) RETURNING thing_id")
    #expect(table.insertion.numbered == nil)
    #expect(
      table.change.postgresql == "UPDATE things SET count = $3 WHERE organization_id = $1 AND thing_id = $2")
    #expect(table.deletion.sqlite == "DELETE FROM things WHERE organization_id = ?1 AND thing_id = ?2")
  }

  @Test("inserts with the key that is known, and with SQLite's number, unless the row is there")
  func known() {
    let table = RecordTable(
      "things", key: .known("user_id"), number: "thing_number", isUnlessThere: true, fields: Self.fields)
    #expect(
      table.insertion.plain.postgresql == """
        INSERT INTO things (organization_id, user_id, name, count) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING user_id
        """)
    #expect(
      table.insertion.numbered?.sqlite == """
        INSERT INTO things (organization_id, user_id, name, count, thing_number) VALUES (?1, ?2, ?3, ?4, ?5) \
        ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING user_id
        """)
  }

  @Test("of an organization itself has the organization's number as its key")
  func organization() {
    let table = RecordTable("things", key: .organization, fields: Self.fields)
    #expect(
      table.insertion.plain.sqlite
        == "INSERT INTO things (organization_id, name, count) VALUES (?1, ?2, ?3) RETURNING organization_id")
    #expect(table.change.sqlite == "UPDATE things SET count = ?2 WHERE organization_id = ?1")
  }

  @Test("gives statements in the words of both storages")
  func words() {
    let statement = RecordStatement(
      "FROM things WHERE organization_id = $1", columns: RecordColumns("name"), lock: "FOR UPDATE",
      sqlite: "FROM things INDEXED BY by_name WHERE organization_id = $1")
    #expect(statement.postgresql == "SELECT name FROM things WHERE organization_id = $1 FOR UPDATE")
    #expect(statement.sqlite == "SELECT name FROM things INDEXED BY by_name WHERE organization_id = ?1")
    #expect(statement.names == ["name"])
  }
}

@Suite("The table of a shape")
struct ShapedTableTests {
  @Test("has the columns of the shape, and reads them with the ids of organization and owner")
  func statements() {
    #expect(
      BreakType.table.rows.insertion.plain.postgresql == """
        INSERT INTO break_types (organization_id, id, name, is_paid, expected_seconds, archived, version, \
        created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING break_type_id
        """)
    #expect(
      Project.table.rows.change.sqlite == """
        UPDATE projects SET name = ?3, client = ?4, color = ?5, archived = ?6, billable = ?7, version = ?8, \
        updated_at = ?9 WHERE organization_id = ?1 AND project_id = ?2
        """)
    #expect(
      Project.table.lockedForChange.postgresql == """
        SELECT r.project_id, o.id, u.id, r.id, r.owner_id, r.name, r.client, r.color, r.archived, r.billable, \
        r.version, r.created_at, r.updated_at FROM projects r \
        JOIN organizations o ON o.organization_id = r.organization_id \
        LEFT JOIN users u ON u.user_id = r.owner_id \
        WHERE r.organization_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF r
        """)
  }

  @Test("changes no column that is fixed, and joins the records that rows refer to")
  func references() {
    #expect(
      Voucher.table.rows.change.postgresql == """
        UPDATE vouchers SET note = $3, spent = $4, amount = $5, weights = $6, share = $7, start_date = $8, \
        end_date = $9, color = $10, project_id = $11, version = $12, updated_at = $13 WHERE organization_id = $1 AND session_id = $2
        """)
    #expect(
      Voucher.table.one.postgresql == """
        SELECT r.session_id, o.id, u.id, of_project_id.id, r.id, r.owner_id, r.code, r.note, r.spent, r.amount, \
        r.limit, r.weights, r.share, r.start_date, r.end_date, r.color, r.project_id, r.version, r.created_at, r.updated_at \
        FROM vouchers r JOIN organizations o ON o.organization_id = r.organization_id \
        LEFT JOIN users u ON u.user_id = r.owner_id \
        LEFT JOIN projects of_project_id ON of_project_id.organization_id = r.organization_id \
        AND of_project_id.project_id = r.project_id WHERE r.organization_id = $1 AND r.id = $2
        """)
  }

  @Test("gives back every kind of value in a row, and refuses a word that is none")
  func rows() throws {
    var values = Self.row(of: ShapedRow(record: .full, owner: UserKey(40), references: ["project_id": 41]))
    #expect(values["start_date"] == .integer(-1) && values["end_date"] == .integer(1))
    #expect(values["weights"] == .text("0,-7,86400") && values["share"] == .integer(12_500))
    #expect(values["color"] == .text("red") && values["project_id"] == .integer(41))
    let found = try Self.read(values)
    #expect(found.record == .full && found.number == 42 && found.references == ["project_id": 41])
    let bare = try Self.read(Self.row(of: ShapedRow(record: .bare)))
    #expect(bare.record == .bare && bare.references == ["project_id": nil])
    values["color"] = .text("blue")
    #expect(throws: UnknownWord(column: "color")) { _ = try Self.read(values) }
  }

  /// The values of a row as the table's statements give them, by name.
  private static func row(of row: ShapedRow<Voucher>) -> [String: RecordValue] {
    let stored = Voucher.table.rows.fields.map { ($0.name, $0.value(row)) }
    let record = row.record
    return [
      "number": .integer(42), "organization": .identifier(record.organizationID),
      "owner": record.ownerID.map(RecordValue.identifier) ?? .null,
      "project_id.id": record.projectID.map(RecordValue.identifier) ?? .null,
    ].merging(stored) { $1 }
  }

  private static func read(_ values: [String: RecordValue]) throws -> NumberedRecord<Voucher> {
    let names = Voucher.table.one.names
    var row = RecordRow(WrittenRow(values: names.map { values[$0] ?? .null }), names: names)
    return try NumberedRecord(&row)
  }
}

/// A row of values as they are written.
private struct WrittenRow: ColumnRow {
  struct Unread: Error {}

  let values: [RecordValue]

  private subscript(column: Int32) -> RecordValue { values[Int(column)] }

  func isNull(_ column: Int32) -> Bool { self[column] == .null }
  func integer(_ column: Int32) -> Int64 { optionalInteger(column) ?? 0 }
  func optionalInteger(_ column: Int32) -> Int64? {
    if case .integer(let value) = self[column] { value } else { nil }
  }
  func bool(_ column: Int32) -> Bool { self[column] == .bool(true) }
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }
  func optionalText(_ column: Int32) -> String? {
    if case .text(let value) = self[column] { value } else { nil }
  }
  func blob(_ column: Int32) -> [UInt8] { [] }
  func instant(_ column: Int32) -> Instant { Instant(millisecondsSince1970: integer(column)) }
  func optionalInstant(_ column: Int32) -> Instant? {
    optionalInteger(column).map(Instant.init(millisecondsSince1970:))
  }
  func date(_ column: Int32) -> LocalDate { LocalDate(daysSince1970: Int32(clamping: integer(column))) }

  func identifier<Subject>(_ column: Int32) throws -> Identifier<Subject> {
    guard case .identifier(let high, let low) = self[column] else { throw Unread() }
    return Identifier(high: high, low: low)
  }

  func optionalIdentifier<Subject>(_ column: Int32) throws -> Identifier<Subject>? {
    isNull(column) ? nil : try identifier(column)
  }

  func timeZone(_ column: Int32) throws -> TimeZoneIdentifier { throw Unread() }
  func optionalTimeZone(_ column: Int32) throws -> TimeZoneIdentifier? { throw Unread() }

  func choice<Choice: RawRepresentable>(_ column: Int32) throws -> Choice where Choice.RawValue == String {
    throw Unread()
  }
}

@Suite("A changed record")
struct VersionedRecordTests {
  private let session = Session(
    id: SessionID(high: 1, low: 2), organizationID: OrganizationID(high: 3, low: 4), date: .latest,
    title: "Early shift", startTime: nil, endTime: nil, location: nil, assigneeIDs: [], version: 7,
    createdAt: Instant(millisecondsSince1970: 1), updatedAt: Instant(millisecondsSince1970: 2))
  private let time = Instant(millisecondsSince1970: 3)

  @Test("has the next version and the time, and what is fixed as it was")
  func change() throws {
    let changed = try session.changed(at: time) { session in
      session.title = "Late shift"
      session.version = 99
      session.createdAt = .earliest
      session.id = SessionID(high: 0, low: 0)
    }
    var expected = session
    expected.title = "Late shift"
    expected.version = 8
    expected.updatedAt = time
    #expect(changed == expected)
  }

  @Test("is none if nothing changes, unless something beside it does")
  func nothing() throws {
    #expect(try session.changed(at: time) { $0.version = 99 } == nil)
    let raised = try session.changed(at: time, mayBeSame: true) { _ in }
    #expect(raised?.version == 8 && raised?.updatedAt == time && raised?.title == session.title)
  }

  @Test("is none if the change is refused")
  func refusal() {
    #expect(throws: TimeclockError.forbidden) {
      _ = try session.changed(at: time) { _ in throw TimeclockError.forbidden }
    }
  }
}
