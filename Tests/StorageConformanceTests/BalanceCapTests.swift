import Procedures
import Testing
import TimeclockDomain

@Suite("Caps of accounts in a storage")
struct BalanceCapTests {
  @Test("are booked once as time is locked, and taken back as it is unlocked", arguments: StorageFactory.all)
  func moves(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let capped = try await CappedMember(world)
      try await capped.set(above: 10_800, below: -7_200)
      // Monday and Tuesday owe 57,600 of the 100,000 that were there.
      try await capped.lock(10)
      #expect(try await capped.caps() == [[10, -31_600]])
      try await capped.lock(10)
      #expect(try await capped.caps() == [[10, -31_600]])
      // 10,800 less three days is −75,600.
      try await capped.lock(13)
      #expect(try await capped.caps() == [[10, -31_600], [13, 68_400]])
      // Nothing is owed on the weekend.
      try await capped.lock(15)
      #expect(try await capped.caps() == [[10, -31_600], [13, 68_400]])
      try await capped.unlock(13)
      #expect(try await capped.caps() == [[10, -31_600], [13, 68_400]])
      try await capped.unlock(12)
      #expect(try await capped.caps() == [[10, -31_600]])
      try await capped.set(above: nil, below: nil)
      try await capped.lock(15)
      #expect(try await capped.caps() == [[10, -31_600]])
      try await capped.set(above: nil, below: -7_200)
      try await capped.unlock(nil)
      #expect(try await capped.caps() == [])
      try await capped.lock(15)
      #expect(try await capped.caps() == [[15, 36_800]])
      let changes = try await world.changes(capped.organization).filter { $0.resource == .adjustment }
      #expect(changes.map(\.kind) == [.created, .created, .created, .deleted, .deleted, .created])
      try await world.expectIntactChain(capped.organization)
    }
  }

  @Test("are made and deleted by nobody else, on locked dates too", arguments: StorageFactory.all)
  func byHand(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let capped = try await CappedMember(world)
      try await capped.set(above: 0, below: nil)
      try await capped.lock(10)
      let cap = try #require(try await capped.adjustments().first { $0.kind == .cap })
      #expect(cap.reason == nil && cap.userID == capped.member.id && cap.seconds == -42_400)
      let before = try await world.changes(capped.organization).count
      for context in [capped.context, .test()] {
        await #expect(throws: TimeclockError.capNotByHand) {
          try await world.storage.deleteRecord(
            ResourceUpdate<Adjustment>(
              id: cap.id, organization: capped.organization.key, expectedVersion: nil, context: context),
            zones: TimeZoneDatabase())
        }
      }
      for number in [10, 17] {
        await #expect(throws: TimeclockError.capNotByHand) {
          _ = try await capped.keep(.cap, on: number, seconds: 60)
        }
      }
      await #expect(throws: TimeclockError.periodLocked(PeriodMark(.locked, through: day(10)), count: nil)) {
        _ = try await capped.keep(.correction, on: 10, seconds: 60)
      }
      #expect(try await world.changes(capped.organization).count == before)
    }
  }
}

/// A member with a schedule of eight hours from Monday, 9 November, through Friday, 100,000 seconds on that Monday, and no work.
private struct CappedMember: Sendable {
  let world: World
  let organization: TestOrganization
  let member: TestMember

  init(_ world: World) async throws {
    self.world = world
    organization = try await world.organization()
    member = try await world.member(of: organization)
    let member = self.member
    try await world.keep(
      WorkSchedule(head: world.head(in: organization)) {
        ($0.userID, $0.from) = (member.id, day(9))
        $0.secondsByWeekday = [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0]
      }, in: organization)
    _ = try await keep(.opening, on: 9, seconds: 100_000)
  }

  var context: ChangeContext {
    ChangeContext(
      author: Author(means: .logIn, userID: organization.admin.id), operation: "test", time: World.start,
      reason: Reason(stored: "Asked to"), boundBy: .approved)
  }

  func keep(_ kind: Adjustment.Kind, on number: Int, seconds: Int64) async throws -> Adjustment {
    let new = Adjustment(head: world.head(in: organization)) {
      ($0.userID, $0.date, $0.seconds, $0.kind) = (member.id, day(number), seconds, kind)
      $0.reason = "Old clock"
    }
    return try await world.storage.createRecord(
      new, in: organization.key, zones: TimeZoneDatabase(), context: context, recording: nil)
  }

  func set(above: Int64?, below: Int64?) async throws {
    _ = try await world.storage.updateOrganization(
      organization.key, expectedVersion: nil, context: context
    ) { ($0.policy.balanceCapAbove, $0.policy.balanceCapBelow) = (above, below) }
  }

  func lock(_ number: Int) async throws {
    try await move(.lock(through: day(number), includesUnapproved: true))
  }

  func unlock(_ number: Int?) async throws {
    try await move(.unlock(through: number.map(day)))
  }

  /// The admin has no schedule, and so no account.
  private func move(_ move: PeriodMove) async throws {
    let outcomes = try await world.storage.movePeriods(
      of: [member.id, organization.admin.id], move,
      PeriodWork(
        organizationID: organization.id, organization: organization.key, zones: TimeZoneDatabase(),
        identifiers: IdentifierGenerator(), context: context))
    for outcome in outcomes { _ = try outcome.get() }
    let ofAdmin: [Adjustment] = try await world.records(of: organization.admin, in: organization)
    #expect(ofAdmin.isEmpty)
  }

  func adjustments() async throws -> [Adjustment] {
    try await world.records(of: member, in: organization)
  }

  /// The day of November and the seconds of each cap.
  func caps() async throws -> [[Int64]] {
    try await adjustments().filter { $0.kind == .cap }.map {
      [Int64($0.date.daysSince1970 - day(1).daysSince1970) + 1, $0.seconds]
    }
  }
}

/// A day of November.
private func day(_ number: Int) -> LocalDate { LocalDate(year: 2026, month: 11, day: number) ?? .latest }
