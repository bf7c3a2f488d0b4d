import Procedures
import StorageCalls
import Testing
import TimeclockDomain

/// A kind of plain records.
struct PlainKind: Sendable, CustomTestStringConvertible {
  let type: any SampledRecord.Type

  static let all = sampledRecords.map { PlainKind(type: $0) }

  var testDescription: String { "\(type)" }
}

@Suite("Plain records in a storage")
struct PlainRecordTests {
  @Test("are of every kind that has no behavior of its own, each after those that it refers to")
  func samples() {
    #expect(tabledRecords.count == Snapshot.Kind.shaped.count)
    #expect(sampledRecords.count == tabledRecords.filter { $0 is any PlainRecord.Type }.count)
    for kind in PlainKind.all { expectFull(kind.type) }
  }

  private func expectFull<Record: SampledRecord>(_ type: Record.Type) {
    let bare = Record(
      bare: Head(id: Identifier(high: 1, low: 2), organizationID: Identifier(high: 3, low: 4), at: .earliest))
    let full = Record(filled: bare.head)
    #expect(emptyFields(of: full) == [])
    let same = equalFields(of: full, Record(head: bare.head))
    #expect(same == ["id", "organizationID", "version", "createdAt", "updatedAt"], "\(type)")
  }

  @Test(
    "come back as they were kept, by every way of reading", arguments: StorageFactory.all, PlainKind.all)
  func everyField(_ factory: StorageFactory, _ kind: PlainKind) async throws {
    try await factory.run { try await everyField(kind.type, $0) }
  }

  private func everyField<Record: SampledRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    var full = Record(filled: world.head(in: organization))
    full.version = 7
    full.createdAt = .hour(1)
    full.updatedAt = .hour(2)
    let bare = Record(bare: world.head(in: organization))
    for one in [full, bare] {
      #expect(try await world.keep(one, in: organization) == one)
      let found: Record? = try await world.storage.record(one.id, in: organization.key)
      #expect(found == one)
      // Equal texts may have other scalars.
      #expect(found.map { String(reflecting: $0) } == String(reflecting: one))
      #expect(try await world.changes(organization).last?.after == one.snapshot)
    }
    #expect(try await world.records(in: organization) == [full, bare])
    let absent: Record? = try await world.storage.record(world.id(), in: organization.key)
    #expect(absent == nil)
  }

  @Test(
    "are listed in the order of their making, in pages of any size", arguments: StorageFactory.all,
    PlainKind.all)
  func lists(_ factory: StorageFactory, _ kind: PlainKind) async throws {
    try await factory.run { try await lists(kind.type, $0) }
  }

  private func lists<Record: SampledRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let other = try await world.organization()
    var made: [(record: Record, isFlagged: Bool)] = []
    for number in 0..<7 {
      var new = Record(bare: world.head(in: organization))
      let isFlagged = number % 3 == 1
      if isFlagged { new.copyFlag(from: Record(filled: new.head)) }
      made.append((try await world.keep(new, in: organization), isFlagged))
      try await world.keep(Record(bare: world.head(in: other)), in: other)
    }
    for size in [1, 2, 3, 7, 100] {
      #expect(try await world.records(in: organization, pageSize: size) == made.map(\.record))
      for isFlagged in [true, false] where Record.shape.listFlag != nil {
        let some: [Record] = try await world.records(in: organization, isFlagged: isFlagged, pageSize: size)
        #expect(some == made.filter { $0.isFlagged == isFlagged }.map(\.record))
      }
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all, PlainKind.all)
  func update(_ factory: StorageFactory, _ kind: PlainKind) async throws {
    try await factory.run { try await update(kind.type, $0) }
  }

  private func update<Record: SampledRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let before = try await world.keep(Record(bare: world.head(in: organization)), in: organization)
    func update(
      _ id: Identifier<Record>? = nil, version: Int64?,
      _ change: @escaping @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
      try await world.storage.updateRecord(
        ResourceUpdate(
          id: id ?? before.id, organization: organization.key, expectedVersion: version,
          context: .test(at: .hour(3))), change)
    }
    var expected = Record(filled: before.head)
    let changed = try await update(version: 1) { record in
      Record.fill(&record)
      // None of the caller's business.
      record.id = Identifier(high: 1, low: 1)
      record.version = 40
      record.createdAt = .hour(9)
    }
    expected.version = 2
    expected.updatedAt = .hour(3)
    #expect(changed == expected)
    let found: Record? = try await world.storage.record(before.id, in: organization.key)
    #expect(found == expected)
    let count = try await world.changes(organization).count
    #expect(try await update(version: nil) { Record.fill(&$0) } == expected)
    await #expect(throws: TimeclockError.changed(current: expected.current)) {
      _ = try await update(version: 1) { $0 = Record(bare: $0.head) }
    }
    await #expect(throws: TimeclockError.invalidName) {
      _ = try await update(version: 2) { record in
        record = Record(bare: record.head)
        throw TimeclockError.invalidName
      }
    }
    await #expect(throws: TimeclockError.notFound(Record.shape.kind)) {
      _ = try await update(world.id(), version: nil) { Record.fill(&$0) }
    }
    #expect(try await world.records(in: organization) == [expected])
    let changes = try await world.changes(organization)
    #expect(changes.count == count)
    #expect(changes.last?.before == before.snapshot && changes.last?.after == expected.snapshot)
  }

  @Test("are deleted in the version that is meant", arguments: StorageFactory.all, PlainKind.all)
  func deletion(_ factory: StorageFactory, _ kind: PlainKind) async throws {
    try await factory.run { try await deletion(kind.type, $0) }
  }

  private func deletion<Record: SampledRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let kept = try await world.keep(Record(filled: world.head(in: organization)), in: organization)
    let gone = try await world.keep(Record(filled: world.head(in: organization)), in: organization)
    func delete(version: Int64?) async throws {
      try await world.storage.deleteRecord(
        ResourceUpdate(
          id: gone.id, organization: organization.key, expectedVersion: version, context: .test()))
    }
    await #expect(throws: TimeclockError.changed(current: gone.current)) { try await delete(version: 2) }
    try await delete(version: 1)
    #expect(try await world.records(in: organization) == [kept])
    let change = try await world.changes(organization).last
    #expect(change?.before == gone.snapshot && change?.after == nil)
    await #expect(throws: TimeclockError.notFound(Record.shape.kind)) { try await delete(version: nil) }
  }

  @Test(
    "are at most the limit, however many are made at once", arguments: StorageFactory.all, PlainKind.all)
  func limit(_ factory: StorageFactory, _ kind: PlainKind) async throws {
    try await factory.run { try await limit(kind.type, $0) }
  }

  private func limit<Record: SampledRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let other = try await world.organization()
    let limit = Int(Record.limit.count)
    for number in 0..<limit - 4 {
      let head: Head<Record> = world.head(in: organization)
      try await world.keep(number % 2 == 0 ? Record(filled: head) : Record(bare: head), in: organization)
    }
    let outcomes = await concurrently(16) { _ in
      try await world.keep(Record(bare: world.head(in: organization)), in: organization)
    }
    for case .failure(let error) in outcomes { #expect(error as? TimeclockError == Record.limit.refusal) }
    #expect(outcomes.filter { (try? $0.get()) != nil }.count == 4)
    #expect(try await (world.records(in: organization) as [Record]).count == limit)
    let changes = try await world.changes(organization)
    #expect(changes.filter { $0.resource == Record.shape.kind }.count == limit)
    try await world.keep(Record(bare: world.head(in: other)), in: other)
  }
}

extension World {
  /// Keeps a plain record.
  @discardableResult
  func keep<Record: PlainRecord>(_ record: Record, in organization: TestOrganization) async throws -> Record {
    try await storage.createRecord(record, in: organization.key, context: .test(), recording: nil)
  }

  /// A list of plain records, read in pages.
  func records<Record: PlainRecord>(
    in organization: TestOrganization, isFlagged: Bool? = nil, pageSize: Int = 100
  ) async throws -> [Record] {
    try await all(of: pageSize) { cursor in
      try await storage.records(
        Record.self, of: organization.key, isFlagged: isFlagged, after: cursor, limit: pageSize)
    }
  }
}
