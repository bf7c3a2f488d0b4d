import Testing
import TimeclockDomain

@Suite("What reports read")
struct ReportTests {
  @Test(
    "is every entry that shares a moment with the span, however long ago it began",
    arguments: StorageFactory.all)
  func span(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let ana = organization.admin
      let bo = try await world.member(of: organization)
      let chi = try await world.member(of: organization)
      let dag = try await world.member(of: organization)
      // Touching is not sharing.
      try await world.keep(ana, in: organization, from: .hour(-20), to: .hour(-10))
      let across = try await world.keep(ana, in: organization, from: .hour(-10), to: .hour(-9.5))
      let within = try await world.keep(ana, in: organization, from: .hour(-9), to: .hour(-8))
      let after = try await world.keep(ana, in: organization, from: .hour(-6.5), to: .hour(-5))
      try await world.keep(ana, in: organization, from: .hour(-5), to: .hour(-4))
      // A hundred days, and one day and a bit.
      let long = try await world.keep(bo, in: organization, from: .hour(-2_400), to: .hour(-9.75))
      let day = try await world.keep(chi, in: organization, from: .hour(-34.1), to: .hour(-9.75))
      let active = try await world.keep(dag, in: organization, from: .hour(-240), to: nil)
      let later = try await world.keep(bo, in: organization, from: .hour(-5), to: nil)
      let other = try await world.organization()
      try await world.keep(other.admin, in: other, from: .hour(-9), to: nil)

      let shown = try await world.worked(organization, endingAfter: .hour(-9.9), before: .hour(-5))
      #expect(shown == [across, within, after, long, day, active].map(\.span).sorted())
      let exact = try await world.worked(organization, endingAfter: .hour(-9.5), before: .hour(-6.5))
      #expect(exact == [within, active].map(\.span).sorted())
      let all = try await world.worked(organization, endingAfter: .earliest, before: .latest)
      #expect(all.count == 9)
      let bos = try await world.worked(organization, bo, endingAfter: .hour(-10), before: .hour(-4))
      #expect(bos == [long, later].map(\.span).sorted())
    }
  }

  @Test("has the details of an entry where they are asked for", arguments: StorageFactory.all)
  func details(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let session = try await world.addSession(in: organization, assignees: [])
      let unused = try await world.addSession(in: organization, assignees: [])
      var flagged = world.entry(
        of: organization.admin, in: organization, from: .hour(-3), to: .hour(-2), session: session)
      flagged.flags = [.underMinimum, .autoClosed]
      flagged.source = .kiosk
      try await world.keep(flagged, of: organization.admin, needsSessionAssignment: false)
      let active = try await world.keep(organization.admin, in: organization, from: .hour(-1), to: nil)
      try await world.keep(organization.admin, in: organization, from: .hour(-5), to: .hour(-4))
      let query = WorkedTimeQuery(
        organization: organization.key, user: nil, endingAfter: .hour(-9), beginningBefore: .hour(0),
        session: nil, hasDetails: true)
      let time = try await world.storage.report(on: query) { $0 }
      #expect(
        time.people == [
          organization.admin.key.user: ReportedPerson(
            id: organization.admin.id, name: "Ana", storedEmail: organization.admin.email,
            personnelNumber: nil)
        ])
      #expect(Set(time.sessions.values.map(\.id)) == [session])
      let found = time.entries.sorted { $0.clockIn < $1.clockIn }
      // Only who is active or flagged is named.
      #expect(found.map(\.id) == [nil, flagged.id, active.id])
      #expect(found.map(\.flags) == [[], flagged.flags, []])
      #expect(found.map(\.source) == [.api, .kiosk, .api])
      #expect(found.map { $0.session.flatMap { time.sessions[$0]?.id } } == [nil, session, nil])
      var named = query
      named.session = unused
      let withUnused = try await world.storage.report(on: named) { $0 }
      #expect(Set(withUnused.sessions.values.map(\.id)) == [session, unused])
      named.session = world.id()
      await #expect(throws: TimeclockError.notFound(.session)) {
        try await world.storage.report(on: named) { _ in }
      }
      struct Refusal: Error {}
      await #expect(throws: Refusal.self) {
        try await world.storage.report(on: query) { _ in throw Refusal() }
      }
    }
  }
}

extension World {
  /// The spans that a report reads, sorted.
  fileprivate func worked(
    _ organization: TestOrganization, _ member: TestMember? = nil, endingAfter start: Instant,
    before end: Instant
  ) async throws -> [WorkedStretch] {
    let query = WorkedTimeQuery(
      organization: organization.key, user: member?.key.user, endingAfter: start, beginningBefore: end,
      session: nil, hasDetails: false)
    return try await storage.report(on: query) { time in
      time.entries.map {
        WorkedStretch(person: time.people[$0.user]?.id.text, start: $0.clockIn, end: $0.clockOut)
      }
      .sorted()
    }
  }
}

private struct WorkedStretch: Hashable, Comparable {
  var person: String?
  var start: Instant
  var end: Instant?

  static func < (one: WorkedStretch, other: WorkedStretch) -> Bool {
    (one.start, one.person ?? "") < (other.start, other.person ?? "")
  }
}

extension TimeEntry {
  fileprivate var span: WorkedStretch {
    WorkedStretch(person: userID.text, start: clockInTime, end: clockOutTime)
  }
}
