import Testing
import TimeclockDomain

@Suite("Break types in a storage")
struct BreakTypeStorageTests {
  private static func breakType(_ world: World, _ organization: TestOrganization) -> BreakType {
    BreakType(head: world.head(in: organization)) { $0.name = "Lunch" }
  }

  @discardableResult
  private static func keep(
    _ breakType: BreakType, _ world: World, in organization: TestOrganization
  ) async throws -> BreakType {
    try await world.storage.createBreakType(
      breakType, in: organization.key, context: .test(), recording: nil)
  }

  private static func list(
    _ world: World, _ organization: TestOrganization, isArchived: Bool? = nil, pageSize: Int = 100
  ) async throws -> [BreakType] {
    var found: [BreakType] = []
    var cursor: RowCursor?
    repeat {
      let page = try await world.storage.breakTypes(
        BreakTypeQuery(
          organization: organization.key, isArchived: isArchived, cursor: cursor, limit: pageSize))
      #expect(page.elements.count <= pageSize)
      found += page.elements
      cursor = page.next
    } while cursor != nil
    return found
  }

  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var full = Self.breakType(world, organization)
      full.name = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
      full.isPaid = true
      full.expectedSeconds = 86_400
      full.isArchived = true
      full.version = 7
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      #expect(emptyFields(of: full) == [])
      let bare = Self.breakType(world, organization)
      for one in [full, bare] {
        #expect(try await Self.keep(one, world, in: organization) == one)
        #expect(try await world.storage.breakType(one.id, in: organization.key) == one)
        #expect(try await world.changes(organization).last?.after == .breakType(one))
      }
      #expect(try await Self.list(world, organization) == [full, bare])
      #expect(try await world.storage.breakType(world.id(), in: organization.key) == nil)
      let found = try #require(try await world.storage.breakType(full.id, in: organization.key))
      #expect(Array(found.name.unicodeScalars) == Array(full.name.unicodeScalars))
    }
  }

  @Test("are listed in the order of their making, in pages of any size", arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      var made: [BreakType] = []
      for number in 0..<7 {
        var new = Self.breakType(world, organization)
        new.isArchived = number % 3 == 1
        made.append(try await Self.keep(new, world, in: organization))
        try await Self.keep(Self.breakType(world, other), world, in: other)
      }
      for size in [1, 2, 3, 7, 100] {
        #expect(try await Self.list(world, organization, pageSize: size) == made)
        for isArchived in [true, false] {
          let some = try await Self.list(world, organization, isArchived: isArchived, pageSize: size)
          #expect(some == made.filter { $0.isArchived == isArchived })
        }
      }
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await Self.keep(Self.breakType(world, organization), world, in: organization)
      func update(
        version: Int64?, _ change: @escaping @Sendable (inout BreakType) throws -> Void
      ) async throws -> BreakType {
        try await world.storage.updateBreakType(
          BreakTypeUpdate(
            id: before.id, organization: organization.key, expectedVersion: version,
            context: .test(at: .hour(3))), change)
      }
      let changed = try await update(version: 1) { breakType in
        breakType.name = "B"
        breakType.isPaid = true
        breakType.expectedSeconds = 60
        breakType.isArchived = true
        // None of the caller's business.
        breakType.id = BreakTypeID(high: 1, low: 1)
        breakType.version = 40
        breakType.createdAt = .hour(9)
      }
      var expected = before
      expected.name = "B"
      expected.isPaid = true
      expected.expectedSeconds = 60
      expected.isArchived = true
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(equalFields(of: before, expected) == ["id", "organizationID", "createdAt"])
      #expect(changed == expected)
      #expect(try await world.storage.breakType(before.id, in: organization.key) == expected)
      let count = try await world.changes(organization).count
      #expect(try await update(version: nil) { $0.name = "B" } == expected)
      await #expect(throws: TimeclockError.changed(current: expected.current)) {
        _ = try await update(version: 1) { $0.name = "C" }
      }
      await #expect(throws: TimeclockError.invalidName) {
        _ = try await update(version: 2) { breakType in
          breakType.name = "C"
          throw TimeclockError.invalidName
        }
      }
      await #expect(throws: TimeclockError.notFound(.breakType)) {
        let absent = BreakTypeUpdate(
          id: world.id(), organization: organization.key, expectedVersion: nil, context: .test())
        _ = try await world.storage.updateBreakType(absent) { $0.name = "C" }
      }
      #expect(try await Self.list(world, organization) == [expected])
      let changes = try await world.changes(organization)
      #expect(changes.count == count)
      #expect(changes.last?.before == .breakType(before) && changes.last?.after == .breakType(expected))
    }
  }

  @Test("are at most the limit, however many are made at once", arguments: StorageFactory.all)
  func limit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let limit = BreakType.maximumCount
      for number in 0..<limit - 4 {
        var new = Self.breakType(world, organization)
        new.isArchived = number % 2 == 0
        try await Self.keep(new, world, in: organization)
      }
      let outcomes = await concurrently(16) { _ in
        try await Self.keep(Self.breakType(world, organization), world, in: organization)
      }
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .tooManyBreakTypes)
      }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == 4)
      #expect(try await Self.list(world, organization).count == limit)
      #expect(try await world.changes(organization).filter { $0.resource == .breakType }.count == limit)
      try await Self.keep(Self.breakType(world, other), world, in: other)
    }
  }
}
