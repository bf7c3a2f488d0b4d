import Testing
import TimeclockDomain

@Suite("Time entries in a storage")
struct TimeEntryStorageTests {
  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func roundTrip(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let session = try await world.addSession(in: organization, assignees: [member])
      for (number, source) in TimeEntrySource.allCases.enumerated() {
        let begin = Instant.hour(Double(number) * 3)
        var entry = world.entry(
          of: member, in: organization, from: begin, to: begin.adding(milliseconds: 1), session: session)
        entry.date = begin.utcDate.adding(days: -1)
        entry.timeZone = zone("America/Argentina/ComodRivadavia")
        entry.offsetSeconds = -12_345
        entry.notes = Notes(stored: "Zeile 1\nZeile\t2 e\u{301} \u{E9} 👨‍👩‍👧‍👦 \u{10FFFF} &lt;b&gt; '\"; --")
        entry.source = source
        entry.flags = [.underMinimum, .overMaximum, .autoClosed]
        entry.version = 9_007_199_254_740_991
        entry.createdAt = .hour(-1)
        entry.updatedAt = .hour(99)
        #expect(emptyFields(of: entry) == [])
        if source == .auto { entry.clockOutTime = nil }
        #expect(try await world.keep(entry, of: member) == entry)
        #expect(try await world.changes(organization).last?.after == .timeEntry(entry))
        let kept = try await world.storage.timeEntry(entry.id, in: organization.key)
        #expect(kept == entry)
        #expect(kept?.notes.map { Array($0.text.utf8) } == entry.notes.map { Array($0.text.utf8) })
        #expect(try await world.list(organization, member, limit: 1).elements == [entry])
        let active = try await world.storage.activeTimeEntry(of: member.key)
        #expect(active == (source == .auto ? entry : nil))
      }
    }
  }

  @Test("keep instants to the millisecond, from 1900 to 9999", arguments: StorageFactory.all)
  func instants(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let spans = [
        (Instant.earliest, Instant.earliest.adding(milliseconds: 1)),
        (Instant(millisecondsSince1970: -1), Instant(millisecondsSince1970: 0)),
        (Instant(millisecondsSince1970: 0), Instant(millisecondsSince1970: 999)),
        (Instant.latest.adding(milliseconds: -1), Instant.latest),
      ]
      for (clockIn, clockOut) in spans {
        var entry = world.entry(of: member, in: organization, from: clockIn, to: clockOut)
        entry.createdAt = clockIn
        entry.updatedAt = clockOut
        try await world.keep(entry, of: member)
        #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == entry)
      }
      let dates = try await world.list(organization, member).elements.map(\.date)
      let epoch = LocalDate(daysSince1970: 0)
      #expect(dates == [.latest, epoch, epoch.adding(days: -1), .earliest])
    }
  }

  @Test("that never were are nothing", arguments: StorageFactory.all)
  func unknown(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      #expect(try await world.storage.timeEntry(world.id(), in: organization.key) == nil)
      #expect(try await world.storage.activeTimeEntry(of: organization.admin.key) == nil)
      let nobody = MemberKey(organization: organization.key, user: UserKey(98_765))
      #expect(try await world.storage.activeTimeEntry(of: nobody) == nil)
      let page = try await world.list(organization, organization.admin)
      #expect(page.elements.isEmpty)
      #expect(page.next == nil)
    }
  }

  @Test("need a member who is active", arguments: StorageFactory.all)
  func deactivated(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization)
      try await world.update(member, in: organization) { $0.isActive = false }
      for stranger in [member, other.admin] {
        let entry = world.entry(of: stranger, in: organization, from: .hour(0), to: .hour(1))
        let key = MemberKey(organization: organization.key, user: stranger.key.user)
        await #expect(throws: TimeclockError.memberDeactivated) {
          try await world.storage.createTimeEntry(
            NewTimeEntry(member: key, entry: entry, needsSessionAssignment: false, context: .test()))
        }
      }
      #expect(try await world.list(organization).elements.isEmpty)
    }
  }

  @Test("name a session of the organization that the member is assigned to", arguments: StorageFactory.all)
  func sessions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization)
      let assigned = try await world.addSession(in: organization, assignees: [member])
      let unassigned = try await world.addSession(in: organization, assignees: [organization.admin])
      let foreign = try await world.addSession(in: other, assignees: [other.admin])
      for session in [foreign, world.id()] {
        for needsAssignment in [true, false] {
          let entry = world.entry(of: member, in: organization, from: .hour(0), to: nil, session: session)
          await #expect(throws: TimeclockError.sessionNotFound) {
            try await world.keep(entry, of: member, needsSessionAssignment: needsAssignment)
          }
        }
      }
      let first = world.entry(
        of: member, in: organization, from: .hour(0), to: .hour(1), session: unassigned)
      await #expect(throws: TimeclockError.sessionNotAssigned) { try await world.keep(first, of: member) }
      #expect(try await world.list(organization).elements.isEmpty)
      try await world.keep(first, of: member, needsSessionAssignment: false)
      let second = world.entry(of: member, in: organization, from: .hour(1), to: nil, session: assigned)
      try await world.keep(second, of: member)
      #expect(try await world.list(organization).elements.map(\.sessionID) == [assigned, unassigned])
    }
  }

  @Test("are refused for the first reason that the protocol names", arguments: StorageFactory.all)
  func orderOfRefusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let active = try await world.keep(member, in: organization, from: .hour(0), to: nil)
      let session = try await world.addSession(in: organization, assignees: [])
      var entry = world.entry(of: member, in: organization, from: .hour(1), to: nil, session: world.id())
      await #expect(throws: TimeclockError.sessionNotFound) { try await world.keep(entry, of: member) }
      entry.sessionID = session
      await #expect(throws: TimeclockError.sessionNotAssigned) { try await world.keep(entry, of: member) }
      entry.sessionID = nil
      await #expect(throws: TimeclockError.alreadyClockedIn(active: active)) {
        try await world.keep(entry, of: member)
      }
      entry.clockOutTime = .hour(2)
      await #expect(throws: TimeclockError.overlap([active], count: 1)) {
        try await world.keep(entry, of: member)
      }
      entry.sessionID = world.id()
      try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) { try await world.keep(entry, of: member) }
    }
  }
}
