import Testing
import TimeclockDomain

@Suite("Lists of time entries that overlap a span")
struct OverlappingListTests {
  @Test("hold what shares a moment with it, touching left out", arguments: StorageFactory.all)
  func bounds(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(10), to: .hour(12))
      let cases: [(from: Double?, to: Double?, isIn: Bool)] = [
        (12, 14, false), (8, 10, false), (11.9, 14, true), (8, 10.1, true), (10.5, 11, true), (9, 13, true),
        (nil, 10, false), (nil, 10.1, true), (12, nil, false), (11.9, nil, true), (nil, nil, true),
      ]
      for span in cases {
        let range = TimeEntryRange.overlapping(
          from: span.from.map(Instant.hour), to: span.to.map(Instant.hour))
        for member in [member, nil] {
          let listed = try await world.list(organization, member, range: range)
          #expect(listed.elements == (span.isIn ? [entry] : []))
        }
      }
    }
  }

  @Test("hold entries that began long before it", arguments: StorageFactory.all)
  func longEntries(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let sleeper = try await world.member(of: organization)
      let forgetful = try await world.member(of: organization)
      let usual = try await world.member(of: organization)
      let running = try await world.keep(sleeper, in: organization, from: .hour(-340), to: nil)
      let long = try await world.keep(forgetful, in: organization, from: .hour(-900), to: .hour(1))
      try await world.keep(usual, in: organization, from: .hour(-340), to: .hour(-330))
      let today = try await world.keep(usual, in: organization, from: .hour(0), to: .hour(2))
      let range = TimeEntryRange.overlapping(from: .hour(0.5), to: .hour(0.75))
      #expect(try await world.listAll(organization, range: range, pageSize: 1) == [today, running, long])
      #expect(try await world.list(organization, sleeper, range: range).elements == [running])
      #expect(try await world.list(organization, forgetful, range: range).elements == [long])
      #expect(try await world.list(organization, range: range, status: .clockedIn).elements == [running])
      let later = TimeEntryRange.overlapping(from: .hour(9_000), to: nil)
      #expect(try await world.list(organization, range: later).elements == [running])
    }
  }

  @Test(
    "mix entries from before the span with those of it, without those that touch it",
    arguments: StorageFactory.all)
  func edges(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      func keep(from: Double, to: Double?, createdAt: Double) async throws -> TimeEntry {
        try await world.keep(
          world.member(of: organization), in: organization, from: .hour(from), to: to.map(Instant.hour),
          createdAt: .hour(createdAt))
      }
      _ = try await keep(from: 2, to: 10, createdAt: 0)
      _ = try await keep(from: 12, to: 14, createdAt: 0)
      _ = try await keep(from: 12, to: nil, createdAt: 0)
      let running = try await keep(from: -8_000, to: nil, createdAt: 9)
      let long = try await keep(from: -50, to: 10.1, createdAt: 9)
      let inside = try await keep(from: 10, to: 12, createdAt: 1)
      let around = try await keep(from: 9, to: 13, createdAt: 2)
      let begun = try await keep(from: 11.9, to: nil, createdAt: 3)
      let expected = [begun, around, inside, long, running]
      let span = TimeEntryRange.overlapping(from: .hour(10), to: .hour(12))
      for pageSize in [1, 2, 3, 5, 100] {
        #expect(try await world.listAll(organization, range: span, pageSize: pageSize) == expected)
        for status in [TimeEntryStatus.clockedIn, .clockedOut] {
          let listed = try await world.listAll(organization, range: span, status: status, pageSize: pageSize)
          #expect(listed == expected.filter { $0.status == status })
        }
      }
    }
  }

  @Test("keep the entries of members who left", arguments: StorageFactory.all)
  func deactivated(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let entry = try await world.keep(member, in: organization, from: .hour(-100), to: .hour(1))
      _ = try await world.storage.updateMember(
        member.id, in: organization.key, expectedVersion: nil, passwordHash: nil,
        context: .test(at: World.start)
      ) { $0.isActive = false }
      let range = TimeEntryRange.overlapping(from: .hour(0), to: nil)
      #expect(try await world.list(organization, range: range).elements == [entry])
    }
  }

  @Test("of a session show its entries only", arguments: StorageFactory.all)
  func session(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [try await world.member(of: organization), try await world.member(of: organization)]
      let session = try await world.addSession(in: organization, assignees: members)
      try await world.keep(members[0], in: organization, from: .hour(-100), to: .hour(1))
      let old = try await world.keep(
        members[1], in: organization, from: .hour(-100), to: .hour(1), session: session)
      try await world.keep(members[0], in: organization, from: .hour(1), to: .hour(2), session: session)
      let range = TimeEntryRange.overlapping(from: .hour(0), to: .hour(1))
      for member in [members[1], nil] {
        let listed = try await world.list(organization, member, range: range, session: session)
        #expect(listed.elements == [old])
      }
    }
  }

  @Test("equal what looking at every entry gives", arguments: StorageFactory.all)
  func againstBruteForce(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var random = SeededRandom(seed: 2)
      let organization = try await world.organization()
      let other = try await world.organization()
      try await world.keep(other.admin, in: other, from: .hour(-500), to: nil)
      var all: [TimeEntry] = []
      var members: [TestMember] = []
      for number in 0..<6 {
        let member = try await world.member(of: organization)
        members.append(member)
        var time = Instant.hour(Double.random(in: -400 ... -200, using: &random))
        for _ in 0..<25 {
          // Of minutes, and now and then of days; with gaps, and without.
          time = time.adding(
            milliseconds: Bool.random(using: &random) ? 0 : .random(in: 0...40_000_000, using: &random))
          let isLong = Int.random(in: 0..<12, using: &random) == 0
          let end = time.adding(
            milliseconds: .random(in: 1...(isLong ? 400_000_000 : 9_000_000), using: &random))
          var entry = world.entry(
            of: member, in: organization, from: time, to: end,
            createdAt: .hour(Double(Int.random(in: 0..<5, using: &random))))
          entry.date = entry.date.adding(days: .random(in: -1...1, using: &random))
          all.append(try await world.keep(entry, of: member))
          time = end
        }
        if number % 3 == 0 { all.append(try await world.keep(member, in: organization, from: time, to: nil)) }
      }
      for _ in 0..<120 {
        let from = Instant.hour(Double.random(in: -420...300, using: &random))
        let to = from.adding(milliseconds: .random(in: 1...300_000_000, using: &random))
        let start = Int.random(in: 0..<8, using: &random) == 0 ? nil : from
        let end = Int.random(in: 0..<8, using: &random) == 0 ? nil : to
        let member = Bool.random(using: &random) ? members.randomElement(using: &random) : nil
        let expected = all.filter { entry in
          (member.map { $0.id == entry.userID } ?? true) && (end.map { entry.clockInTime < $0 } ?? true)
            && (start.map { (entry.clockOutTime ?? .latest) > $0 } ?? true)
        }
        let listed = try await world.listAll(
          organization, member, range: .overlapping(from: start, to: end), pageSize: 7)
        #expect(Set(listed) == Set(expected))
        #expect(listed.count == expected.count)
        #expect(
          listed.elementsEqual(listed.sorted { ($0.date, $0.createdAt) > ($1.date, $1.createdAt) }) {
            ($0.date, $0.createdAt) == ($1.date, $1.createdAt)
          })
      }
    }
  }
}
