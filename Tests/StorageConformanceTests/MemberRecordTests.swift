import Procedures
import StorageCalls
import Testing
import TimeclockDomain

/// A kind of records about members.
struct MemberKind: Sendable, CustomTestStringConvertible {
  let type: any SampledMemberRecord.Type

  static let all = sampledMemberRecords.map { MemberKind(type: $0) }

  var testDescription: String { "\(type)" }
}

@Suite("Records about members in a storage")
struct MemberRecordTests {
  @Test("are of every such kind")
  func samples() {
    #expect(sampledMemberRecords.count == tabledRecords.filter { $0 is any MemberRecord.Type }.count)
  }

  @Test(
    "come back as they were kept, by every way of reading", arguments: StorageFactory.all, MemberKind.all)
  func everyField(_ factory: StorageFactory, _ kind: MemberKind) async throws {
    try await factory.run { try await everyField(kind.type, $0) }
  }

  private func everyField<Record: SampledMemberRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let (member, other) = (
      try await world.member(of: organization), try await world.member(of: organization)
    )
    for one in [member, other] { try await world.prepare(type, one, in: organization) }
    var full = Record(filled: world.head(in: organization), of: member.id)
    full.version = 7
    full.createdAt = .hour(1)
    full.updatedAt = .hour(2)
    let bare = Record(bare: world.head(in: organization), of: member.id)
    let third = Record(filled: world.head(in: organization), of: other.id)
    for one in [full, bare, third] {
      #expect(try await world.keep(one, in: organization) == one)
      let found: Record? = try await world.storage.record(one.id, in: organization.key)
      #expect(found == one)
      // Equal texts may have other scalars.
      #expect(found.map { String(reflecting: $0) } == String(reflecting: one))
      #expect(try await world.changes(organization).last?.after == one.snapshot)
    }
    for size in [1, 2, 100] {
      #expect(try await world.records(in: organization, pageSize: size) == [full, bare, third])
      #expect(try await world.records(of: member, in: organization, pageSize: size) == [full, bare])
    }
    #expect(try await (world.records(of: organization.admin, in: organization) as [Record]).isEmpty)
    await #expect(throws: TimeclockError.notFound(.member)) {
      _ = try await world.keep(Record(filled: full.head, of: world.id()), in: organization)
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all, MemberKind.all)
  func update(_ factory: StorageFactory, _ kind: MemberKind) async throws {
    guard kind.type.isChangeable else { return }
    try await factory.run { try await update(kind.type, $0) }
  }

  private func update<Record: SampledMemberRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let member = try await world.member(of: organization)
    try await world.prepare(type, member, in: organization)
    let before = try await world.keep(
      Record(bare: world.head(in: organization), of: member.id), in: organization)
    func update(
      _ id: Identifier<Record>? = nil, version: Int64?,
      _ change: @escaping @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
      try await world.storage.updateRecord(
        ResourceUpdate(
          id: id ?? before.id, organization: organization.key, expectedVersion: version,
          context: .test(at: .hour(3))), zones: TimeZoneDatabase(), change)
    }
    var expected = Record(filled: before.head, of: member.id)
    let changed = try await update(version: 1) { record in
      Record.fill(&record)
      // None of the caller's business.
      record.id = Identifier(high: 1, low: 1)
      record.userID = UserID(high: 1, low: 1)
      record.version = 40
    }
    expected.version = 2
    expected.updatedAt = .hour(3)
    #expect(changed == expected)
    let found: Record? = try await world.storage.record(before.id, in: organization.key)
    #expect(found == expected)
    #expect(try await update(version: nil) { Record.fill(&$0) } == expected)
    await #expect(throws: TimeclockError.changed(current: expected.current)) {
      _ = try await update(version: 1) { Record.fillLeast(&$0) }
    }
    await #expect(throws: TimeclockError.notFound(Record.shape.kind)) {
      _ = try await update(world.id(), version: nil) { Record.fill(&$0) }
    }
    let change = try await world.changes(organization).last
    #expect(change?.before == before.snapshot && change?.after == expected.snapshot)
  }

  @Test("are deleted in the version that is meant", arguments: StorageFactory.all, MemberKind.all)
  func deletion(_ factory: StorageFactory, _ kind: MemberKind) async throws {
    try await factory.run { try await deletion(kind.type, $0) }
  }

  private func deletion<Record: SampledMemberRecord>(_ type: Record.Type, _ world: World) async throws {
    let organization = try await world.organization()
    let member = try await world.member(of: organization)
    try await world.prepare(type, member, in: organization)
    let gone = try await world.keep(
      Record(filled: world.head(in: organization), of: member.id), in: organization)
    func delete(version: Int64?) async throws {
      try await world.storage.deleteRecord(
        ResourceUpdate(
          id: gone.id, organization: organization.key, expectedVersion: version, context: .test()),
        zones: TimeZoneDatabase())
    }
    await #expect(throws: TimeclockError.changed(current: gone.current)) { try await delete(version: 2) }
    try await delete(version: 1)
    let found: Record? = try await world.storage.record(gone.id, in: organization.key)
    #expect(found == nil)
    let change = try await world.changes(organization).last
    #expect(change?.before == gone.snapshot && change?.after == nil)
    await #expect(throws: TimeclockError.notFound(Record.shape.kind)) { try await delete(version: nil) }
  }

  @Test("are kept once for a date or a year, if many make one at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let schedules = await concurrently(16) { _ in
        try await world.keep(
          WorkSchedule(bare: world.head(in: organization), of: member.id), in: organization)
      }
      #expect(schedules.filter { (try? $0.get()) != nil }.count == 1)
      for case .failure(let error) in schedules { #expect(error as? TimeclockError == .scheduleExists) }
      let entitlements = await concurrently(16) { _ in
        try await world.keep(Entitlement(bare: world.head(in: organization), of: member.id), in: organization)
      }
      #expect(entitlements.filter { (try? $0.get()) != nil }.count == 1)
      for case .failure(let error) in entitlements { #expect(error as? TimeclockError == .entitlementExists) }
    }
  }

  @Test("are at most the limit of a member, however many are made at once", arguments: StorageFactory.all)
  func limit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let all = (0..<Int(Entitlement.limit.count) + 8).map { number in
        var new = Entitlement(bare: world.head(in: organization), of: member.id)
        Entitlement.set(&new, apart: number)
        return new
      }
      let first = try await world.storage.createRecords(
        all.dropLast(16).map { .success($0) }, mode: .atomic, in: organization.key,
        zones: TimeZoneDatabase(), context: .test(), recording: nil)
      #expect(first.count == Int(Entitlement.limit.count) - 8)
      let more = await concurrently(16) { number in
        try await world.keep(all[all.count - 16 + number], in: organization)
      }
      #expect(more.filter { (try? $0.get()) != nil }.count == 8)
      for case .failure(let error) in more { #expect(error as? TimeclockError == .tooManyEntitlements) }
    }
  }

  @Test("a schedule never names a calendar that is deleted meanwhile", arguments: StorageFactory.all)
  func calendars(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      for round in 0..<6 {
        let calendar = try await world.keep(
          HolidayCalendar(filled: world.head(in: organization)), in: organization)
        var new = WorkSchedule(bare: world.head(in: organization), of: member.id)
        WorkSchedule.set(&new, apart: round)
        new.holidayCalendarID = calendar.id
        let schedule = new
        let outcomes = await concurrently(2) { number in
          if number == 0 {
            _ = try await world.keep(schedule, in: organization)
          } else {
            try await world.storage.deleteRecord(
              ResourceUpdate<HolidayCalendar>(
                id: calendar.id, organization: organization.key, expectedVersion: nil, context: .test()))
          }
        }
        #expect(outcomes.filter { (try? $0.get()) != nil }.count == 1)
        for case .failure(let error) in outcomes {
          #expect([.holidayCalendarInUse, .holidayCalendarNotFound].contains(error as? TimeclockError))
        }
        let kept: WorkSchedule? = try await world.storage.record(schedule.id, in: organization.key)
        #expect(kept == nil || kept == schedule)
      }
    }
  }
}

extension World {
  /// Makes what the rule of a kind asks for: adjustments are of dates with a schedule.
  fileprivate func prepare<Record: MemberRecord>(
    _ type: Record.Type, _ member: TestMember, in organization: TestOrganization
  ) async throws {
    guard type == Adjustment.self else { return }
    try await keep(WorkSchedule(filled: head(in: organization), of: member.id), in: organization)
  }

  /// Keeps a record about a member.
  @discardableResult
  func keep<Record: JudgedRecord>(_ record: Record, in organization: TestOrganization) async throws -> Record
  {
    try await storage.createRecord(
      record, in: organization.key, zones: TimeZoneDatabase(), context: .test(), recording: nil)
  }

  /// A list of records about members, read in pages.
  func records<Record: JudgedRecord>(
    of member: TestMember? = nil, in organization: TestOrganization, pageSize: Int = 100
  ) async throws -> [Record] {
    try await all(of: pageSize) { cursor in
      try await storage.records(
        Record.self, of: MemberSelection(member?.key.user), in: organization.key, after: cursor,
        limit: pageSize)
    }
  }
}
