import Testing
import TimeclockDomain

@Suite("Clocking out in a storage")
struct ClockOutTests {
  @Test("closes the active entry", arguments: StorageFactory.all)
  func close(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      var entry = world.entry(of: member, in: organization, from: .hour(0), to: nil)
      entry.notes = Notes(stored: "from the clock-in")
      entry.version = 4
      try await world.keep(entry, of: member)
      let closed = try await world.clockOut(member, at: .hour(8), now: .hour(8.25))
      var expected = entry
      expected.clockOutTime = .hour(8)
      expected.version = 5
      expected.updatedAt = .hour(8.25)
      #expect(closed == expected)
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == expected)
      #expect(try await world.storage.activeTimeEntry(of: member.key) == nil)
      #expect(try await world.list(organization, member).elements == [expected])
      await #expect(throws: TimeclockError.notClockedIn) {
        try await world.clockOut(member, at: .hour(9))
      }
      // And in again, from where it ended.
      try await world.keep(member, in: organization, from: .hour(8), to: nil)
    }
  }

  @Test("replaces the notes if there are new ones", arguments: StorageFactory.all)
  func notes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let cases: [(before: String?, new: String?, after: String?)] = [
        (nil, nil, nil), ("old", nil, "old"), (nil, "new 🌒", "new 🌒"), ("old", "new", "new"),
      ]
      for (number, notes) in cases.enumerated() {
        let begin = Double(number)
        var entry = world.entry(of: member, in: organization, from: .hour(begin), to: nil)
        entry.notes = notes.before.map(Notes.init(stored:))
        try await world.keep(entry, of: member)
        let closed = try await world.clockOut(
          member, at: .hour(begin + 1), notes: notes.new.map(Notes.init(stored:)))
        #expect(closed.notes?.text == notes.after)
        #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == closed)
      }
    }
  }

  @Test("judges the length by the policy it is given", arguments: StorageFactory.all)
  func flags(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let policy = Policy(
        minimumSeconds: 600, maximumSeconds: 7_200, editWindowDays: 1, lookBackHours: 1,
        notesMaximumCharacters: 1)
      let cases: [(milliseconds: Int64, flags: TimeEntryFlags)] = [
        (599_999, .underMinimum), (600_000, []), (7_200_000, []), (7_200_001, .overMaximum),
        (340 * 3_600_000, .overMaximum),
      ]
      for (milliseconds, flags) in cases {
        let member = try await world.member(of: organization)
        let entry = try await world.keep(member, in: organization, from: .hour(0), to: nil)
        let end = World.start.adding(milliseconds: milliseconds)
        #expect(try await world.clockOut(member, at: end, policy: policy).flags == flags)
        #expect(try await world.storage.timeEntry(entry.id, in: organization.key)?.flags == flags)
      }
    }
  }

  @Test("always works at an unstated time, and never ends before it began", arguments: StorageFactory.all)
  func times(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(1), to: nil)
      for time in [Instant.hour(1), .hour(0)] {
        await #expect(throws: TimeclockError.endNotAfterStart) {
          try await world.clockOut(member, at: time)
        }
      }
      #expect(try await world.storage.activeTimeEntry(of: member.key) == entry)
      let closed = try await world.clockOut(member, at: .hour(0), isStated: false)
      #expect(closed.clockOutTime == Instant.hour(1).adding(milliseconds: 1))
      #expect(closed.flags == .underMinimum)
      try await world.keep(member, in: organization, from: .hour(2), to: nil)
      let next = try await world.clockOut(
        member, at: Instant.hour(2).adding(milliseconds: 1), isStated: true)
      #expect(next.clockOutTime == Instant.hour(2).adding(milliseconds: 1))
    }
  }

  @Test("closes the member's own entry in this organization only", arguments: StorageFactory.all)
  func others(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(admin: world.account(email: "d@x.example"))
      let other = try await world.organization(admin: world.account(email: "d@x.example"))
      let colleague = try await world.member(of: organization)
      let running = [
        try await world.keep(colleague, in: organization, from: .hour(0), to: nil),
        try await world.keep(other.admin, in: other, from: .hour(0), to: nil),
      ]
      await #expect(throws: TimeclockError.notClockedIn) {
        try await world.clockOut(organization.admin, at: .hour(1))
      }
      #expect(try await world.storage.activeTimeEntry(of: colleague.key) == running[0])
      #expect(try await world.storage.activeTimeEntry(of: other.admin.key) == running[1])
    }
  }
}
