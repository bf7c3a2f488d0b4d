import DatabaseCopy
import Foundation
import PostgreSQLTestCluster
import Procedures
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("A move")
struct MoveTests {
  /// Two cells: one with the organizations of `SourceDatabase`, the other with one of its own.
  private struct Cells {
    let source: SourceDatabase
    let (one, two): (String, String)

    static func run(_ test: (Cells) async throws -> Void) async throws {
      let folder = try TestFolder()
      let cluster = try PostgreSQLTestCluster.shared.get()
      let cells = Cells(
        source: try await SourceDatabase(in: folder), one: try cluster.makeDatabase(),
        two: try cluster.makeDatabase())
      defer { for place in [cells.one, cells.two] { try? cluster.removeDatabase(place) } }
      try Place.sqlite(cells.source.path).copy(to: .postgreSQL(cells.one))
      let storage = try Place.postgreSQL(cells.two).open()
      try await makeOrganization(in: storage, admin: "zoe@example.com", token: 200)
      await storage.close()
      try await test(cells)
    }

    /// Moves as the command does.
    ///
    /// - Parameter isAudited: Whether the log has to have every row, as it has not of all in `SourceDatabase`.
    @discardableResult
    func move(
      _ organization: OrganizationID, back: Bool = false, isAudited: Bool = false
    ) async throws -> CopyResult? {
      let (from, to) = back ? (two, one) : (one, two)
      let move = try OrganizationMove(
        organization.text, from: PostgreSQLLocation(from), to: PostgreSQLLocation(to))
      move.isAudited = isAudited
      defer { move.close() }
      return try await move.run(
        to: MoveTests.address,
        seal: { number in
          let storage = try Place.postgreSQL(from).open()
          do {
            _ = try await storage.logEnd(of: number)
          } catch {
            Issue.record(error)
          }
          await storage.close()
        }, report: { _ in })
    }

    func clear(_ organization: OrganizationID) throws {
      let move = try OrganizationMove(
        organization.text, from: PostgreSQLLocation(one), to: PostgreSQLLocation(two))
      defer { move.close() }
      try move.clear()
    }

    func abandon(_ organization: OrganizationID) throws {
      let move = try OrganizationMove(
        organization.text, from: PostgreSQLLocation(one), to: PostgreSQLLocation(two))
      defer { move.close() }
      try move.abandon()
    }

    func execute(_ sql: String, in place: String) throws {
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(place))
      defer { connection.close() }
      try connection.execute("SET timeclock.organization = 'everyone'; \(sql)")
    }
  }

  private static let address = "https://two.example"

  private static func makeOrganization(in storage: any Storage, admin: String, token: UInt8) async throws {
    let ids = IdentifierGenerator()
    let now = SourceDatabase.now
    _ = try await storage.createOrganization(
      SourceDatabase.organization(ids.next(at: now), "There"),
      admin: NewAccount(
        userID: ids.next(at: now), email: try EmailAddress(admin), name: "Zoe", passwordHash: nil),
      token: NewToken(
        digest: SourceDatabase.digest(token), createdAt: now, expiresAt: .latest, client: nil),
      context: SourceDatabase.change)
  }

  /// The rows of an organization with the ids of people and organizations in place of their numbers, table by table.
  private static func rows(of organization: OrganizationID, in place: String) throws -> [String: [String]] {
    let connection = try PostgreSQLCopyConnection(PostgreSQLLocation(place))
    defer { connection.connection.close() }
    try connection.connection.execute("SET timeclock.organization = 'everyone'")
    let number = try connection.number(
      "SELECT organization_id FROM organizations WHERE id = '\(organization.text)'")
    var rows: [String: [String]] = [:]
    for table in CopiedTable.ofMove {
      let columns = table.columns.map { column in
        switch (column.name, column.kind) {
        case ("organization_id", .integer):
          "(SELECT id FROM organizations o WHERE o.organization_id = t.organization_id)"
        case ("user_id", .integer), ("owner_id", .integer):
          "(SELECT id FROM users u WHERE u.user_id = t.\(column.name))"
        case ("token_id", .integer): "(SELECT digest FROM tokens k WHERE k.token_id = t.token_id)"
        default: "t.\(column.name)"
        }
      }
      rows[table.name] = try connection.rows(
        """
        SELECT ROW(\(columns.joined(separator: ", ")))::text FROM \(table.name) t \
        WHERE \(table.condition(.move(number))) ORDER BY 1
        """
      ).map { $0.text(0) }
    }
    return rows
  }

  @Test("of organizations that share a person keeps every value but the numbers, and the log goes on")
  func everything() async throws {
    try await Cells.run { cells in
      // Rows that a copy leaves behind, and a move takes along.
      try cells.execute(
        """
        INSERT INTO webhook_cursors SELECT organization_id, webhook_id, 7, 1, 5, 12345 FROM webhooks;
        INSERT INTO webhook_attempts SELECT 41, organization_id, webhook_id, 7, 99, 500, 'x', 3 FROM webhooks
        """, in: cells.one)
      for organization in [cells.source.organization, cells.source.other] {
        let before = try Self.rows(of: organization, in: cells.one)
        let end = try await Self.end(of: organization, in: cells.one)
        let result = try #require(try await cells.move(organization))
        #expect(try Self.rows(of: organization, in: cells.two) == before)
        #expect(try await Self.end(of: organization, in: cells.two) == end)
        for (table, count) in result.rowCounts where table != "users" && table != "idempotency_keys" {
          #expect(Int64(before[table]?.count ?? 0) == count, "\(table)")
        }
        // Again, and nothing is left to do.
        #expect(try await cells.move(organization) == nil)
      }
      // Every table of the first has rows.
      let all = try Self.rows(of: cells.source.organization, in: cells.two)
      #expect(all.filter(\.value.isEmpty).keys.sorted() == [])
      // The numbers to come are greater than those that came. Log-ins did not come along.
      try cells.execute(
        """
        INSERT INTO tokens (user_id, digest, created_at, expires_at) SELECT user_id, decode(repeat('01', 32), 'hex'), 0, \(Int64.max / 2) \
        FROM users WHERE id = '\(cells.source.admin.text)'
        """, in: cells.two)
      let storage = try Place.postgreSQL(cells.two).open()
      for _ in 0..<3 { try await cells.source.addOneOfEach(to: storage) }
      await storage.close()
    }
  }

  @Test("leaves nothing at the source once that is cleared, and goes back")
  func clearing() async throws {
    try await Cells.run { cells in
      let organization = cells.source.organization
      #expect(throws: MoveError.notMoved) { try cells.clear(organization) }
      let other = try Self.rows(of: cells.source.other, in: cells.one)
      try await cells.move(organization)
      let before = try Self.rows(of: organization, in: cells.two)
      await #expect(throws: MoveError.alreadyThere) { try await cells.move(organization, back: true) }
      try cells.clear(organization)
      #expect(throws: MoveError.noSuchOrganization(count: 0)) { try cells.clear(organization) }
      #expect(try Self.rows(of: organization, in: cells.one).allSatisfy(\.value.isEmpty))
      #expect(try Self.rows(of: cells.source.other, in: cells.one) == other)
      try await cells.move(organization, back: true)
      #expect(try Self.rows(of: organization, in: cells.one) == before)
    }
  }

  private static func end(of organization: OrganizationID, in place: String) async throws -> LogPlace {
    let storage = try Place.postgreSQL(place).open()
    let all = try await storage.organizations()
    let end = try await storage.logEnd(of: try #require(all.first { $0.id == organization }).key)
    await storage.close()
    return end
  }

  @Test("knows all numbers that are others in the target by the names of their columns")
  func references() async throws {
    let place = try PostgreSQLTestCluster.shared.get().makeDatabase()
    defer { try? PostgreSQLTestCluster.shared.get().removeDatabase(place) }
    await (try Place.postgreSQL(place).open()).close()
    let connection = try PostgreSQLCopyConnection(PostgreSQLLocation(place))
    defer { connection.connection.close() }
    // References to the three tables, and keys that two organizations could not both have.
    let found = try connection.rows(
      """
      SELECT DISTINCT a.attname::text FROM pg_constraint c \
      CROSS JOIN unnest(c.conkey, c.confkey) AS pair (own, referenced) \
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = pair.own \
      JOIN pg_attribute r ON r.attrelid = c.confrelid AND r.attnum = pair.referenced \
      WHERE c.contype = 'f' AND r.attname IN ('organization_id', 'user_id', 'token_id') \
      AND c.conrelid::regclass::text = ANY ($1::text[]) ORDER BY 1
      """, [ArrayText.of(CopiedTable.ofMove.map(\.name))]
    ).map { $0.text(0) }
    #expect(found == MovedNumbers.columns.sorted())
    let keys = try connection.rows(
      """
      SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid \
      WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_attribute a \
      WHERE a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND a.attname = 'organization_id') ORDER BY 1
      """
    ).map { $0.text(0) }
    #expect(
      Set(keys) == [
        "organizations_by_id", "users_pkey", "users_by_id", "users_by_email", "tokens_pkey",
        "tokens_by_digest",
        "invitations_by_digest", "idempotency_keys_pkey", "log_in_attempts_pkey", "log_epoch_pkey",
        "schema_migrations_pkey",
      ])
  }

  @Test("is refused before anything is closed, or called off, and the organization is as it was")
  func refusals() async throws {
    try await Cells.run { cells in
      let organization = cells.source.organization
      #expect(throws: MoveError.notMoving) { try cells.abandon(organization) }
      await #expect(throws: MoveError.noSuchOrganization(count: 0)) {
        try await cells.move(IdentifierGenerator().next(at: SourceDatabase.now))
      }
      #expect(throws: MoveError.busy) {
        _ = try OrganizationMove(
          organization.text, from: PostgreSQLLocation(cells.one), to: PostgreSQLLocation(cells.one))
      }
      let storage = try Place.postgreSQL(cells.two).open()
      try await Self.makeOrganization(in: storage, admin: "ANA@example.com", token: 201)
      await storage.close()
      await #expect(throws: MoveError.otherAccounts(addresses: ["Ana@Example.com"])) {
        try await cells.move(organization)
      }
      try cells.execute("UPDATE users SET email_key = 'x' WHERE email_key = 'ana@example.com'", in: cells.two)
      let faults = await #expect(throws: MoveError.self) {
        try await cells.move(organization, isAudited: true)
      }
      guard case .faults? = faults else {
        Issue.record("\(String(describing: faults))")
        return
      }
      #expect(throws: CopyError.departed) {
        try Place.postgreSQL(cells.one).copy(to: .postgreSQL(cells.two))
      }
      try cells.abandon(organization)
      #expect(try await Self.end(of: organization, in: cells.one).sequence > 0)
      // A move that has begun to one database goes on to no other. After one that lost the organization it opens here again,
      // under another epoch.
      try await cells.move(organization)
      try cells.execute("UPDATE organization_departures SET target = 'x'", in: cells.one)
      await #expect(throws: MoveError.otherTarget) { try await cells.move(organization) }
      #expect(throws: MoveError.otherTarget) { try cells.abandon(organization) }
      try cells.execute("DELETE FROM organization_departures", in: cells.one)
      try await cells.move(organization)
      #expect(throws: MoveError.arrived) { try cells.abandon(organization) }
      try cells.execute(
        """
        DELETE FROM organization_arrivals; UPDATE organizations SET id = gen_random_uuid() WHERE id = '\(organization.text)'
        """, in: cells.two)
      let lost = MoveError.lost(address: Self.address)
      await #expect(throws: lost) { try await cells.move(organization) }
      let epoch = try await Self.end(of: cells.source.other, in: cells.one).epoch
      try cells.abandon(organization)
      #expect(try await Self.end(of: organization, in: cells.one).epoch != epoch)
      // A copy in the target is none that has moved there.
      try cells.execute("DELETE FROM organization_departures", in: cells.one)
      await #expect(throws: MoveError.alreadyThere) {
        try cells.execute(
          "UPDATE organizations SET id = '\(organization.text)' WHERE name = 'There' AND organization_id = 1",
          in: cells.two)
        try await cells.move(organization)
      }
    }
  }
}
