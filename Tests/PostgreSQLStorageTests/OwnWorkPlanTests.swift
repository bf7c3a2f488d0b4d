import Procedures
import StorageCalls
import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// How PostgreSQL carries out the statements that the service sends by itself, once a second or once a minute, about
/// everybody's rows. One that walks all of a table takes longer with every organization, on each instance, and at some
/// number of them longer than a statement may: then it works for nobody.
@Suite("PostgreSQL's plans of the service's own work")
struct OwnWorkPlanTests {
  /// Whether a statement for this reason is sent because somebody has asked for something.
  private static func isAskedFor(_ reason: CrossingReason) -> Bool {
    switch reason {
    case .tokensAreFoundByDigest, .tokensAreFoundByKey, .logInsBelongToNoOrganization,
      .peopleSeeTheirOwnMemberships, .accountsAreShared, .accountsEndEverywhere, .operatorsListOrganizations:
      true
    case .jobsLookForWork, .sealingLooksForWork, .webhooksAreDelivered, .timersEnd, .pushIsDelivered: false
    }
  }

  /// The texts of the statements about everybody's rows that the calls of all methods send and nobody asks for.
  private static func statements(in database: TestDatabase) async throws -> Set<String> {
    let sent = Mutex<Set<String>>([])
    let storage = try PostgreSQLStorage.open(
      PostgreSQLLocation(database.conninfo), connectionsPerLoop: 2, now: TestDatabase.now, sealingDelay: nil,
      rewrite: { text, scope in
        if case .everyone(let reason) = scope, !isAskedFor(reason) {
          sent.withLock { _ = $0.insert(text) }
        }
        return text
      }, log: { _ in })
    try await StorageCalls.callAll(in: storage)
    try await storage.sealAll()
    await storage.close()
    return sent.withLock { $0 }
  }

  /// The tables that the plan of a statement walks, with their kinds of walks: indexes without a condition included, but
  /// not as far as a limit ends them.
  private static func walks(_ plan: Plan, isLimited: Bool = false) -> [String] {
    var found: [String] = []
    let isScan = plan.type == "Seq Scan" || plan.type.hasPrefix("Index") || plan.type == "Bitmap Index Scan"
    if isScan, !isLimited, plan.indexCondition == nil {
      found.append("\(plan.type) \(plan.table ?? plan.index ?? "")")
    }
    let gathers = ["Sort", "Aggregate", "Hash", "Materialize", "ModifyTable"]
    let goesOn = plan.type == "Limit" || isLimited && !gathers.contains(plan.type)
    return found + (plan.children ?? []).flatMap { walks($0, isLimited: goesOn) }
  }

  private static func walks(_ text: String, on connection: EstablishedConnection) throws -> [String] {
    walks(try QueryPlanTests.plan(text, on: connection))
  }

  @Test("look up what they are about, and walk no table, whatever its size")
  func plans() async throws {
    try await TestDatabase.run { database in
      let statements = try await Self.statements(in: database)
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      // A walk is left only where nothing else is possible.
      try connection.execute("SET timeclock.organization = 'everyone'; SET enable_seqscan = off")
      #expect(statements.count >= 15)
      for known in [
        ForgottenEntryRows.organizations, ForgottenEntryRows.overMaximum, ForgottenEntryRows.newestChange,
        PostgreSQLStorage.unsealedOrganizations,
      ] { #expect(statements.contains(known.text)) }
      for text in statements.sorted() {
        let found = try Self.walks(text, on: connection)
        #expect(found == [], "\(text)")
      }
    }
  }

  @Test("would be found if they walked one")
  func control() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      try connection.execute("SET timeclock.organization = 'everyone'; SET enable_seqscan = off")
      for (text, table) in [
        // As the newest change, what is over the maximum and the sessions that are old once were looked for.
        (
          """
          SELECT max(c.time) FROM organizations o CROSS JOIN LATERAL ( \
          SELECT time FROM changes WHERE organization_id = o.organization_id ORDER BY change_number DESC LIMIT 1) c
          """, "organizations"
        ),
        (
          """
          SELECT o.organization_id FROM (SELECT organization_id, $1 - maximum_seconds * 1000 AS before \
          FROM organizations OFFSET 0) o CROSS JOIN LATERAL (SELECT 1 FROM time_entries e \
          WHERE e.organization_id = o.organization_id AND e.clock_out IS NULL AND e.clock_in < o.before LIMIT 1) c
          """, "organizations"
        ),
        ("SELECT count(*) FROM webhook_cursors WHERE failures > 0 AND $1::bigint > 0", "webhook_cursors"),
        ("SELECT DISTINCT organization_id FROM unsealed_changes", "unsealed_changes"),
      ] {
        let found = try Self.walks(text, on: connection)
        #expect(found.count == 1 && found[0].contains(" \(table)"), "\(found) \(text)")
      }
    }
  }
}
