import Testing
import TimeclockDomain

@Suite("Entries that a storage is given together")
struct BulkTests {
  @Test(
    "are kept as each alone would be, and logged one by one, in their order", arguments: StorageFactory.all)
  func kept(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.member(of: organization)
      let session = try await world.addSession(in: organization, assignees: [other])
      let before = try await world.changes(organization).count
      var new = (0..<40).map { number in
        let member = number % 3 == 0 ? organization.admin : other
        return Self.new(
          world.entry(
            of: member, in: organization, from: .hour(Double(-number)), to: .hour(Double(1 - number))),
          of: member)
      }
      new[1].entry.sessionID = session
      new[2].entry.notes = Notes(stored: "4-byte 𝄞, \u{65}\u{301}")
      let outcomes = try await world.storage.createTimeEntries(new, keeping: .accepted)
      #expect(outcomes == new.map { .success($0.entry) })
      #expect(
        try await world.listAll(organization, pageSize: 7).sorted { $0.clockInTime > $1.clockInTime }
          == new.map(\.entry))
      let changes = try await world.changes(organization).dropFirst(before)
      #expect(changes.map(\.after) == new.map { .timeEntry($0.entry) })
      #expect(changes.allSatisfy { $0.before == nil && $0.kind == .created && $0.context == .test() })
    }
  }

  @Test("are refused beside those that came before them only", arguments: StorageFactory.all)
  func overlaps(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let there = try await world.keep(member, in: organization, from: .hour(0), to: .hour(1))
      func new(_ begin: Double, _ end: Double) -> NewTimeEntry {
        Self.new(world.entry(of: member, in: organization, from: .hour(begin), to: .hour(end)), of: member)
      }
      let new = [
        // Kept; refused because of the first; touching; refused because of an existing one, though the next one will
        // lie in its span; that one; refused because of two.
        new(2, 3), new(2.5, 4), new(3, 4), new(0.5, 2), new(1, 2), new(0, 1.5), new(-1, 0),
      ]
      let outcomes = try await world.storage.createTimeEntries(new, keeping: .accepted)
      #expect(
        outcomes == [
          .success(new[0].entry), .failure(.overlap([new[0].entry], count: 1)), .success(new[2].entry),
          .failure(.overlap([there], count: 1)), .success(new[4].entry),
          .failure(.overlap([there, new[4].entry], count: 2)), .success(new[6].entry),
        ])
      #expect(
        Set(try await world.listAll(organization, pageSize: 10))
          == Set([there, new[0].entry, new[2].entry, new[4].entry, new[6].entry]))
    }
  }

  @Test("count all that is in the way, and show the oldest", arguments: StorageFactory.all)
  func manyOverlaps(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let new = (0..<25).map { number in
        let begin = Instant.hour(Double(number) / 5)
        return Self.new(
          world.entry(
            of: organization.admin, in: organization, from: begin, to: begin.adding(milliseconds: 60_000)),
          of: organization.admin)
      }
      let over = Self.new(
        world.entry(of: organization.admin, in: organization, from: .hour(0), to: .hour(9)),
        of: organization.admin)
      let outcomes = try await world.storage.createTimeEntries(new + [over], keeping: .accepted)
      let shown = new.prefix(TimeEntryStorageLimits.overlapsShown).map(\.entry)
      #expect(outcomes.last == .failure(.overlap(shown, count: 25)))
    }
  }

  @Test("leave nothing if all or none are to be kept, or none at all", arguments: StorageFactory.all)
  func nothingKept(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let good = Self.new(
        world.entry(of: member, in: organization, from: .hour(0), to: .hour(1)), of: member)
      let bad = Self.new(
        world.entry(of: member, in: organization, from: .hour(0.5), to: .hour(2)), of: member)
      let before = try await world.changes(organization)
      let outcomes = try await world.storage.createTimeEntries([good, bad], keeping: .allOrNone)
      #expect(outcomes == [.success(good.entry), .failure(.overlap([good.entry], count: 1))])
      #expect(
        try await world.storage.createTimeEntries([good], keeping: .none) == [.success(good.entry)])
      #expect(try await world.listAll(organization, pageSize: 10).isEmpty)
      #expect(try await world.changes(organization) == before)
      // An entry that was only judged can still be kept.
      #expect(
        try await world.storage.createTimeEntries([good], keeping: .allOrNone) == [.success(good.entry)])
      #expect(try await world.listAll(organization, pageSize: 10) == [good.entry])
      #expect(try await world.storage.createTimeEntries([], keeping: .accepted).isEmpty)
    }
  }

  @Test("are judged by their members and sessions, one by one", arguments: StorageFactory.all)
  func membersAndSessions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let theirs = try await world.organization()
      let member = try await world.member(of: organization)
      let gone = try await world.member(of: organization)
      try await world.update(gone, in: organization) { $0.isActive = false }
      let own = try await world.addSession(in: organization, assignees: [member])
      let closed = try await world.addSession(in: organization, assignees: [])
      let elsewhere = try await world.addSession(in: theirs, assignees: [])
      let cases: [(TestMember, SessionID?, Bool, TimeclockError?)] = [
        (member, own, true, nil), (member, closed, true, .sessionNotAssigned),
        (gone, nil, true, .memberDeactivated),
        (member, closed, false, nil), (member, elsewhere, false, .sessionNotFound),
        (organization.admin, nil, true, nil), (gone, elsewhere, true, .memberDeactivated),
      ]
      let new = cases.enumerated().map { number, one in
        Self.new(
          world.entry(
            of: one.0, in: organization, from: .hour(Double(number)), to: .hour(Double(number) + 1),
            session: one.1),
          of: one.0, needsSessionAssignment: one.2)
      }
      let outcomes = try await world.storage.createTimeEntries(new, keeping: .accepted)
      #expect(
        outcomes == zip(new, cases).map { new, one in one.3.map { .failure($0) } ?? .success(new.entry) })
      #expect(try await world.listAll(organization, pageSize: 10).count == 3)
      #expect(try await world.listAll(theirs, pageSize: 10).isEmpty)
    }
  }

  @Test(
    "never overlap and never end in a deadlock, however many write the same members' at once",
    arguments: StorageFactory.all)
  func concurrency(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<6 { members.append(try await world.member(of: organization)) }
      let all = members
      let outcomes = await concurrently(8) { number in
        var kept = 0
        for round in 0..<6 {
          // Each task has an order of members of its own, and every task the same spans, a little apart.
          let order = number % 2 == 0 ? all : all.reversed()
          let new = (0..<30).map { entry in
            let member = order[(entry + number) % all.count]
            let begin = Instant.hour(Double(round * 10 + entry / all.count * 2) + Double(number) / 10)
            return Self.new(
              world.entry(
                of: member, in: organization, from: begin, to: begin.adding(milliseconds: 7_200_000)),
              of: member)
          }
          let outcomes = try await world.storage.createTimeEntries(
            new, keeping: number % 4 == 3 ? .allOrNone : .accepted)
          let refused = outcomes.count { if case .failure = $0 { true } else { false } }
          for case .failure(let error) in outcomes {
            guard case .overlap(let entries, let count) = error else { throw error }
            #expect(!entries.isEmpty && count >= entries.count)
          }
          if number % 4 != 3 || refused == 0 { kept += outcomes.count - refused }
        }
        return kept
      }
      let kept = try outcomes.map { try $0.get() }.reduce(0, +)
      let entries = try await world.listAll(organization, pageSize: 500)
      #expect(entries.count == kept)
      #expect(kept > 0)
      for member in all {
        let spans = entries.filter { $0.userID == member.id }.sorted { $0.clockInTime < $1.clockInTime }
        for (one, next) in zip(spans, spans.dropFirst()) {
          #expect((one.clockOutTime ?? .latest) <= next.clockInTime)
        }
      }
    }
  }

  private static func new(
    _ entry: TimeEntry, of member: TestMember, needsSessionAssignment: Bool = false
  ) -> NewTimeEntry {
    NewTimeEntry(
      member: member.key, entry: entry, needsSessionAssignment: needsSessionAssignment, context: .test())
  }
}
