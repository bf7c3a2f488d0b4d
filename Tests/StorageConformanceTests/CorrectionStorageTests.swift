import Procedures
import Testing
import TimeclockDomain

@Suite("Corrections in a storage")
struct CorrectionStorageTests {
  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      var kept: [Correction] = []
      for (number, state) in CorrectionState.allCases.enumerated() {
        var correction = world.correction(of: number == 2 ? other : member, by: member, in: organization)
        correction.state = state
        if number > 0 {
          (correction.timeEntryID, correction.isDeletion) = (world.id(), number % 2 == 0)
          (correction.clockInTime, correction.clockOutTime) = (.hour(1), .hour(2))
          (correction.answer, correction.decidedBy, correction.decidedAt) = ("Ja", other.id, .hour(3))
        }
        correction.version = 7
        (correction.createdAt, correction.updatedAt) = (.hour(1), .hour(2))
        #expect(try await world.keep(correction, in: organization) == correction)
        let found: Correction? = try await world.storage.record(correction.id, in: organization.key)
        #expect(found.map { String(reflecting: $0) } == String(reflecting: correction))
        #expect(try await world.changes(organization).last?.after == correction.snapshot)
        kept.append(correction)
      }
      for size in [1, 3, 100] {
        for (filter, expected) in [
          (CorrectionFilter(), kept), (CorrectionFilter(members: .member(other.key.user)), [kept[2]]),
          (CorrectionFilter(state: .agreed), [kept[1]]),
          (CorrectionFilter(members: .member(member.key.user), state: .refused), []),
        ] {
          let found = try await world.all(of: size) { cursor in
            try await world.storage.corrections(filter, in: organization.key, after: cursor, limit: size)
          }
          #expect(found == expected)
        }
      }
    }
  }

  @Test("reach locked time once they are agreed to, and nothing else does", arguments: StorageFactory.all)
  func lockedTime(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let office = try await LockedOffice(world)
      let (organization, member) = (office.organization, office.member)
      let storage = world.storage
      // The judge lets an unbound change pass, and the database does not, but for a correction.
      let unbound = office.context()
      for attempt in [
        { _ = try await storage.updateTimeEntry(office.update(unbound)) { $0.clockOutTime = .hour(-99) } },
        { try await storage.deleteTimeEntry(office.update(unbound)) { _ in } },
        { _ = try await storage.createTimeEntry(office.adding(unbound)) },
      ] as [@Sendable () async throws -> Void] {
        await #expect(throws: (any Error).self) { try await attempt() }
      }
      #expect(try await world.list(organization, member).elements == [office.entry])
      let cut = try await office.decide(.change(office.update(unbound)) { $0.clockOutTime = .hour(-98.5) })
      #expect(cut.state == .agreed && cut.timeEntryID == office.entry.id && cut.version == 2)
      let changed = try #require(try await storage.timeEntry(office.entry.id, in: organization.key))
      #expect(changed.clockOutTime == .hour(-98.5) && changed.version == 2)
      let segment = try await storage.segment(office.segment.id, in: organization.key)
      #expect(segment?.endTime == .hour(-98.5))
      let ofEntry = try await world.changes(organization).filter { $0.resource == .timeEntry }
      #expect(ofEntry.last?.context.reason == Reason(stored: "Late"))
      let added = try await office.decide(.add(office.adding(unbound)))
      let new = try #require(added.timeEntryID)
      #expect(try await storage.timeEntry(new, in: organization.key)?.clockInTime == .hour(-97))
      let deleted = try await office.decide(.delete(office.update(unbound)))
      #expect(deleted.state == .agreed)
      #expect(try await world.list(organization, member).elements.map(\.id) == [new])
      // It was open for each transaction alone.
      await #expect(throws: (any Error).self) {
        var update = office.update(unbound)
        update.id = new
        try await storage.deleteTimeEntry(update) { _ in }
      }
      try await world.expectIntactChain(organization)
    }
  }

  @Test("stay open if their change is refused, by marks or by another entry", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let office = try await LockedOffice(world)
      let organization = office.organization
      let bound = TimeclockError.periodLocked(PeriodMark(.locked, through: office.through), count: nil)
      let overlapping = try await world.keep(
        office.member, in: organization, from: .hour(-30), to: .hour(-29))
      let ahead = office.context()
      for (change, error) in [
        (.delete(office.update(office.context(.approved))), bound),
        (.add(office.adding(office.context(.locked))), bound),
        (
          .change(office.update(ahead)) { $0.clockOutTime = .hour(-29.5) },
          TimeclockError.overlap([overlapping], count: 1)
        ),
      ] as [(ProposedChange, TimeclockError)] {
        let open = try await office.request()
        let count = try await world.changes(organization).count
        await #expect(throws: error) { _ = try await office.decide(change, open) }
        let kept: Correction? = try await world.storage.record(open.id, in: organization.key)
        #expect(kept == open)
        #expect(try await world.changes(organization).count == count)
      }
      var gone = office.update(ahead)
      gone.id = world.id()
      await #expect(throws: TimeclockError.notFound(.timeEntry)) {
        _ = try await office.decide(.delete(gone))
      }
      // Nothing stays open after a refusal.
      await #expect(throws: (any Error).self) {
        try await world.storage.deleteTimeEntry(office.update(ahead)) { _ in }
      }
    }
  }

  @Test("are decided once, however many decide at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let office = try await LockedOffice(world)
      let open = try await office.request()
      let outcomes = await concurrently(8) { _ in
        try await office.decide(.add(office.adding(office.context())), open)
      }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == 1)
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .correctionDecided)
      }
      #expect(try await world.list(office.organization, office.member).elements.count == 2)
    }
  }

  @Test(
    "that await a decision are limited, and those that are decided are not", arguments: StorageFactory.all)
  func limit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let office = try await LockedOffice(world)
      for number in 0..<201 {
        var correction = office.correction()
        if number % 2 == 0 { correction.timeEntryID = office.entry.id }
        if number == 0 { correction.state = .refused }
        try await world.keep(correction, in: office.organization)
      }
      await #expect(throws: TimeclockError.tooManyCorrections) { _ = try await office.request() }
      let open = try await world.storage.openCorrections(of: office.member.key)
      #expect(open.count == 200)
      #expect(open.first == OpenCorrection(timeEntryID: nil, start: .hour(-97)))
      #expect(open.contains(OpenCorrection(timeEntryID: office.entry.id, start: office.entry.clockInTime)))
      let applied = try await world.storage.applyCorrection(
        office.correction(), .add(office.adding(office.context())), in: office.organization.key,
        context: office.context(.approved), recording: nil)
      #expect(applied.timeEntryID != nil)
    }
  }

  @Test("are kept as notices with what has changed, and with nothing else", arguments: StorageFactory.all)
  func notices(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let office = try await LockedOffice(world)
      let (organization, storage) = (office.organization, world.storage)
      let free = try await world.keep(office.member, in: organization, from: .hour(-20), to: .hour(-19))
      var update = office.update(office.context(.approved))
      update.id = free.id
      func notices() async throws -> [Correction] {
        try await storage.corrections(
          CorrectionFilter(), in: organization.key, after: nil, limit: 100
        ).elements
      }
      var notice = office.correction()
      (notice.timeEntryID, notice.clockInTime, notice.clockOutTime) = (free.id, nil, nil)
      notice.apply(at: World.start)
      let same = try await storage.changeTime(
        .change(update) { _ in }, noticedBy: notice, in: organization.key, recording: nil)
      #expect(same == free)
      #expect(try await notices() == [])
      let longer = try await storage.changeTime(
        .change(update) { $0.clockOutTime = .hour(-18) }, noticedBy: notice, in: organization.key,
        recording: nil)
      #expect(longer.clockOutTime == .hour(-18))
      let kept = try #require(try await notices().first)
      #expect((kept.clockInTime, kept.clockOutTime) == (.hour(-20), .hour(-18)) && kept.id == notice.id)
      let organizationKey = organization.key
      #expect(try await storage.objectedEntries(of: .everybody, in: organizationKey) == [])
      _ = try await storage.decideCorrection(
        ResourceUpdate(
          id: kept.id, organization: organizationKey, expectedVersion: nil,
          context: office.context(.approved)), making: nil, recording: nil
      ) { try $0.object(because: "No", by: office.member.id, at: World.start) }
      for (members, expected) in [
        (MemberSelection.everybody, [free.id]), (.member(office.member.key.user), [free.id]),
        (.member(organization.admin.key.user), []),
      ] as [(MemberSelection, [TimeEntryID])] {
        #expect(try await storage.objectedEntries(of: members, in: organizationKey) == Set(expected))
      }
      // Marks bind it as any change.
      await #expect(throws: TimeclockError.self) {
        var bound = update
        bound.id = office.entry.id
        _ = try await storage.changeTime(
          .delete(bound), noticedBy: office.correction(), in: organization.key, recording: nil)
      }
      let new = [
        world.entry(of: office.member, in: organization, from: .hour(-10), to: .hour(-9)),
        world.entry(of: office.member, in: organization, from: .hour(-9.5), to: .hour(-9)),
        world.entry(of: organization.admin, in: organization, from: .hour(-10), to: .hour(-9)),
      ].map { entry in
        let member = entry.userID == office.member.id ? office.member : organization.admin
        return (
          entry: NewTimeEntry(
            member: member.key, entry: entry, needsSessionAssignment: false,
            context: office.context(.approved)
          ), notice: member == office.member ? office.correction() : nil
        )
      }
      for keeping in [BulkKeeping.none, .allOrNone, .accepted] {
        let outcomes = try await storage.createTimeEntries(
          new, keeping: keeping, in: organization.key, recording: nil)
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true], "\(keeping)")
        #expect(try await notices().count == (keeping == .accepted ? 2 : 1), "\(keeping)")
      }
      #expect(try await notices().last?.timeEntryID == new[0].entry.entry.id)
      #expect(try await notices().last?.clockOutTime == .hour(-9))
    }
  }
}

extension World {
  /// An open correction.
  fileprivate func correction(
    of member: TestMember, by author: TestMember, in organization: TestOrganization
  ) -> Correction {
    Correction(head: head(in: organization)) {
      ($0.userID, $0.by, $0.reason) = (member.id, author.id, "Küche \u{65}\u{301} 👩‍🍳 \"'; --")
    }
  }
}

/// A member with an entry from 100 to 98 hours ago, and a segment for all of it, in locked time.
private struct LockedOffice: Sendable {
  let world: World
  let organization: TestOrganization
  let member: TestMember
  let entry: TimeEntry
  let segment: Segment
  let through = World.today.adding(days: -2)

  init(_ world: World) async throws {
    self.world = world
    organization = try await world.organization()
    member = try await world.member(of: organization)
    entry = try await world.keep(member, in: organization, from: .hour(-100), to: .hour(-98))
    segment = try await world.keep(
      world.segment(
        of: member, in: organization, for: SegmentPurpose(), from: .hour(-100), to: .hour(-98)), of: member)
    _ = try await world.storage.movePeriod(
      of: member.id, .lock(through: through, includesUnapproved: true),
      PeriodWork(
        organizationID: organization.id, organization: organization.key, zones: TimeZoneDatabase(),
        identifiers: IdentifierGenerator(), context: context(.approved)), recording: nil)
  }

  /// - Parameter mark: The weakest mark that binds; nil if none does.
  func context(_ mark: PeriodMark.Kind? = nil) -> ChangeContext {
    ChangeContext(
      author: Author(means: .logIn, userID: organization.admin.id), operation: "test", time: World.start,
      reason: Reason(stored: "Late"), boundBy: mark)
  }

  func update(_ context: ChangeContext) -> TimeEntryUpdate {
    TimeEntryUpdate(
      id: entry.id, organization: organization.key, expectedVersion: nil, needsSessionAssignment: false,
      context: context)
  }

  func adding(_ context: ChangeContext) -> NewTimeEntry {
    NewTimeEntry(
      member: member.key, entry: world.entry(of: member, in: organization, from: .hour(-97), to: .hour(-96)),
      needsSessionAssignment: false, context: context)
  }

  /// A correction by the admin, to add an entry unless it gets one.
  func correction() -> Correction {
    var correction = world.correction(of: member, by: organization.admin, in: organization)
    (correction.clockInTime, correction.clockOutTime) = (.hour(-97), .hour(-96))
    return correction
  }

  func request() async throws -> Correction {
    try await world.keep(correction(), in: organization)
  }

  /// Agrees to a correction, one of the entry if none is stated.
  func decide(_ change: ProposedChange, _ open: Correction? = nil) async throws -> Correction {
    var new = correction()
    if case .add = change {} else { new.timeEntryID = entry.id }
    let kept: Correction
    if let open { kept = open } else { kept = try await world.keep(new, in: organization) }
    return try await world.storage.decideCorrection(
      ResourceUpdate(
        id: kept.id, organization: organization.key, expectedVersion: nil, context: context(.approved)),
      making: change, recording: nil
    ) {
      try $0.decide(.agree, answer: nil, by: organization.admin.id, at: World.start)
    }
  }
}
