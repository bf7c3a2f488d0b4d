import Procedures
import StorageCalls
import Testing
import TimeclockDomain

@Suite("Absences in a storage")
struct AbsenceStorageTests {
  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      var kept: [Absence] = []
      for (number, kind) in AbsenceKind.allCases.enumerated() {
        var absence = world.absence(
          of: number == 3 ? other : member, kind, "2026-10-0\(number + 1)", in: organization)
        absence.state = AbsenceState.allCases[number % 4]
        absence.note = number == 0 ? nil : "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
        absence.portion = AbsencePortion.Word.allCases[number % 3]
        absence.seconds = absence.portion == .seconds ? 86_400 : nil
        absence.version = 7
        (absence.createdAt, absence.updatedAt) = (.hour(1), .hour(2))
        #expect(try await world.keep(absence, in: organization) == absence)
        let found: Absence? = try await world.storage.record(absence.id, in: organization.key)
        #expect(found == absence)
        #expect(found.map { String(reflecting: $0) } == String(reflecting: absence))
        #expect(try await world.changes(organization).last?.after == absence.snapshot)
        kept.append(absence)
      }
      for size in [1, 3, 100] {
        #expect(try await world.absences(pageSize: size, in: organization) == kept)
        #expect(
          try await world.absences(
            AbsenceFilter(members: .member(other.key.user)), pageSize: size, in: organization) == [kept[3]])
      }
      let dates = day("2026-10-03")...day("2026-10-06")
      #expect(
        try await world.absences(AbsenceFilter(dates: dates), in: organization) == Array(kept[2...5]))
      #expect(
        try await world.absences(AbsenceFilter(state: .approved, dates: dates), in: organization)
          == kept[2...5].filter { $0.state == .approved })
      #expect(try await world.absences(in: try await world.organization()).isEmpty)
    }
  }

  @Test("take the room of a date once, if many are made at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      for (portion, room) in [(AbsencePortion.Word.day, 1), (.half, 2), (.seconds, 16)] {
        let date = "2026-10-0\(room % 9 + 1)"
        let outcomes = await concurrently(16) { number in
          var absence = world.absence(
            of: member, number % 2 == 0 ? .vacation : .special, date, in: organization)
          (absence.portion, absence.seconds) = (portion, portion == .seconds ? 60 : nil)
          return try await world.keep(absence, in: organization)
        }
        #expect(outcomes.filter { (try? $0.get()) != nil }.count == room)
        for case .failure(let error) in outcomes {
          #expect((error as? TimeclockError)?.code == "absence_overlap")
        }
      }
    }
  }

  @Test(
    "name those in the way in the order of their first dates, and know canceled ones as none",
    arguments: StorageFactory.all)
  func overlaps(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let second = try await world.keep(
        world.absence(of: member, .vacation, "2026-10-22", "2026-10-23", in: organization), in: organization)
      let first = try await world.keep(
        world.absence(of: member, .unpaid, "2026-10-19", "2026-10-20", in: organization), in: organization)
      let new = world.absence(of: member, .training, "2026-10-20", "2026-10-30", in: organization)
      await #expect(throws: TimeclockError.absenceOverlap([first, second], count: 2)) {
        try await world.keep(new, in: organization)
      }
      try await world.keep(
        world.absence(of: member, .sick, "2026-10-20", "2026-10-30", in: organization), in: organization)
      try await world.keep(
        world.absence(of: other, .training, "2026-10-20", "2026-10-30", in: organization), in: organization)
      _ = try await world.change(first, in: organization) { $0.state = .canceled }
      _ = try await world.change(second, in: organization) { $0.state = .refused }
      let kept = try await world.keep(new, in: organization)
      // It is not in its own way.
      let moved = try await world.change(kept, in: organization) {
        $0.startDate = $0.startDate.adding(days: -1)
      }
      #expect(moved.startDate == day("2026-10-19") && moved.version == 2)
      await #expect(throws: TimeclockError.absenceOverlap([moved], count: 1)) {
        _ = try await world.change(second, in: organization) {
          ($0.state, $0.startDate) = (.approved, $0.startDate.adding(days: -1))
        }
      }
      await #expect(throws: TimeclockError.invalidDateRange) {
        _ = try await world.change(kept, in: organization) { $0.endDate = $0.startDate.adding(days: -1) }
      }
      await #expect(throws: TimeclockError.invalidPortion) {
        _ = try await world.change(kept, in: organization) { $0.portion = .seconds }
      }
    }
  }

  @Test(
    "are at most the days of an entitlement where the policy says so, however many are made at once",
    arguments: StorageFactory.all)
  func entitlements(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      var schedule = WorkSchedule(bare: world.head(in: organization), of: member.id)
      (schedule.from, schedule.secondsByWeekday) = (day("2026-01-01"), Array(repeating: 28_800, count: 7))
      try await world.keep(schedule, in: organization)
      var entitlement = Entitlement(bare: world.head(in: organization), of: member.id)
      (entitlement.year, entitlement.days) = (2026, 30_000)
      try await world.keep(entitlement, in: organization)
      @Sendable func vacation(_ first: String, _ last: String? = nil) -> Absence {
        world.absence(of: member, .vacation, first, last, in: organization)
      }
      // Allowed until the policy changes.
      let beyond = try await world.keep(vacation("2027-06-01", "2027-06-04"), in: organization)
      _ = try await world.storage.updateOrganization(
        organization.key, expectedVersion: nil, context: .test()
      ) { $0.policy.isNegativeEntitlementAllowed = false }
      let outcomes = await concurrently(8) { number in
        try await world.keep(vacation("2026-10-0\(number + 1)"), in: organization)
      }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == 3)
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .entitlementExceeded)
      }
      // Without an entitlement there is no day; less than before, and other kinds, are no matter.
      await #expect(throws: TimeclockError.entitlementExceeded) {
        _ = try await world.keep(vacation("2027-07-01"), in: organization)
      }
      let less = try await world.change(beyond, in: organization) { $0.endDate = $0.startDate }
      #expect(less.version == 2)
      await #expect(throws: TimeclockError.entitlementExceeded) {
        _ = try await world.change(less, in: organization) { $0.endDate = $0.startDate.adding(days: 1) }
      }
      try await world.keep(
        world.absence(of: member, .special, "2026-12-01", "2026-12-31", in: organization), in: organization)
      // A request counts when it is approved, too.
      let kept = outcomes.compactMap { try? $0.get() }[0]
      var request = vacation("2026-11-01")
      request.state = .requested
      let asked = request
      _ = try await world.change(kept, in: organization) { $0.state = .canceled }
      let requested = try await world.keep(asked, in: organization)
      try await world.keep(vacation("2026-11-02"), in: organization)
      await #expect(throws: TimeclockError.entitlementExceeded) {
        _ = try await world.change(requested, in: organization) { $0.state = .approved }
      }
      let refused = try await world.change(requested, in: organization) { $0.state = .refused }
      #expect(refused.state == .refused)
    }
  }

  @Test(
    "lose kind and note when their member is anonymized, and count as before", arguments: StorageFactory.all)
  func anonymizing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      var kept: [Absence] = []
      for (number, kind) in AbsenceKind.allCases.enumerated() {
        var absence = world.absence(of: member, kind, "2026-10-0\(number + 1)", in: organization)
        absence.note = number == 0 ? nil : "secret"
        kept.append(try await world.keep(absence, in: organization))
      }
      let others = try await world.keep(
        world.absence(of: other, .sick, "2026-10-01", in: organization), in: organization)
      let selection = MemberSelection.member(member.key.user)
      let before =
        try await world.storage.absences(of: selection, in: organization.key)[member.key.user] ?? []
      try await world.update(member, in: organization) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(
        member.id, in: organization.key, context: .test(at: .hour(30)))
      for absence in kept {
        var expected = absence
        (expected.kind, expected.note) = (.absent, nil)
        (expected.version, expected.updatedAt) = (2, .hour(30))
        let found: Absence? = try await world.storage.record(absence.id, in: organization.key)
        #expect(found == expected)
      }
      let found: Absence? = try await world.storage.record(others.id, in: organization.key)
      #expect(found == others)
      let after = try await world.storage.absences(of: selection, in: organization.key)[member.key.user] ?? []
      func effects(_ rows: [AbsenceRow]) -> [String] {
        rows.map { "\($0.first) \($0.kind.effect) \($0.state)" }.sorted()
      }
      #expect(effects(after) == effects(before) && after.count == kept.count)
      for change in try await world.changes(organization) where change.resource == .absence {
        #expect(change.isErased == (change.resourceID != ResourceID(others.id)))
      }
    }
  }

  @Test("count if they are approved, and vacation if it is requested", arguments: StorageFactory.all)
  func counted(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      var expected: Set<String> = []
      for (number, state) in AbsenceState.allCases.enumerated() {
        for kind in [AbsenceKind.vacation, .unpaid] {
          let date = "2026-10-\(kind == .vacation ? 1 : 2)\(number)"
          var absence = world.absence(of: member, kind, date, in: organization)
          (absence.state, absence.portion, absence.seconds) = (state, .seconds, 60)
          try await world.keep(absence, in: organization)
          if state == .approved || (state == .requested && kind == .vacation) {
            expected.insert("\(date) \(kind) \(state)")
          }
        }
      }
      let rows = try await world.storage.absences(of: .everybody, in: organization.key)
      #expect(Array(rows.keys) == [member.key.user])
      let found = rows.values.flatMap { $0 }
      #expect(Set(found.map { "\($0.first.iso8601) \($0.kind) \($0.state)" }) == expected)
      #expect(found.allSatisfy { $0.portion == .seconds(60) && $0.first == $0.last })
    }
  }
}

private func day(_ text: String) -> LocalDate { LocalDate(iso8601: text) ?? .latest }

extension World {
  /// An approved absence that is not kept yet.
  fileprivate func absence(
    of member: TestMember, _ kind: AbsenceKind, _ first: String, _ last: String? = nil,
    in organization: TestOrganization
  ) -> Absence {
    var absence = Absence(head: head(in: organization))
    absence.userID = member.id
    absence.counted = kind
    (absence.startDate, absence.endDate) = (day(first), day(last ?? first))
    return absence
  }

  @discardableResult
  fileprivate func change(
    _ absence: Absence, in organization: TestOrganization,
    _ change: @escaping @Sendable (inout Absence) throws -> Void
  ) async throws -> Absence {
    try await storage.updateRecord(
      ResourceUpdate(
        id: absence.id, organization: organization.key, expectedVersion: nil, context: .test(at: .hour(3))),
      zones: TimeZoneDatabase(), change)
  }

  fileprivate func absences(
    _ filter: AbsenceFilter = AbsenceFilter(), pageSize: Int = 100, in organization: TestOrganization
  ) async throws -> [Absence] {
    try await all(of: pageSize) { cursor in
      try await storage.absences(filter, in: organization.key, after: cursor, limit: pageSize)
    }
  }
}
