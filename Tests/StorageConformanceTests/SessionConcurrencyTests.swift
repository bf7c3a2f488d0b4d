import Testing
import TimeclockDomain

@Suite("Sessions under concurrent writers")
struct SessionConcurrencyTests {
  @Test("of 8 changes to one version one wins, and the others learn of it", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let session = world.session(in: organization)
      try await world.keep(session, in: organization)
      let outcomes = await concurrently(8) { number in
        try await world.change(
          session, in: organization, version: 1, assignees: number % 2 == 0 ? [member.id] : nil
        ) { $0.title = "\(number)" }
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == winners.first.map { .changed(current: $0.current) })
      }
      #expect(try await world.storage.session(session.id, in: organization.key) == winners.first)
    }
  }

  /// A member whose clock-in succeeds has an entry, and no entry refers to a session that is gone.
  @Test("a session is deleted, or people clock in with it, but never both", arguments: StorageFactory.all)
  func clockInAndDeletion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<6 { members.append(try await world.member(of: organization)) }
      for round in 0..<24 {
        let detaching = round % 2 == 0
        let session = world.session(in: organization, assignees: members)
        try await world.keep(session, in: organization)
        let outcomes = await concurrently(members.count + 1) { [members] number -> TimeEntry? in
          guard number < members.count else {
            try await world.delete(session, in: organization, detaching: detaching)
            return nil
          }
          let entry = world.entry(
            of: members[number], in: organization, from: .hour(Double(round)), to: .hour(Double(round) + 1),
            session: session.id)
          return try await world.keep(entry, of: members[number])
        }
        try await Self.expectSound(
          outcomes, of: session, isDetached: detaching, at: round, in: organization, world)
      }
    }
  }

  private static func expectSound(
    _ outcomes: [Result<TimeEntry?, any Error>], of session: Session, isDetached: Bool, at round: Int,
    in organization: TestOrganization, _ world: World
  ) async throws {
    let made = outcomes.compactMap { try? $0.get() }
    let isThere = try await world.storage.session(session.id, in: organization.key) != nil
    for (number, outcome) in outcomes.enumerated() {
      guard case .failure(let error) = outcome else { continue }
      if number == outcomes.count - 1 {
        // It finds those that were made before it.
        guard case .sessionInUse(let count)? = error as? TimeclockError else {
          Issue.record("\(error)")
          continue
        }
        #expect(!isDetached && isThere && (1...made.count).contains(count))
      } else {
        #expect(error as? TimeclockError == .sessionNotFound)
        #expect(!isThere)
      }
    }
    for entry in made {
      let kept = try #require(try await world.storage.timeEntry(entry.id, in: organization.key))
      #expect(kept.sessionID == (isThere ? session.id : nil))
      #expect(kept.version == (isThere ? 1 : 2))
    }
    let listed = try await world.listAll(organization, pageSize: 1_000)
    #expect(listed.filter { $0.clockInTime == .hour(Double(round)) }.count == made.count)
  }

  /// An edit of an entry's notes has nothing to do with its session.
  @Test("an entry is edited though its session is just being deleted", arguments: StorageFactory.all)
  func editsAndDeletion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<6 { members.append(try await world.member(of: organization)) }
      for round in 0..<40 {
        let session = world.session(in: organization, assignees: members)
        try await world.keep(session, in: organization)
        let entries = try await concurrently(members.count) { [members] number in
          try await world.keep(
            members[number], in: organization, from: .hour(Double(round)), to: .hour(Double(round) + 1),
            session: session.id)
        }.map { try $0.get() }
        let outcomes = await concurrently(2 * members.count + 1) { [members] number in
          guard number != members.count else {
            return try await world.delete(session, in: organization, detaching: true)
          }
          let update = TimeEntryUpdate(
            id: entries[number % entries.count].id, organization: organization.key, expectedVersion: nil,
            needsSessionAssignment: true, context: .test())
          _ = try await world.storage.updateTimeEntry(update) { $0.notes = Notes(stored: "\(number)") }
        }
        for outcome in outcomes { #expect(throws: Never.self) { try outcome.get() } }
      }
    }
  }

  /// Edits, clock-ins and changes of the session itself go on while it is deleted; in any order, each succeeds or is
  /// refused for a reason.
  @Test("everything else goes on while a session is deleted", arguments: StorageFactory.all)
  func everythingAtOnce(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<4 { members.append(try await world.member(of: organization)) }
      for round in 0..<12 {
        let session = world.session(in: organization, assignees: members)
        try await world.keep(session, in: organization)
        var entries: [TimeEntry] = []
        for member in members {
          entries.append(
            try await world.keep(
              member, in: organization, from: .hour(Double(round) * 3), to: .hour(Double(round) * 3 + 1),
              session: session.id))
        }
        let outcomes = await concurrently(13) { [members, entries] number in
          let member = members[number % 4]
          switch number / 4 {
          case 0:
            let entry = world.entry(
              of: member, in: organization, from: .hour(Double(round) * 3 + 1),
              to: .hour(Double(round) * 3 + 2), session: session.id)
            _ = try await world.keep(entry, of: member)
          case 1:
            _ = try await world.storage.updateTimeEntry(
              TimeEntryUpdate(
                id: entries[number % 4].id, organization: organization.key, expectedVersion: nil,
                needsSessionAssignment: true, context: .test())
            ) { $0.notes = Notes(stored: "\(number)") }
          case 2:
            try await world.change(session, in: organization, assignees: [member.id]) { $0.title = "B" }
          default: try await world.delete(session, in: organization, detaching: true)
          }
        }
        for (number, outcome) in outcomes.enumerated() {
          guard case .failure(let error) = outcome else { continue }
          let isFair =
            switch error as? TimeclockError {
            case .sessionNotFound, .sessionNotAssigned: number < 4
            case .notFound(.session): number / 4 == 2
            default: false
            }
          #expect(isFair, "\(number): \(error)")
        }
        let left = try await world.listAll(organization, pageSize: 1_000)
        #expect(left.allSatisfy { $0.sessionID == nil })
        #expect(left.count { $0.notes != nil } == 4 * (round + 1))
      }
    }
  }
}
