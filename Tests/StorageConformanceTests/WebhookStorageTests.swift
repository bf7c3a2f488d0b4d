import Procedures
import Testing
import TimeclockDomain

@Suite("Webhooks in a storage")
struct WebhookStorageTests {
  private static let secret = [UInt8](1...32)

  private static func webhook(_ world: World, _ organization: TestOrganization) throws -> Webhook {
    Webhook(
      id: world.id(), organizationID: organization.id, url: try WebhookURL("https://hooks.example/a"),
      resources: nil, isEnabled: true, version: 1, createdAt: World.start, updatedAt: World.start)
  }

  @discardableResult
  private static func keep(
    _ webhook: Webhook, _ world: World, in organization: TestOrganization
  ) async throws -> Webhook {
    try await world.storage.createWebhook(
      webhook, secret: secret, in: organization.key, context: .test(), recording: nil)
  }

  private static func update(
    _ id: WebhookID, _ world: World, _ organization: TestOrganization, version: Int64? = nil,
    _ change: @escaping @Sendable (inout Webhook) throws -> Void
  ) async throws -> Webhook {
    try await world.storage.updateWebhook(
      WebhookUpdate(
        id: id, organization: organization.key, expectedVersion: version, context: .test(at: .hour(3))),
      change)
  }

  /// Something for the log.
  private static func change(_ world: World, _ organization: TestOrganization) async throws {
    _ = try await world.storage.createRecord(
      BreakType(head: world.head(in: organization)) { $0.name = "Lunch" }, in: organization.key,
      context: .test(), recording: nil)
  }

  @Test(
    "come back as they were kept, by every way of reading, and the log knows no secret",
    arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var full = try Self.webhook(world, organization)
      full.url = try WebhookURL("http://a.example:8080/x?y=%20'")
      full.resources = [.segment, .timeEntry]
      full.version = 7
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      #expect(emptyFields(of: full) == [])
      var bare = try Self.webhook(world, organization)
      bare.isEnabled = false
      for one in [full, bare] {
        #expect(try await Self.keep(one, world, in: organization) == one)
        let found = try #require(try await world.storage.webhook(one.id, in: organization.key))
        #expect(found.webhook == one && found.secret == Self.secret)
        #expect(try await world.changes(organization).last?.after == .webhook(one))
      }
      let page = try await world.storage.webhooks(of: organization.key, after: nil, limit: 1)
      #expect(page.elements == [full])
      let rest = try await world.storage.webhooks(of: organization.key, after: page.next, limit: 1)
      #expect(rest.elements == [bare] && rest.next == nil)
      #expect(try await world.storage.webhook(world.id(), in: organization.key) == nil)
      let log = try await world.storage.storedChanges(of: organization.key, after: 0, limit: 100)
      #expect(!log.contains { $0.content.after?.contains("secret") == true })
    }
  }

  @Test("change where they may, are deleted, and are at most the limit", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await Self.keep(Self.webhook(world, organization), world, in: organization)
      let url = try WebhookURL("https://b.example/")
      let changed = try await Self.update(before.id, world, organization, version: 1) { webhook in
        webhook.url = url
        webhook.resources = [.member]
        webhook.isEnabled = false
        // None of the caller's business.
        webhook.id = WebhookID(high: 1, low: 1)
        webhook.version = 40
      }
      var expected = before
      expected.url = url
      expected.resources = [.member]
      expected.isEnabled = false
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(equalFields(of: before, expected) == ["id", "organizationID", "createdAt"])
      #expect(changed == expected)
      let found = try #require(try await world.storage.webhook(before.id, in: organization.key))
      #expect(found.webhook == expected && found.secret == Self.secret)
      await #expect(throws: TimeclockError.changed(current: expected.current)) {
        _ = try await Self.update(before.id, world, organization, version: 1) { $0.isEnabled = true }
      }
      await #expect(throws: TimeclockError.notFound(.webhook)) {
        _ = try await Self.update(world.id(), world, organization) { $0.isEnabled = true }
      }
      func delete(version: Int64?) async throws {
        try await world.storage.deleteWebhook(
          WebhookUpdate(
            id: before.id, organization: organization.key, expectedVersion: version, context: .test()))
      }
      await #expect(throws: TimeclockError.changed(current: expected.current)) {
        try await delete(version: 1)
      }
      try await delete(version: 2)
      await #expect(throws: TimeclockError.notFound(.webhook)) { try await delete(version: nil) }
      #expect(try await world.changes(organization).last?.before == .webhook(expected))
      let outcomes = await concurrently(Webhook.maximumCount + 4) { _ in
        try await Self.keep(Self.webhook(world, organization), world, in: organization)
      }
      for case .failure(let error) in outcomes { #expect(error as? TimeclockError == .tooManyWebhooks) }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == Webhook.maximumCount)
    }
  }

  @Test("are due for what came after them, and each place is one program's", arguments: StorageFactory.all)
  func places(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let webhook = try await Self.keep(Self.webhook(world, organization), world, in: organization)
      func due(at time: Instant = .hour(1)) async throws -> DueWebhook? {
        // All that was committed is sealed.
        _ = try await world.changes(organization)
        return try await world.storage.dueWebhooks(at: time, limit: 100).due.first {
          $0.webhook.id == webhook.id
        }
      }
      try await Self.change(world, organization)
      let last = try await world.storage.lastSequence(of: organization.key)
      let first = try #require(try await due())
      #expect(first.secret == Self.secret && first.cursor.position < last && first.webhook == webhook)
      var claimed = first.cursor
      claimed.dueAt = .hour(2)
      func move(
        _ due: DueWebhook, _ cursor: WebhookCursor, _ attempt: WebhookAttempt? = nil,
        disabling context: ChangeContext? = nil
      ) async throws -> Bool {
        try await world.storage.moveWebhookCursor(of: due, to: cursor, keeping: attempt, disabling: context)
      }
      #expect(try await move(first, claimed))
      #expect(try await !move(first, claimed), "two programs have the same place")
      #expect(try await due() == nil)
      var held = try #require(try await due(at: .hour(2)))
      #expect(held.cursor == claimed)
      let failed = claimed.failed(at: .hour(2))
      let attempt = WebhookAttempt(
        sequence: last, time: .hour(2), status: 500, error: "No 2xx \u{1F319}", milliseconds: 12)
      #expect(try await move(held, failed, attempt))
      held = try #require(try await due(at: failed.dueAt))
      #expect(held.cursor == failed)
      #expect(try await world.storage.failingWebhookCount() == FailingWebhookCount(enabled: 1, disabled: 0))
      let ping = WebhookAttempt(sequence: nil, time: .hour(3), status: nil, error: nil, milliseconds: 0)
      try await world.storage.keepWebhookAttempt(ping, of: webhook.id, in: organization.key)
      try await world.storage.keepWebhookAttempt(ping, of: world.id(), in: organization.key)
      let page = try await world.storage.webhookAttempts(
        of: webhook.id, in: organization.key, before: nil, limit: 1)
      #expect(page.elements == [ping])
      let rest = try await world.storage.webhookAttempts(
        of: webhook.id, in: organization.key, before: page.next, limit: 9)
      #expect(rest.elements == [attempt] && rest.next == nil)
      // It is given up: a change of the webhook, by the service.
      #expect(try await move(held, failed.failed(at: .hour(9)), attempt, disabling: .test(at: .hour(9))))
      let given = try #require(try await world.storage.webhook(webhook.id, in: organization.key)).webhook
      #expect(!given.isEnabled && given.version == 2)
      #expect(try await world.storage.failingWebhookCount() == FailingWebhookCount(enabled: 0, disabled: 1))
      #expect(try await world.changes(organization).last?.after == .webhook(given))
      #expect(try await due(at: .latest) == nil)
      // It goes on where it was.
      let again = try await Self.update(webhook.id, world, organization) { $0.isEnabled = true }
      #expect(try await world.storage.failingWebhookCount() == FailingWebhookCount(enabled: 0, disabled: 0))
      let resumed = try #require(try await due())
      #expect(
        resumed.webhook == again && resumed.cursor.position == first.cursor.position
          && resumed.cursor.failures == 0 && resumed.cursor.failingSince == nil)
      // One that is changed while it is served is served no further, and has its next turn at once.
      var served = resumed.cursor
      served.dueAt = .hour(4)
      #expect(try await move(resumed, served))
      let old = DueWebhook(
        organization: organization.key, webhook: again, secret: Self.secret, cursor: served)
      let wider = try await Self.update(webhook.id, world, organization) { $0.resources = [.breakType] }
      #expect(try await !move(old, served.reached(last, nextAt: .hour(5)), attempt))
      var changed = try #require(try await due())
      #expect(changed.webhook == wider && changed.cursor.position == resumed.cursor.position)
      // A clock that was wrong has put it off.
      served.dueAt = .latest
      #expect(try await move(changed, served))
      let bound = Instant.hour(9)
      #expect(try await due(at: bound) == nil)
      #expect(try await world.storage.hastenWebhooks(dueAfter: bound, to: .hour(1)) == 1)
      #expect(try await world.storage.hastenWebhooks(dueAfter: bound, to: .hour(1)) == 0)
      changed = try #require(try await due())
      #expect(changed.cursor.dueAt == .hour(1))
      // At the end there is nothing to do.
      let end = try await world.storage.lastSequence(of: organization.key)
      #expect(try await move(changed, changed.cursor.reached(end, nextAt: .hour(1))))
      #expect(try await due(at: .latest) == nil)
      // A place behind the end is one of another log: it is due, and goes on from the end.
      var beyond = changed
      beyond.cursor = changed.cursor.reached(end, nextAt: .hour(1))
      #expect(try await move(beyond, beyond.cursor.reached(end + 3, nextAt: .hour(1))))
      let foreign = try #require(try await due(at: .hour(1)))
      #expect(foreign.cursor.position == end + 3)
      let clock = WallClock { .hour(1) }
      let timeclock = Timeclock(storage: world.storage, clock: clock)
      let now = try ClockWatch(clock, newest: nil) { .zero }.trusted().get()
      _ = try await timeclock.deliver(to: foreign, at: now, via: NobodyThere()) { _, _, _, _ in [] }
      #expect(try await due(at: .latest) == nil)
      #expect(try await world.storage.deleteWebhookAttempts(before: .hour(2), limit: 99) == 0)
      #expect(try await world.storage.deleteWebhookAttempts(before: .hour(3), limit: 1) == 1)
      #expect(try await world.storage.deleteWebhookAttempts(before: .latest, limit: 99) == 2)
    }
  }
}

/// A sender for tests without messages.
private struct NobodyThere: WebhookSending {
  func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    Issue.record("a message is sent: \(message.id)")
    return WebhookOutcome(status: nil, error: nil, milliseconds: 0)
  }

  func refusedAddress(in url: WebhookURL) -> String? { nil }
}
