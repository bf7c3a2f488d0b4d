import Testing
import TimeclockDomain

@Suite("Sessions of timers in a storage")
struct TimerSessionTests {
  /// A session with a value in every field.
  private static func full(_ world: World, _ organization: TestOrganization) async throws -> TimerSession {
    let project = try await world.keepProject(in: organization)
    let task = try await world.keep(world.task(organization, in: project), in: organization)
    var session = world.timerSession(at: 1, .longBreak)
    session.durationMinutes = 31
    session.interruptionsMinutes = 7
    session.seconds = 1_799
    session.label = "Lesen 📚 e\u{301}"
    session.projectID = project.id
    session.taskID = task.id
    session.outcome = .skipped
    session.notes = Notes(stored: "Kapitel 4 &lt;\n")
    session.isArchived = true
    session.createdAt = .hour(99)
    return session
  }

  @Test(
    "come back as they were kept, are changed where they may be, and are deleted",
    arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let session = try await Self.full(world, organization)
      #expect(emptyFields(of: session) == [])
      try await world.keep(world.timer(), [session], of: member)
      #expect(try await world.storage.timerSession(session.id, of: member.key) == session)
      #expect(try await world.timerSessions(of: member) == [session])
      let other = try await Self.full(world, organization)
      let changed = try await world.storage.updateTimerSession(session.id, of: member.key) { session in
        session = other
        session.label = "Anderes"
        session.notes = Notes(stored: "Kapitel 5")
        session.isArchived = false
      }
      var expected = session
      expected.label = "Anderes"
      (expected.projectID, expected.taskID) = (other.projectID, other.taskID)
      expected.notes = Notes(stored: "Kapitel 5")
      expected.isArchived = false
      #expect(
        equalFields(of: session, expected) == [
          "id", "type", "startTime", "endTime", "durationMinutes", "interruptionsMinutes", "seconds",
          "outcome",
          "createdAt",
        ])
      #expect(changed == expected)
      #expect(try await world.timerSessions(of: member) == [expected])
      await #expect(throws: TimeclockError.noTimer) {
        _ = try await world.storage.updateTimerSession(session.id, of: member.key) { session in
          session.label = nil
          throw TimeclockError.noTimer
        }
      }
      // A session is nobody else's, for any caller.
      for person in [organization.admin, try await world.member(of: organization)] {
        #expect(try await world.storage.timerSession(session.id, of: person.key) == nil)
        await #expect(throws: TimeclockError.timerSessionNotFound) {
          _ = try await world.storage.updateTimerSession(session.id, of: person.key) { $0.label = nil }
        }
        await #expect(throws: TimeclockError.timerSessionNotFound) {
          try await world.storage.deleteTimerSession(session.id, of: person.key)
        }
      }
      #expect(try await world.timerSessions(of: member) == [expected])
      try await world.storage.deleteTimerSession(session.id, of: member.key)
      #expect(try await world.timerSessions(of: member).isEmpty)
      await #expect(throws: TimeclockError.timerSessionNotFound) {
        try await world.storage.deleteTimerSession(session.id, of: member.key)
      }
      let log = try await world.changes(organization)
      #expect(
        !log.contains {
          $0.resource != .member && $0.resource != .organization && $0.resource != .project
            && $0.resource != .task
        })
    }
  }

  @Test("are listed by their start, the newest first, in pages of any size", arguments: StorageFactory.all)
  func pages(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let sessions = (0..<7).flatMap { hour in
        // As many as there are types begin at once.
        (hour == 3 ? TimerType.allCases : [.focus]).map { world.timerSession(at: Double(hour), $0) }
      }
      try await world.keep(world.timer(), sessions.shuffled(), of: member)
      try await world.keep(world.timer(), [world.timerSession(at: 3)], of: organization.admin)
      let expected = sessions.sorted {
        ($0.startTime, $0.type.rawValue) > ($1.startTime, $1.type.rawValue)
      }
      for size in 1...expected.count + 1 {
        #expect(try await world.timerSessions(of: member, pageSize: size) == expected, "\(size)")
      }
      for (start, end) in [(1, 4), (3, 3), (0, 7), (9, 20)] as [(Double, Double)] {
        let found = try await world.timerSessions(of: member, from: .hour(start), to: .hour(end), pageSize: 2)
        #expect(found == expected.filter { $0.startTime >= .hour(start) && $0.startTime < .hour(end) })
      }
      // A place that a client has made up.
      for row in [Int64.min, -7, 0, .max] {
        let page = try await world.storage.timerSessions(
          TimerSessionQuery(member: member.key, cursor: RowCursor(row: row), limit: 100))
        #expect(page.elements == (row == .max ? expected : []))
      }
    }
  }

  @Test(
    "are deleted in parts, the oldest first, before an instant or all of them", arguments: StorageFactory.all)
  func deletion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let sessions = (0..<7).map { world.timerSession(at: Double($0)) }
      try await world.keep(world.timer(), sessions, of: member)
      try await world.keep(world.timer(), [world.timerSession(at: 0)], of: organization.admin)
      func delete(before time: Instant?, limit: Int) async throws -> Int {
        try await world.storage.deleteTimerSessions(of: member.key, before: time, limit: limit)
      }
      #expect(try await delete(before: .hour(3), limit: 2) == 2)
      #expect(try await world.timerSessions(of: member) == sessions.dropFirst(2).reversed())
      #expect(try await delete(before: .hour(3), limit: 2) == 1)
      #expect(try await delete(before: .hour(3), limit: 2) == 0)
      #expect(try await delete(before: nil, limit: 100) == 4)
      #expect(try await world.timerSessions(of: member).isEmpty)
      #expect(try await world.timerSessions(of: organization.admin).count == 1)
      // The timer stays.
      #expect(try await world.storage.timer(of: member.key) != nil)
    }
  }

  @Test(
    "are kept for as long as their organization's policy says, to the millisecond",
    arguments: StorageFactory.all)
  func retention(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var policy = Policy.standard
      policy.timerSessionDays = 2
      let short = try await world.organization(policy: policy)
      policy.timerSessionDays = 3
      let long = try await world.organization(policy: policy)
      // They end at the half hours.
      let sessions = [0.0, 1, 2].map { world.timerSession(at: $0) }
      for organization in [short, long] {
        try await world.keep(world.timer(), sessions, of: organization.admin)
      }
      func delete(at now: Instant, limit: Int = 100) async throws -> Int {
        try await world.storage.deleteExpiredTimerSessions(at: now, limit: limit)
      }
      func left(_ organization: TestOrganization) async throws -> Int {
        try await world.timerSessions(of: organization.admin).count
      }
      #expect(try await delete(at: .hour(48.5)) == 0)
      #expect(try await delete(at: .hour(48.5).adding(milliseconds: 1)) == 1)
      #expect(try await world.timerSessions(of: short.admin) == sessions.dropFirst().reversed())
      #expect(try await left(long) == 3)
      #expect(try await delete(at: .hour(100), limit: 4) == 4)
      #expect(try await delete(at: .hour(100), limit: 4) == 1)
      #expect(try await delete(at: .hour(100), limit: 4) == 0)
      #expect(try await left(short) == 0)
      #expect(try await left(long) == 0)
    }
  }
}
