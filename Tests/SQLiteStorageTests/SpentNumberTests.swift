import Testing
import TimeclockDomain

@testable import SQLiteStorage
@testable import SchemaMigrations

@Suite("Numbers that the database would give out again")
struct SpentNumberTests {
  private static let report = "tables have numbers that are given out again"

  @Test("are reported in every table that takes them")
  func everyTable() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    try await office.keep(0)
    let (key, now) = (office.member.key.organization, TestDatabase.now)
    let project = try await storage.createProject(
      Project(
        head: Head(id: TestOffice.identifiers.next(at: now), organizationID: office.organization.id, at: now)
      ) { $0.name = "Harvest" }, in: key, ownedLimit: 100, context: .test(), recording: nil)
    _ = try await storage.createTask(
      WorkTask(
        head: Head(id: TestOffice.identifiers.next(at: now), organizationID: office.organization.id, at: now)
      ) {
        $0.projectID = project.id
        $0.name = "Pick"
      }, in: key, ownedLimit: 100, context: .test(), recording: nil)
    try await storage.writer.write { transaction in
      try transaction.connection.execute(
        """
        INSERT INTO invitations VALUES (1, 1, randomblob(16), 1, randomblob(32), 0, 1)
        """)
    }
    await storage.close()
    #expect(try Self.faults(of: database) == [])
    try Self.spend(in: database)
    // Entries, tokens, changes, members, invitations, projects and tasks.
    #expect(try Self.faults(of: database) == ["7 \(Self.report)"])
  }

  @Test("are reported in a database of an older schema, which lacks some of the tables")
  func olderSchema() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    try await TestOffice(in: storage).keep(0)
    await storage.close()
    let connection = try database.connection()
    try connection.execute("DROP TABLE invitations")
    connection.close()
    let next = SchemaMigration(number: Int64(SchemaMigrations.sqlite.count) + 1, title: "next", sql: "")
    let newer = SchemaMigrations.sqlite + [next]
    #expect(try Self.faults(of: database, migrations: newer) == [])
    try Self.spend(in: database)
    // Entries, tokens, changes and members.
    #expect(try Self.faults(of: database, migrations: newer) == ["4 \(Self.report)"])
  }

  /// Has the database give its numbers out from the first on.
  private static func spend(in database: TestDatabase) throws {
    let connection = try database.connection()
    defer { connection.close() }
    try connection.execute("UPDATE row_numbers SET last_number = 0")
  }

  private static func faults(
    of database: TestDatabase, migrations: [SchemaMigration] = SchemaMigrations.sqlite
  ) throws -> [String] {
    let audited = try SQLiteAuditedDatabase(path: database.path, migrations: migrations)
    defer { audited.close() }
    return try audited.integrityFaults()
  }
}
