import Testing
import TimeclockDomain

@Suite("Push targets in a storage")
struct PushTargetStorageTests {
  /// A member with the row of a log-in of theirs.
  private static func member(
    _ world: World, of organization: TestOrganization
  ) async throws -> (member: TestMember, token: Int64) {
    let member = try await world.member(of: organization)
    return (member, try await token(world, try await world.logIn(member)))
  }

  private static func token(_ world: World, _ digest: TokenDigest) async throws -> Int64 {
    try #require(
      try await world.storage.authenticate(digest, organizationID: nil, at: World.start)
    ).tokenKey
  }

  private static func target(
    _ world: World, _ kind: PushTarget.Kind = .liveActivity, token: [UInt8]? = nil, until end: Instant? = nil
  ) throws -> PushTarget {
    let number = world.unique()
    return PushTarget(
      id: world.id(), kind: kind, form: kind == .alert ? nil : .rest,
      token: PushToken(stored: token ?? (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }),
      topic: try PushTopic("com.example.app"), environment: .production, dates: .reference,
      attributesType: nil, createdAt: World.start, expiresAt: end)
  }

  @discardableResult
  private static func keep(
    _ target: PushTarget, _ world: World, of member: TestMember, token: Int64
  ) async throws -> PushTarget {
    try await world.storage.createPushTarget(target, of: member.key, token: token, recording: nil)
  }

  @Test(
    "come back as they were kept, in their order, and no log has them", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, token) = try await Self.member(world, of: organization)
      let changes = try await world.changes(organization).count
      var full = try Self.target(world, until: .hour(8))
      full.token = PushToken(stored: (0..<200).map { UInt8($0) })
      full.environment = .sandbox
      full.dates = .iso8601
      full.attributesType = "Rest_1"
      #expect(emptyFields(of: full) == [])
      let bare = try Self.target(world, .alert)
      for one in [full, bare] { #expect(try await Self.keep(one, world, of: member, token: token) == one) }
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(1)) == [full, bare])
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(8)) == [bare])
      #expect(try await world.storage.pushTargets(of: organization.admin.key, at: .hour(1)) == [])
      await #expect(throws: TimeclockError.pushTargetNotFound) {
        try await world.storage.deletePushTarget(full.id, of: organization.admin.key)
      }
      try await world.storage.deletePushTarget(full.id, of: member.key)
      await #expect(throws: TimeclockError.pushTargetNotFound) {
        try await world.storage.deletePushTarget(full.id, of: member.key)
      }
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(1)) == [bare])
      #expect(try await world.changes(organization).count == changes)
    }
  }

  @Test("have each token of a phone once, and are at most the limit", arguments: StorageFactory.all)
  func limits(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, token) = try await Self.member(world, of: organization)
      let (other, otherToken) = try await Self.member(world, of: organization)
      let phone = [UInt8](repeating: UInt8(truncatingIfNeeded: world.unique()), count: 32)
      let first = try await Self.keep(Self.target(world, token: phone), world, of: member, token: token)
      let second = try await Self.keep(Self.target(world, token: phone), world, of: member, token: token)
      #expect(
        try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [second] && first != second)
      let third = try await Self.keep(
        Self.target(world, .alert, token: phone), world, of: other, token: otherToken)
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [])
      #expect(try await world.storage.pushTargets(of: other.key, at: .hour(0)) == [third])
      // Expired targets do not count.
      for _ in 0..<PushTarget.maximumCount {
        try await Self.keep(Self.target(world, until: World.start), world, of: member, token: token)
      }
      let outcomes = await concurrently(PushTarget.maximumCount + 4) { _ in
        try await Self.keep(Self.target(world), world, of: member, token: token)
      }
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .tooManyPushTargets, "\(error)")
      }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == PushTarget.maximumCount)
      await #expect(throws: TimeclockError.invalidToken) {
        try await Self.keep(Self.target(world), world, of: other, token: .max)
      }
    }
  }

  @Test(
    "go with the token that made them, and with what is kept about a person", arguments: StorageFactory.all)
  func ends(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, token) = try await Self.member(world, of: organization)
      let second = try await Self.token(world, try await world.logIn(member))
      let gone = try await Self.keep(Self.target(world, .alert), world, of: member, token: token)
      let kept = try await Self.keep(Self.target(world, .alert), world, of: member, token: second)
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [gone, kept])
      try await world.storage.deleteToken(token, context: .test())
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [kept])
      let (api, digest) = try await world.apiToken(for: member, in: organization)
      let byToken = try await Self.keep(
        Self.target(world, .alert), world, of: member, token: Self.token(world, digest))
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [kept, byToken])
      try await world.storage.deleteApiToken(api.id, in: organization.key, context: .test())
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [kept])
      // By the log-in of somebody else, so that no token takes it along.
      let admin = try await Self.token(world, organization.adminToken)
      try await Self.keep(Self.target(world, .alert), world, of: member, token: admin)
      _ = try await world.storage.updateMember(
        member.id, in: organization.key, expectedVersion: nil, passwordHash: nil, context: .test()
      ) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(
        member.id, in: organization.key, context: .test())
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(0)) == [])
    }
  }

  @Test("keep how far they have come, and of several programs one goes on", arguments: StorageFactory.all)
  func progress(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, token) = try await Self.member(world, of: organization)
      let target = try await Self.keep(Self.target(world, until: .hour(8)), world, of: member, token: token)
      func read() async throws -> PushDelivery {
        try #require(try await world.storage.pushDeliveries(of: member.key, at: .hour(1)).first)
      }
      let first = try await read()
      #expect(first.target == target && first.member == member.key)
      #expect(first.progress == PushProgress(dueAt: World.start))
      let full = PushProgress(
        activity: "activity \u{1F319}", stateTag: "a", tag: "b", content: "{\"x\":1}", sentAt: .hour(2),
        day: 7,
        dayCount: 8, failures: 9, dueAt: .hour(3), moves: 40)
      #expect(emptyFields(of: full) == [])
      let outcomes = await concurrently(8) { _ in
        try await world.storage.movePushTarget(first, to: full)
      }
      let moved = outcomes.compactMap { try? $0.get() }
      for case .failure(let error) in outcomes { Issue.record(error) }
      #expect(moved.compactMap(\.self).count == 1)
      var expected = full
      expected.moves = 1
      var second = try await read()
      #expect(second.progress == expected && moved.contains(second))
      let free = try #require(try await world.storage.movePushTarget(second, to: PushProgress()))
      second = try await read()
      #expect(second == free && second.progress == PushProgress(moves: 2))
      try await world.storage.endPushTarget(first)
      #expect(try await read() == second, "somebody else has gone on since")
      try await world.storage.endPushTarget(second)
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(1)) == [])
      #expect(try await world.storage.movePushTarget(second, to: full) == nil)
    }
  }

  @Test(
    "are found by the member, all or those that are due, and go when they are over",
    arguments: StorageFactory.all)
  func members(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, token) = try await Self.member(world, of: organization)
      let (other, otherToken) = try await Self.member(world, of: organization)
      for _ in 0..<2 {
        try await Self.keep(Self.target(world, until: .hour(8)), world, of: member, token: token)
      }
      try await Self.keep(Self.target(world, .alert), world, of: other, token: otherToken)
      func found(_ now: Instant, onlyDue isDue: Bool = false) async throws -> [UserID] {
        var ids: [UserID] = []
        var cursor: MemberKey?
        while true {
          let page = try await world.storage.membersWithPushTargets(
            at: now, onlyDue: isDue, after: cursor, limit: 1)
          guard let last = page.last else { return ids }
          ids += page.filter { $0.key.organization == organization.key }.map(\.userID)
          cursor = last.key
        }
      }
      #expect(try await found(.hour(1)) == [member.id, other.id])
      #expect(try await found(.hour(8)) == [other.id])
      #expect(try await found(.hour(1), onlyDue: true) == [member.id, other.id])
      #expect(try await found(World.start.adding(milliseconds: -1), onlyDue: true) == [])
      for delivery in try await world.storage.pushDeliveries(of: other.key, at: .hour(1)) {
        _ = try await world.storage.movePushTarget(delivery, to: PushProgress())
      }
      #expect(try await found(.hour(1), onlyDue: true) == [member.id])
      // Other tests have targets in the same database.
      while try await world.storage.deleteExpiredPushTargets(at: .hour(8), limit: 1) == 1 {}
      #expect(try await world.storage.pushTargets(of: member.key, at: .hour(1)) == [])
      #expect(try await world.storage.pushTargets(of: other.key, at: .hour(1)).count == 1)
    }
  }
}
