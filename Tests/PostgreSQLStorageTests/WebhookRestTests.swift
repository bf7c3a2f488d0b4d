import Procedures
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Webhooks whose receivers have everything are due for nobody, until there is more.
@Suite("Resting webhooks on PostgreSQL")
struct WebhookRestTests {
  /// An organization with a webhook.
  private struct Hooked {
    let office: TestOffice
    let storage: PostgreSQLStorage
    let database: TestDatabase
    let webhook: Webhook

    var organization: OrganizationKey { office.member.key.organization }

    init(in storage: PostgreSQLStorage, _ database: TestDatabase) async throws {
      office = try await TestOffice(in: storage)
      (self.storage, self.database) = (storage, database)
      webhook = try await storage.createWebhook(
        Webhook(
          id: TestOffice.identifiers.next(at: TestDatabase.now), organizationID: office.organization.id,
          url: try WebhookURL("https://hooks.example/a"), resources: nil, isEnabled: true, version: 1,
          createdAt: TestDatabase.now, updatedAt: TestDatabase.now), secret: [UInt8](1...32),
        in: office.member.key.organization, context: .test(), recording: nil)
    }

    /// The webhook if it has something to send now.
    func due(in other: PostgreSQLStorage? = nil, limit: Int = 100) async throws -> DueWebhook? {
      let timeclock = Timeclock(storage: other ?? storage, clock: WallClock { TestDatabase.now })
      let now = try await timeclock.clockWatch(elapsed: { .zero }).trusted().get()
      return try await timeclock.dueWebhooks(at: now, limit: limit).first
    }

    var isResting: Bool {
      get throws { try database.execute("SELECT due_at FROM webhook_cursors") == "\(Int64.max)" }
    }

    /// Has the receiver take everything, as a turn does.
    func take(_ due: DueWebhook) async throws {
      let end = try await storage.logEnd(of: organization).sequence
      #expect(
        try await storage.moveWebhookCursor(
          of: due, to: due.cursor.reached(end, nextAt: TestDatabase.now), keeping: nil, disabling: nil))
    }

    func seal() async throws { _ = try await storage.logEnd(of: organization) }

    func update(_ change: @escaping @Sendable (inout Webhook) -> Void) async throws {
      _ = try await storage.updateWebhook(
        WebhookUpdate(id: webhook.id, organization: organization, expectedVersion: nil, context: .test()),
        change)
    }
  }

  @Test("begin to rest when they have everything, and wake with the sealing of a change")
  func rest() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let hooked = try await Hooked(in: storage, database)
      // Nothing is sealed yet: at the log's end.
      #expect(try await hooked.due() == nil)
      #expect(try hooked.isResting)
      try await hooked.seal()
      #expect(try !hooked.isResting)
      for minute in 0..<3 {
        let due = try #require(try await hooked.due())
        try await hooked.take(due)
        #expect(try !hooked.isResting)
        #expect(try await hooked.due() == nil)
        #expect(try hooked.isResting)
        #expect(try await storage.hastenWebhooks(dueAfter: TestDatabase.now, to: TestDatabase.now) == 0)
        #expect(try hooked.isResting)
        try await hooked.office.keep(minute * 2)
        // Not before it is sealed.
        #expect(try await hooked.due() == nil)
        #expect(try hooked.isResting)
        try await storage.sealAll()
      }
      #expect(try await hooked.due() != nil)
      await storage.close()
    }
  }

  @Test("rest while they or their organizations are off, and wake when they are on again")
  func off() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let hooked = try await Hooked(in: storage, database)
      try await hooked.seal()
      try await hooked.update { $0.isEnabled = false }
      #expect(try await hooked.due() == nil)
      #expect(try hooked.isResting)
      try await hooked.seal()
      #expect(try hooked.isResting)
      try await hooked.update { $0.isEnabled = true }
      #expect(try await hooked.due() != nil)
      try await hooked.seal()
      func set(_ state: String) throws {
        try database.execute("UPDATE organizations SET state = '\(state)'")
      }
      try set("deactivated")
      #expect(try await hooked.due() == nil)
      #expect(try hooked.isResting)
      try set("active")
      // The change of the organization.
      try await hooked.office.rename("Umbrella")
      try await hooked.seal()
      #expect(try await hooked.due() != nil)
      await storage.close()
    }
  }

  @Test("are not laid to rest while changes are being sealed, for which nobody waits")
  func sealing() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let hooked = try await Hooked(in: storage, database)
      try await hooked.seal()
      try await hooked.take(try #require(try await hooked.due()))
      let sealer = try database.connectAsAdministrator()
      defer { sealer.close() }
      let key = SealingLock.key.replacing("$1", with: "\(hooked.organization.value)")
      try sealer.execute(
        "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT 1 FROM pg_advisory_xact_lock(\(key))")
      #expect(try await hooked.due() == nil)
      #expect(try !hooked.isResting)
      try sealer.execute("COMMIT")
      #expect(try await hooked.due() == nil)
      #expect(try hooked.isResting)
      await storage.close()
    }
  }

  @Test("miss nothing that is sealed at the moment at which they are laid to rest")
  func races() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let other = try database.open()
      let hooked = try await Hooked(in: storage, database)
      try await hooked.seal()
      for round in 0..<60 {
        try await hooked.take(try #require(try await hooked.due(), "round \(round)"))
        try await hooked.office.keep(round * 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await hooked.seal() }
          for storage in [storage, other] { group.addTask { _ = try await hooked.due(in: storage) } }
          try await group.waitForAll()
        }
      }
      #expect(try await hooked.due() != nil)
      await storage.close()
      await other.close()
    }
  }

  @Test("are found behind more that rest than one look takes")
  func many() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let hooked = try await Hooked(in: storage, database)
      try await hooked.seal()
      try database.execute(
        """
        INSERT INTO webhooks (organization_id, id, url, enabled, secret, version, created_at, updated_at)
          SELECT organization_id, gen_random_uuid(), url, n > 5, secret, 1, 0, 0
          FROM webhooks, generate_series(1, 300) n;
        INSERT INTO webhook_cursors SELECT organization_id, webhook_id,
          (SELECT max(sequence) FROM change_seals), 0, NULL, 0 FROM webhooks
          ON CONFLICT (organization_id, webhook_id) DO UPDATE SET due_at = 5
        """)
      #expect(try await hooked.due(limit: 10)?.webhook.id == hooked.webhook.id)
      #expect(
        try database.execute("SELECT count(*) FROM webhook_cursors WHERE due_at = \(Int64.max)") == "300")
      await storage.close()
    }
  }
}
