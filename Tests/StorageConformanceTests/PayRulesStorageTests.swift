import Procedures
import Testing
import TimeclockDomain

@Suite("Pay rules in a storage")
struct PayRulesStorageTests {
  @Test("come back as they were kept, and by date", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let late = try await world.payRules(from: "2026-11-19", in: organization) {
        $0.breakRules = [
          BreakRule(afterSeconds: 21_600, breakSeconds: 1_800),
          BreakRule(afterSeconds: 32_400, breakSeconds: 2_700),
        ]
        $0.breakMinimumSeconds = 0
        ($0.dailyOvertimeSeconds, $0.weeklyOvertimeSeconds, $0.weekStart) = (86_400, 604_800, .thursday)
      }
      #expect(emptyFields(of: late) == [])
      let early = try await world.payRules(from: "2026-11-02", in: organization)
      let first = try await world.payRules(from: "1900-01-01", in: organization) {
        $0.breakMinimumSeconds = 1
      }
      let all = [late, early, first]
      for rules in all {
        #expect(try await world.storage.payRules(rules.id, in: organization.key) == rules)
        #expect(try await world.changes(organization).contains { $0.after == rules.snapshot })
      }
      for size in [1, 2, 9] {
        #expect(try await world.payRules(in: organization, pageSize: size) == all)
      }
      var policy = Policy.standard
      policy.dailyOvertimeSeconds = 7
      let calendar = try await world.storage.payRules(of: organization.key, after: policy)
      for (text, rules) in [
        ("1900-01-01", first.rules), ("2026-11-01", first.rules), ("2026-11-02", early.rules),
        ("2026-11-18", early.rules), ("2026-11-19", late.rules), ("9999-12-31", late.rules),
      ] { #expect(calendar[date(text)] == rules, "\(text)") }
      let away = try await world.organization()
      #expect(try await world.storage.payRules(late.id, in: away.key) == nil)
      #expect(try await world.payRules(in: away) == [])
      let others = try await world.storage.payRules(of: away.key, after: policy)
      #expect(others == PayRulesCalendar(before: policy.payRules))
    }
  }

  @Test("change, and are deleted, in the version that is meant", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.payRules(from: "2026-11-16", in: organization)
      let before = try await world.payRules(from: "2026-11-23", in: organization) {
        $0.weeklyOvertimeSeconds = 1
      }
      let changed = try await world.update(before, in: organization) {
        ($0.from, $0.weeklyOvertimeSeconds) = (date("2026-11-30"), nil)
      }
      #expect(changed.from == date("2026-11-30") && changed.version == 2)
      #expect(try await world.storage.payRules(before.id, in: organization.key) == changed)
      let count = try await world.changes(organization).count
      #expect(try await world.update(changed, in: organization) { $0.weekStart = .monday } == changed)
      await #expect(throws: TimeclockError.payRulesExist) {
        _ = try await world.update(changed, in: organization) { $0.from = other.from }
      }
      await #expect(throws: TimeclockError.payRulesExist) {
        _ = try await world.payRules(from: "2026-11-30", in: organization)
      }
      await #expect(throws: TimeclockError.changed(current: changed.current)) {
        _ = try await world.update(before, in: organization) { $0.weekStart = .friday }
      }
      #expect(try await world.payRules(in: organization) == [other, changed])
      #expect(try await world.changes(organization).count == count)
      try await world.delete(changed, in: organization)
      #expect(try await world.payRules(in: organization) == [other])
      #expect(try await world.changes(organization).last?.before == changed.snapshot)
      await #expect(throws: TimeclockError.notFound(.payRules)) {
        try await world.delete(changed, in: organization)
      }
    }
  }

  @Test(
    "are at most the limit, and one from a date, however many are made at once", arguments: StorageFactory.all
  )
  func limit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let same = await concurrently(8) { _ in
        try await world.payRules(from: "2026-11-16", in: organization)
      }
      for case .failure(let error) in same { #expect(error as? TimeclockError == .payRulesExist) }
      #expect(try await world.payRules(in: organization).count == 1)
      let limit = Int(DatedPayRules.limit.count)
      for week in 1..<limit - 4 {
        _ = try await world.payRules(date("2026-11-16").adding(days: 7 * week), in: organization)
      }
      let outcomes = await concurrently(16) { number in
        try await world.payRules(date("2020-01-06").adding(days: 7 * number), in: organization)
      }
      for case .failure(let error) in outcomes { #expect(error as? TimeclockError == .tooManyPayRules) }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == 4)
      #expect(try await world.payRules(in: organization).count == limit)
    }
  }

  @Test("stay as they are on dates that are approved, and so does the policy", arguments: StorageFactory.all)
  func approved(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let early = try await world.payRules(from: "2026-10-26", in: organization) {
        $0.dailyOvertimeSeconds = 1
      }
      let late = try await world.payRules(from: "2026-11-09", in: organization) {
        $0.dailyOvertimeSeconds = 2
      }
      let through = date("2026-11-11")
      try await world.move(.submit(through: through), of: member, in: organization)
      // Submitted time binds no rules.
      let other = try await world.payRules(from: "2026-11-02", in: organization) {
        $0.dailyOvertimeSeconds = 3
      }
      try await world.delete(other, in: organization)
      try await world.move(
        .approve(through: through, includesUnsubmitted: false), of: member, in: organization)
      let refusal = TimeclockError.periodLocked(PeriodMark(.approved, through: through), count: nil)
      let refused: [@Sendable () async throws -> Void] = [
        { _ = try await world.payRules(from: "2026-11-02", in: organization) },
        {
          _ = try await world.payRules(from: "2026-11-11", in: organization) { $0.weekStart = .wednesday }
        },
        { _ = try await world.update(early, in: organization) { $0.breakMinimumSeconds = 1 } },
        { _ = try await world.update(late, in: organization) { $0.from = date("2026-11-16") } },
        { try await world.delete(late, in: organization) },
        {
          _ = try await world.updatePolicy(of: organization) {
            $0.breakRules = [BreakRule(afterSeconds: 1, breakSeconds: 1)]
          }
        },
        { _ = try await world.updatePolicy(of: organization) { $0.weekStart = .sunday } },
      ]
      for change in refused { await #expect(throws: refusal) { try await change() } }
      #expect(try await world.payRules(in: organization) == [early, late])
      // Rules that are in force anyway change nothing, and later dates are open.
      let same = try await world.payRules(from: "2026-11-02", in: organization) {
        $0.dailyOvertimeSeconds = 1
      }
      let next = try await world.payRules(from: "2026-11-12", in: organization) { $0.weekStart = .thursday }
      try await world.delete(same, in: organization)
      let changed = try await world.update(next, in: organization) { $0.breakMinimumSeconds = 1 }
      try await world.delete(changed, in: organization)
      _ = try await world.updatePolicy(of: organization) { $0.maximumSeconds = 50_000 }
      try await world.move(.reopen(through: date("2026-10-25")), of: member, in: organization)
      try await world.delete(late, in: organization)
      try await world.delete(early, in: organization)
      // The dates before are approved still.
      let rest = TimeclockError.periodLocked(PeriodMark(.approved, through: date("2026-10-25")), count: nil)
      await #expect(throws: rest) {
        _ = try await world.updatePolicy(of: organization) { $0.dailyOvertimeSeconds = 3 }
      }
      try await world.move(.reopen(through: nil), of: member, in: organization)
      _ = try await world.updatePolicy(of: organization) { $0.dailyOvertimeSeconds = 3 }
    }
  }

  @Test("count for the totals of an approval by the date of the work", arguments: StorageFactory.all)
  func totals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      _ = try await world.payRules(from: "2026-11-10", in: organization) {
        $0.weekStart = .tuesday
        $0.breakRules = [BreakRule(afterSeconds: 21_600, breakSeconds: 1_800)]
      }
      // Ten hours each, from eight in Berlin.
      for text in ["2026-11-09T07:00:00Z", "2026-11-10T07:00:00Z"] {
        let start = try #require(Instant(rfc3339: text))
        try await world.keep(
          member, in: organization, from: start, to: start.adding(milliseconds: 36_000_000))
      }
      for (through, paid) in [("2026-11-09", 36_000), ("2026-11-10", 34_200)] as [(String, Int64)] {
        try await world.move(
          .approve(through: date(through), includesUnsubmitted: true), of: member, in: organization)
        let approvals = try await world.storage.approvals(
          of: .member(member.key.user), in: organization.key, after: nil, limit: 9
        ).elements
        #expect(approvals.last?.approval.paidSeconds == paid)
      }
    }
  }

  @Test("never change under an approval, however both come at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for _ in 0..<4 {
        let organization = try await world.organization()
        let member = try await world.member(of: organization)
        let outcomes = await concurrently(4) { number in
          switch number {
          case 0:
            try await world.move(
              .approve(through: date("2026-11-11"), includesUnsubmitted: true), of: member, in: organization)
          case 1: _ = try await world.updatePolicy(of: organization) { $0.dailyOvertimeSeconds = 3 }
          default:
            _ = try await world.payRules(date("2026-11-02").adding(days: 7 * (number - 2)), in: organization)
            {
              $0.breakMinimumSeconds = Int64(number)
            }
          }
        }
        let refusal = TimeclockError.periodLocked(
          PeriodMark(.approved, through: date("2026-11-11")), count: nil)
        for case .failure(let error) in outcomes { #expect(error as? TimeclockError == refusal) }
        // In the log a rule of an approved date stands before the approval.
        let changes = try await world.changes(organization)
        let approval = try #require(changes.firstIndex { $0.resource == .approval })
        #expect(changes[approval...].allSatisfy { $0.resource != .organization })
        let rules = try await world.payRules(in: organization).filter { $0.from <= date("2026-11-11") }
        #expect(rules.allSatisfy { rule in changes[..<approval].contains { $0.after == rule.snapshot } })
      }
    }
  }
}

private func date(_ text: String) -> LocalDate { LocalDate(iso8601: text) ?? .latest }

extension World {
  @discardableResult
  fileprivate func payRules(
    from text: String, in organization: TestOrganization, _ fill: (inout DatedPayRules) -> Void = { _ in }
  ) async throws -> DatedPayRules {
    try await payRules(date(text), in: organization, fill)
  }

  fileprivate func payRules(
    _ from: LocalDate, in organization: TestOrganization, _ fill: (inout DatedPayRules) -> Void = { _ in }
  ) async throws -> DatedPayRules {
    var rules = DatedPayRules(head: head(in: organization)) { $0.from = from }
    fill(&rules)
    return try await storage.createPayRules(rules, in: organization.key, context: .test(), recording: nil)
  }

  fileprivate func update(
    _ rules: DatedPayRules, in organization: TestOrganization,
    _ change: @escaping @Sendable (inout DatedPayRules) -> Void
  ) async throws -> DatedPayRules {
    try await storage.updatePayRules(update(of: rules, in: organization), change)
  }

  fileprivate func delete(_ rules: DatedPayRules, in organization: TestOrganization) async throws {
    try await storage.deletePayRules(update(of: rules, in: organization))
  }

  private func update(
    of rules: DatedPayRules, in organization: TestOrganization
  ) -> ResourceUpdate<DatedPayRules> {
    ResourceUpdate(
      id: rules.id, organization: organization.key, expectedVersion: rules.version, context: .test())
  }

  fileprivate func payRules(
    in organization: TestOrganization, pageSize: Int = 100
  ) async throws -> [DatedPayRules] {
    try await all(of: pageSize) { cursor in
      try await storage.payRules(of: organization.key, after: cursor, limit: pageSize)
    }
  }

  fileprivate func updatePolicy(
    of organization: TestOrganization, _ change: @escaping @Sendable (inout Policy) -> Void
  ) async throws -> Organization {
    try await storage.updateOrganization(organization.key, expectedVersion: nil, context: .test()) {
      change(&$0.policy)
    }
  }

  fileprivate func move(
    _ move: PeriodMove, of member: TestMember, in organization: TestOrganization
  ) async throws {
    let work = PeriodWork(
      organizationID: organization.id, organization: organization.key, zones: TimeZoneDatabase(),
      identifiers: IdentifierGenerator(),
      context: ChangeContext(
        author: Author(means: .logIn, userID: organization.admin.id), operation: "test",
        time: World.start, reason: Reason(stored: "Asked to")))
    _ = try await storage.movePeriod(of: member.id, move, work, recording: nil)
  }
}
