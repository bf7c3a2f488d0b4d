import Testing
import TimeclockDomain

@Suite("Changing and deleting entries in a storage")
struct EditingTests {
  @Test("changes what may change, and nothing else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let session = try await world.addSession(in: organization, assignees: [member])
      let entry = try await world.keep(member, in: organization, from: .hour(1), to: .hour(2))
      let changed = try await world.storage.updateTimeEntry(
        Self.update(entry, organization, version: 1, at: .hour(30))
      ) { entry in
        entry.clockInTime = .hour(-20)
        entry.clockOutTime = .hour(-19)
        entry.date = Instant.hour(-20).utcDate
        entry.timeZone = zone("Asia/Kathmandu")
        entry.offsetSeconds = 20_700
        entry.sessionID = session
        entry.notes = Notes(stored: "𝄞 new")
        entry.flags = .autoClosed
        // None of the storage's business, or of the caller's.
        entry.id = TimeEntryID(high: 1, low: 1)
        entry.userID = UserID(high: 1, low: 1)
        entry.source = .kiosk
        entry.version = 40
        entry.createdAt = .hour(9)
      }
      var expected = entry
      expected.clockInTime = .hour(-20)
      expected.clockOutTime = .hour(-19)
      expected.date = Instant.hour(-20).utcDate
      expected.timeZone = zone("Asia/Kathmandu")
      expected.offsetSeconds = 20_700
      expected.sessionID = session
      expected.notes = Notes(stored: "𝄞 new")
      expected.flags = .autoClosed
      expected.version = 2
      expected.updatedAt = .hour(30)
      #expect(
        equalFields(of: entry, expected) == [
          "id", "userID", "organizationID", "source", "isSourceShown", "createdAt",
        ])
      #expect(changed == expected)
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == expected)
      #expect(try await world.listAll(organization, pageSize: 10) == [expected])
      let same = try await world.storage.updateTimeEntry(Self.update(expected, organization, at: .hour(31))) {
        _ in
      }
      #expect(same == expected)
    }
  }

  @Test("is refused with everything left as it was", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let theirs = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(1), to: .hour(2))
      let next = try await world.keep(member, in: organization, from: .hour(3), to: .hour(4))
      let closed = try await world.addSession(in: organization, assignees: [])
      let elsewhere = try await world.addSession(in: theirs, assignees: [theirs.admin])
      let cases: [(TimeclockError, Int64?, OrganizationKey, @Sendable (inout TimeEntry) throws -> Void)] = [
        (.changed(current: entry.current), 2, organization.key, { $0.notes = Notes(stored: "x") }),
        (.notFound(.timeEntry), nil, theirs.key, { $0.notes = Notes(stored: "x") }),
        (.entryActive, nil, organization.key, { _ in throw TimeclockError.entryActive }),
        (.sessionNotAssigned, nil, organization.key, { $0.sessionID = closed }),
        (.sessionNotFound, nil, organization.key, { $0.sessionID = elsewhere }),
        (.overlap([next], count: 1), nil, organization.key, { $0.clockOutTime = .hour(3.5) }),
      ]
      for (error, version, key, change) in cases {
        await #expect(throws: error) {
          try await world.storage.updateTimeEntry(
            TimeEntryUpdate(
              id: entry.id, organization: key, expectedVersion: version, needsSessionAssignment: true,
              context: .test()), change)
        }
      }
      for (error, version, key) in [
        (TimeclockError.changed(current: entry.current), 2, organization.key),
        (.notFound(.timeEntry), 1, theirs.key),
      ] as [(TimeclockError, Int64, OrganizationKey)] {
        await #expect(throws: error) {
          try await world.storage.deleteTimeEntry(
            TimeEntryUpdate(
              id: entry.id, organization: key, expectedVersion: version, needsSessionAssignment: false,
              context: .test())
          ) { _ in }
        }
      }
      await #expect(throws: TimeclockError.entryActive) {
        try await world.storage.deleteTimeEntry(Self.update(entry, organization)) { _ in
          throw TimeclockError.entryActive
        }
      }
      #expect(try await world.listAll(organization, pageSize: 10) == [next, entry])
    }
  }

  @Test("may move an entry into its own span, and up to its neighbors", arguments: StorageFactory.all)
  func neighbors(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      try await world.keep(member, in: organization, from: .hour(0), to: .hour(1))
      let entry = try await world.keep(member, in: organization, from: .hour(1.25), to: .hour(1.5))
      try await world.keep(member, in: organization, from: .hour(2), to: nil)
      for (begin, end) in [(1.0, 2.0), (1.25, 1.75), (1.0, 1.5)] {
        let moved = try await world.storage.updateTimeEntry(Self.update(entry, organization)) { entry in
          entry.clockInTime = .hour(begin)
          entry.clockOutTime = .hour(end)
        }
        #expect(moved.clockInTime == .hour(begin) && moved.clockOutTime == .hour(end))
      }
      let overlaps = try await world.storage.overlaps(
        of: member.key, from: .hour(0.5), to: .hour(3), excluding: entry.id)
      #expect(overlaps.count == 2 && overlaps.entries.map(\.clockInTime) == [.hour(0), .hour(2)])
    }
  }

  @Test("of 16 changes to one version one wins, and the others learn of it", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let entry = try await world.keep(organization.admin, in: organization, from: .hour(1), to: .hour(2))
      let outcomes = await concurrently(16) { number in
        try await world.storage.updateTimeEntry(Self.update(entry, organization, version: 1)) { entry in
          entry.notes = Notes(stored: "\(number)")
        }
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == winners.first.map { .changed(current: $0.current) })
      }
    }
  }

  @Test("leaves nothing of a deleted entry, and room where it was", arguments: StorageFactory.all)
  func delete(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let entry = try await world.keep(organization.admin, in: organization, from: .hour(1), to: .hour(2))
      try await world.storage.deleteTimeEntry(Self.update(entry, organization, version: 1)) { found in
        #expect(found == entry)
      }
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == nil)
      await #expect(throws: TimeclockError.notFound(.timeEntry)) {
        try await world.storage.deleteTimeEntry(Self.update(entry, organization)) { _ in }
      }
      let again = try await world.keep(organization.admin, in: organization, from: .hour(1), to: .hour(2))
      #expect(try await world.listAll(organization, pageSize: 10) == [again])
    }
  }

  private static func update(
    _ entry: TimeEntry, _ organization: TestOrganization, version: Int64? = nil,
    at time: Instant = World.start
  ) -> TimeEntryUpdate {
    TimeEntryUpdate(
      id: entry.id, organization: organization.key, expectedVersion: version, needsSessionAssignment: true,
      context: .test(at: time))
  }
}
