import Synchronization
import Testing
import TimeclockDomain

@Suite("Timers in a storage")
struct TimerStorageTests {
  /// A timer with a value in every column.
  private static func full(
    _ world: World, _ organization: TestOrganization, _ phase: ActiveTimer.Phase = .running
  ) async throws -> MemberTimer {
    let project = try await world.keepProject(in: organization)
    let task = try await world.keep(world.task(organization, in: project), in: organization)
    var timer = world.timer(at: 1, hours: 2)
    timer.active?.phase = phase
    timer.active?.lastStartTime = .hour(1.5)
    timer.active?.pausedMilliseconds = 1_001
    timer.active?.adjustedMilliseconds = -60_000
    timer.active?.wasAdjusted = true
    timer.active?.pausesInBackground = true
    timer.active?.backgroundSince = .hour(1.75)
    timer.active?.label = "Grüße 👩🏽‍🏭 e\u{301}"
    timer.active?.projectID = project.id
    timer.active?.taskID = task.id
    timer.active?.subject = TimerSubject(id: "bench/1", name: "Bankdrücken 🏋️")
    timer.streak = 3
    timer.lastFocusEnd = .hour(0.5)
    timer.autoStarts = 2
    timer.routine = TimerRoutine(
      name: "Montag \"A\"", startTime: .hour(-1), currentItem: "Kniebeuge / tief", currentSet: 2,
      totalSets: 999,
      itemsCompleted: 1, totalItems: 5)
    timer.settings = settings
    timer.lastCommandTime = .hour(1.25)
    timer.past = TimerPast(
      active: timer.active, streak: 2, lastFocusEnd: .hour(0.25), autoStarts: 1, updatedAt: .hour(1.1),
      sessions: [world.id(), world.id()], sets: 3)
    timer.version = 9_007_199_254_740_991
    timer.updatedAt = .hour(2)
    return timer
  }

  /// No setting has its default.
  private static var settings: TimerSettings {
    var settings = TimerSettings()
    settings.focusSeconds = 1
    settings.shortBreakSeconds = 28_800
    settings.longBreakSeconds = 28_799
    settings.sessionsBeforeLongBreak = 20
    settings.isCountdown = false
    settings.breaksEnabled = false
    settings.longBreaksEnabled = false
    settings.autoStartFocus = true
    settings.autoStartBreak = true
    settings.autoStartMaximum = 0
    settings.countUpLimitSeconds = 54_000
    settings.restEnabled = false
    settings.restSeconds = 7
    settings.restBySubject = ["bench/1": 120, "Über \"uns\"": 1]
    settings.pauseInBackground = true
    settings.version = 12
    return settings
  }

  @Test(
    "come back as they were kept, in every phase and by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      #expect(try await world.storage.timer(of: member.key) == nil)
      var timers = [
        try await Self.full(world, organization),
        try await Self.full(world, organization, .paused(since: .hour(1.8), byBackground: true)),
        try await Self.full(world, organization, .paused(since: .hour(1.8), byBackground: false)),
        try await Self.full(world, organization, .finished(at: .hour(1.9))), world.timer(),
      ]
      #expect(emptyFields(of: timers[0]) == [])
      #expect(emptyFields(of: try #require(timers[0].active)) == [])
      #expect(emptyFields(of: try #require(timers[0].past)) == [])
      var pastNothing = timers[0]
      pastNothing.past = TimerPast(
        active: nil, streak: 0, lastFocusEnd: nil, autoStarts: 0, updatedAt: .hour(0))
      timers.append(pastNothing)
      #expect(equalFields(of: Self.settings, .standard) == [])
      var countingUp = timers[0]
      countingUp.active?.endTime = nil
      var none = timers[0]
      none.active = nil
      timers += [countingUp, none]
      for (index, timer) in timers.enumerated() {
        try await world.keep(timer, of: member)
        #expect(try await world.storage.timer(of: member.key) == timer, "\(index)")
        let changed = try await world.storage.changeTimer(of: member.key, recording: nil) { $0.timer }
        #expect(changed == timer, "\(index)")
        #expect(try await world.storage.nextDueTimer() == timer.dueAt, "\(index)")
        let due = Mutex<[MemberTimer]>([])
        let none = try await world.storage.changeDueTimers(at: .latest, limit: 9) { change in
          due.withLock { $0 = [change.timer] }
        }
        #expect(none.isEmpty)
        #expect(due.withLock { $0 } == (timer.active == nil ? [] : [timer]), "\(index)")
      }
      // Nobody else has one, and the log knows of none.
      #expect(try await world.storage.timer(of: organization.admin.key) == nil)
      #expect(try await world.changes(organization).allSatisfy { $0.context.operation == "test" })
      let kinds = try await world.changes(organization).map { $0.resource.rawValue }
      #expect(!kinds.contains { $0.contains("imer") })
    }
  }

  @Test(
    "change as a whole or not at all, and each change builds upon the one before, the first one too",
    arguments: StorageFactory.all)
  func changes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let outcomes = await concurrently(16) { number in
        try await world.storage.changeTimer(of: member.key, recording: nil) { change in
          change.timer.streak += 1
          change.timer.version += 1
          change.sessions = [world.timerSession(at: Double(number))]
          return change.timer.version
        }
      }
      #expect(try Set(outcomes.map { try $0.get() }) == Set(1...16))
      let timer = try #require(try await world.storage.timer(of: member.key))
      #expect(timer.streak == 16 && timer.version == 16)
      #expect(try await world.timerSessions(of: member).count == 16)
      await #expect(throws: TimeclockError.noTimer) {
        try await world.storage.changeTimer(of: member.key, recording: nil) { change in
          change.timer.streak = 0
          change.sessions = [world.timerSession(at: 20)]
          throw TimeclockError.noTimer
        }
      }
      #expect(try await world.storage.timer(of: member.key) == timer)
      #expect(try await world.timerSessions(of: member).count == 16)
    }
  }

  @Test("keep the answer to a request, even if nothing else changes", arguments: StorageFactory.all)
  func answers(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      for (number, isChanged) in [true, false].enumerated() {
        let key = IdempotencyKey(digest: world.digest().bytes, user: member.key.user)
        let recording = AnswerRecording<Int>(key: key, time: World.start) { value in
          RecordedAnswer(
            fingerprint: world.digest().bytes, salt: nil, status: 200, entityTag: nil, location: nil,
            body: [UInt8(value)])
        }
        func change() async throws -> Int {
          try await world.storage.changeTimer(of: member.key, recording: recording) { change in
            if isChanged { change.timer.version += 1 }
            return number
          }
        }
        #expect(try await change() == number)
        await #expect(throws: AnsweredBefore.self) { _ = try await change() }
        #expect(
          try await world.storage.recordedAnswer(for: key, at: World.start)?.body == [UInt8(number)])
        #expect(try await world.storage.timer(of: member.key)?.version == 1)
      }
    }
  }

  @Test(
    "are brought to the present once, the first ones first, by any process", arguments: StorageFactory.all)
  func due(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (first, second) = (try await world.organization(), try await world.organization())
      var members: [TestMember] = []
      for number in 0..<40 {
        let member = try await world.member(of: number.isMultiple(of: 2) ? first : second)
        try await world.keep(world.timer(hours: Double(number + 1)), of: member)
        members.append(member)
      }
      #expect(try await world.storage.nextDueTimer() == .hour(1))
      @Sendable func finish(_ limit: Int) async throws -> [ChangedTimer] {
        try await world.storage.changeDueTimers(at: .hour(30), limit: limit) { change in
          guard let active = change.timer.active, let end = active.endTime else { return }
          var session = world.timerSession(at: 0)
          session.endTime = end
          change.sessions = [session]
          change.timer.active = nil
          change.timer.version += 1
          change.timer.updatedAt = end
        }
      }
      let three = try await finish(3)
      #expect(three.map(\.timer.updatedAt) == [.hour(1), .hour(2), .hour(3)])
      #expect(three.map(\.member) == members.prefix(3).map(\.key))
      #expect(three.allSatisfy { $0.sessions.count == 1 && $0.timer.version == 2 })
      #expect(try await world.storage.nextDueTimer() == .hour(4))
      // Several programs at once; a timer that one of them is changing is none of the others'.
      let outcomes = await concurrently(8) { _ in
        var changed: [ChangedTimer] = []
        while try await world.storage.nextDueTimer() ?? .latest <= .hour(30) {
          changed += try await finish(4)
        }
        return changed
      }
      let changed = try three + outcomes.flatMap { try $0.get() }
      #expect(changed.count == 30)
      #expect(Set(changed.map(\.member)) == Set(members.prefix(30).map(\.key)))
      #expect(try await world.storage.nextDueTimer() == .hour(31))
      for (number, member) in members.enumerated() {
        let count = try await world.timerSessions(of: member).count
        #expect(count == (number < 30 ? 1 : 0))
        #expect(try await world.storage.timer(of: member.key)?.version == (number < 30 ? 2 : 1))
      }
    }
  }

  @Test("leave one session, however often any process notices their end", arguments: StorageFactory.all)
  func once(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let outcomes = await concurrently(8) { _ in
        try await world.storage.changeTimer(of: member.key, recording: nil) { change in
          change.timer.version += 1
          change.sessions = [world.timerSession(at: 1), world.timerSession(at: 1, .rest)]
        }
      }
      for outcome in outcomes { _ = try outcome.get() }
      let sessions = try await world.timerSessions(of: member)
      #expect(sessions.map(\.type) == [.rest, .focus])
      // Not so another member's.
      try await world.keep(world.timer(), [world.timerSession(at: 1)], of: organization.admin)
      #expect(try await world.timerSessions(of: organization.admin).count == 1)
    }
  }

  @Test("take sessions back, their own alone, and leave others in their place", arguments: StorageFactory.all)
  func retractions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let sessions = [world.timerSession(at: 1), world.timerSession(at: 2), world.timerSession(at: 3)]
      let foreign = world.timerSession(at: 1)
      try await world.keep(world.timer(), sessions, of: member)
      try await world.keep(world.timer(), [foreign], of: other)
      var again = sessions[1]
      again.endTime = .hour(2.75)
      try await world.storage.changeTimer(of: member.key, recording: nil) { [again] change in
        change.retracted = [sessions[1].id, sessions[2].id, foreign.id, world.id()]
        change.sessions = [again]
      }
      #expect(try await world.timerSessions(of: member) == [again, sessions[0]])
      #expect(try await world.timerSessions(of: other) == [foreign])
    }
  }

  @Test(
    "notify listeners of each change, after the commit, and of nothing else", arguments: StorageFactory.all)
  func announcements(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let own = Atomic(0)
      let foreign = Atomic(0)
      let dues = Mutex<[Instant]>([])
      let listening = (
        world.storage.listen(toTimerOf: member.key) { own.add(1, ordering: .relaxed) },
        world.storage.listen(toTimerOf: other.key) { foreign.add(1, ordering: .relaxed) },
        world.storage.listenToDueTimers { due in
          if let due { dues.withLock { $0.append(due) } }
        }
      )
      // Some may come for nothing, when a storage begins to hear of other processes.
      let (before, foreignBefore) = (own.load(ordering: .relaxed), foreign.load(ordering: .relaxed))
      try await world.keep(world.timer(hours: 2), of: member)
      #expect(own.load(ordering: .relaxed) > before)
      #expect(dues.withLock { $0 }.contains(.hour(2)))
      _ = try await world.storage.changeDueTimers(at: .hour(2), limit: 9) { change in
        change.timer.active = nil
        change.timer.version += 1
      }
      #expect(own.load(ordering: .relaxed) > before + 1)
      let count = own.load(ordering: .relaxed)
      try await world.storage.changeTimer(of: member.key, recording: nil) { _ in }
      await #expect(throws: TimeclockError.noTimer) {
        try await world.storage.changeTimer(of: member.key, recording: nil) { change in
          change.timer.version += 1
          throw TimeclockError.noTimer
        }
      }
      #expect(own.load(ordering: .relaxed) <= count + 1)
      #expect(foreign.load(ordering: .relaxed) <= foreignBefore + 1)
      withExtendedLifetime(listening) {}
    }
  }

  @Test(
    "show nothing of a project or a task that is gone, which they are not in the way of",
    arguments: StorageFactory.all)
  func goneWork(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let timer = try await Self.full(world, organization)
      var session = world.timerSession(at: 0)
      (session.projectID, session.taskID) = (timer.active?.projectID, timer.active?.taskID)
      try await world.keep(timer, [session], of: member)
      #expect(try await world.timerSessions(of: member) == [session])
      let project = try #require(session.projectID)
      let task = try #require(session.taskID)
      try await world.storage.deleteTask(
        TaskUpdate(id: task, organization: organization.key, expectedVersion: nil, context: .test()))
      var expected = timer
      expected.active?.taskID = nil
      session.taskID = nil
      #expect(try await world.storage.timer(of: member.key) == expected)
      #expect(try await world.timerSessions(of: member) == [session])
      try await world.storage.deleteProject(
        ProjectUpdate(id: project, organization: organization.key, expectedVersion: nil, context: .test()),
        mode: nil)
      expected.active?.projectID = nil
      session.projectID = nil
      #expect(try await world.storage.timer(of: member.key) == expected)
      #expect(try await world.storage.timerSession(session.id, of: member.key) == session)
      // It goes on.
      expected.version = 5
      try await world.keep(expected, of: member)
      #expect(try await world.storage.timer(of: member.key) == expected)
    }
  }

  @Test("go with who is anonymized, and with the organization", arguments: StorageFactory.all)
  func erasure(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      for person in [member, other] {
        try await world.keep(
          try await Self.full(world, organization), [world.timerSession(at: 0)], of: person)
      }
      try await world.update(member, in: organization) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(member.id, in: organization.key, context: .test())
      #expect(try await world.storage.timer(of: member.key) == nil)
      #expect(try await world.timerSessions(of: member).isEmpty)
      // A command that comes too late brings nothing back.
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.keep(world.timer(), of: member)
      }
      #expect(try await world.storage.timer(of: other.key) != nil)
      #expect(try await world.timerSessions(of: other).count == 1)
      _ = try await world.storage.updateOrganization(
        organization.key, expectedVersion: nil, context: .test()
      ) { $0.state = .deleting }
      while try await world.storage.deleteRecords(of: organization.key, limit: 1) > 0 {}
      #expect(try await world.storage.timer(of: other.key) == nil)
      #expect(try await world.timerSessions(of: other).isEmpty)
      #expect(try await world.storage.nextDueTimer() == nil)
    }
  }
}
