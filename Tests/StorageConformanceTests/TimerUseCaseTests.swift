import Procedures
import Synchronization
import Testing
import TimeclockDomain

/// Members' use of timers, on a storage, under a clock that is moved by hand.
@Suite("Timers in use")
struct TimerUseCaseTests {
  /// A member with a telephone. Times are seconds after the start of the world.
  private final class Phone: Sendable {
    let timeclock: Timeclock
    let caller: Membership
    private let clock: HandMovedClock

    init(_ world: World, of caller: Membership) {
      let clock = HandMovedClock()
      self.caller = caller
      self.clock = clock
      timeclock = Timeclock(storage: world.storage, clock: WallClock { clock.now })
    }

    func wait(until seconds: Int64) {
      clock.now = World.start.adding(milliseconds: seconds * 1_000)
    }

    func command(
      _ command: TimerCommand, at seconds: Int64, version: Int64? = nil
    ) async throws -> TimerOutcome {
      wait(until: seconds)
      return try await timeclock.command(command, expectedVersion: version, by: caller)
    }

    /// Sends commands, each of a number that stands for its id, at a time.
    ///
    /// - Returns: The outcome of each: `1 applied finished 0`, the timer's state and the sessions that it left.
    func send(_ commands: [(number: UInt8, at: Int64, command: TimerCommand)]) async throws -> [String] {
      let queue = commands.map { number, seconds, command in
        QueuedTimerCommand(
          id: Self.id(number), time: World.start.adding(milliseconds: seconds * 1_000), command: command)
      }
      return try await timeclock.applyTimerCommands(queue, by: caller) { queued in
        TimerCommandKey(
          key: IdempotencyKey(digest: Self.bytes(queued.id.text), user: caller.key.user),
          fingerprint: Self.bytes("\(queued.time.millisecondsSince1970) \(queued.command)"))
      } answer: { result in
        let outcome =
          switch result.outcome {
          case .applied: "applied"
          case .stale: "stale"
          case .refused(let refusal): refusal.code
          }
        let minutes = result.session.map { " \($0.durationMinutes)" } ?? ""
        return Array("\(result.id.text.suffix(2)) \(outcome) \(result.timer.state.rawValue)\(minutes)".utf8)
      }
      .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func id(_ number: UInt8) -> TimerCommandID {
      TimerCommandID("00000000-0000-0000-0000-0000000000\(number < 10 ? "0" : "")\(number)") ?? .none
    }

    /// 32 bytes that no other text of this test has.
    private static func bytes(_ text: String) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 32)
      for (index, byte) in text.utf8.enumerated() { bytes[index % 32] = bytes[index % 32] &* 31 &+ byte }
      return bytes
    }
  }

  private final class HandMovedClock: Sendable {
    private let instant = Mutex(World.start)

    var now: Instant {
      get { instant.withLock { $0 } }
      set { instant.withLock { $0 = newValue } }
    }
  }

  private static func phone(_ world: World, role: Role = .member) async throws -> Phone {
    let organization = try await world.organization()
    let member = try await world.member(of: organization, role: role)
    return Phone(world, of: try await world.authenticate(world.logIn(member), in: organization.id))
  }

  private static let day: [(number: UInt8, at: Int64, command: TimerCommand)] = [
    (1, 0, .start(StartTimerRequest(type: .focus, durationSeconds: 600))),
    (2, 100, .pause), (3, 200, .resume), (4, 300, .adjust(seconds: 60)), (5, 400, .resume), (6, 760, .next),
    (7, 900, .skip), (8, 1_000, .stop), (9, 1_000, .stop),
  ]

  private static let results = [
    "01 applied running", "02 applied paused", "03 applied running", "04 applied running",
    "05 timer_not_paused running", "06 applied running", "07 applied running 2", "08 applied reset 1",
    "09 no_timer reset",
  ]

  @Test("have the effect of a queue once, however it comes", arguments: StorageFactory.all)
  func queue(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      phone.wait(until: 3_600)
      var answers: [String] = []
      // In parts that overlap, then whole, and whole again.
      for part in [Self.day[0..<3], Self.day[1..<6], Self.day[...], Self.day[...]] {
        answers = try await phone.send(Array(part))
      }
      #expect(answers == Self.results)
      let member = TestMember(id: phone.caller.userID, key: phone.caller.key, email: "")
      let sessions = try await world.timerSessions(of: member)
      #expect(sessions.map(\.type) == [.focus, .shortBreak, .focus])
      #expect(sessions.map(\.durationMinutes) == [1, 2, 11])
      #expect(sessions.map(\.interruptionsMinutes) == [0, 0, 1])
      #expect(sessions.allSatisfy { $0.createdAt == World.start.adding(milliseconds: 3_600_000) })
    }
  }

  @Test("have the effect of a queue once when it comes many times at once", arguments: StorageFactory.all)
  func simultaneousQueues(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      phone.wait(until: 3_600)
      // Adjustments, which would add up.
      let queue: [(number: UInt8, at: Int64, command: TimerCommand)] =
        [(1, 3_500, .start(StartTimerRequest(type: .focus, durationSeconds: 600)))]
        + (2..<10).map { ($0, 3_500, .adjust(seconds: 60)) }
      await withTaskGroup { group in
        for first in 0..<8 {
          group.addTask {
            // Other firsts and other lasts.
            _ = try? await phone.send(Array(queue[0...first]))
            _ = try? await phone.send(Array(queue[(first / 2)...(first + 1)]))
          }
        }
      }
      #expect(
        try await phone.send(queue)
          == (1..<10).map { "0\($0) applied running" })
      let timer = try #require(try await world.storage.timer(of: phone.caller.key))
      #expect(timer.active?.adjustedMilliseconds == 480_000)
      #expect(timer.version == 9)
    }
  }

  @Test("answer what is stale, reused, or out of time", arguments: StorageFactory.all)
  func refusedCommands(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      _ = try await phone.command(
        .start(StartTimerRequest(type: .focus, durationSeconds: 20_000)), at: 1_000)
      _ = try await phone.command(.pause, at: 2_000)
      let look = Int64(phone.caller.policy.lookBackHours * 3_600)
      #expect(
        try await phone.send([
          (1, 1_999, .resume), (2, 2_000, .resume), (2, 2_000, .stop), (3, 2_120, .adjust(seconds: 60)),
          (4, 2_121, .stop), (5, 2_000 - look, .stop), (6, 2_000 - look - 1, .stop),
          (7, 2_000, .adjust(seconds: 0)), (2, 2_000, .resume),
        ]) == [
          "01 stale paused", "02 applied running", "02 idempotency_key_reused running", "03 applied running",
          "04 in_future running", "05 stale running", "06 too_far_back running",
          "07 invalid_duration running",
          "02 applied running",
        ])
      #expect(try await phone.send([(2, 2_000, .stop)]) == ["02 idempotency_key_reused running"])
      // A time slightly ahead counts as now.
      let timer = try #require(try await world.storage.timer(of: phone.caller.key))
      #expect(timer.updatedAt == World.start.adding(milliseconds: 2_000_000))
      #expect(timer.active?.adjustedMilliseconds == 60_000)
    }
  }

  @Test("keep what time did, though a command is refused", arguments: StorageFactory.all)
  func refusal(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      let started = try await phone.command(
        .start(StartTimerRequest(type: .focus, durationSeconds: 60)), at: 0)
      #expect(started.timer.version == 1 && started.session == nil)
      // Meant for the timer that runs, and it has ended.
      let refusal = await #expect(throws: TimeclockError.self) {
        _ = try await phone.command(.pause, at: 70, version: 1)
      }
      let stored = try #require(try await world.storage.timer(of: phone.caller.key))
      #expect(refusal == .timerChanged(current: .timer(stored)))
      #expect(stored.state == .finished && stored.version == 2)
      let conflict = await #expect(throws: TimeclockError.self) {
        _ = try await phone.command(.pause, at: 71, version: 2)
      }
      #expect(conflict == .timerConflict(.notRunning, stored))
      let current = try await phone.timeclock.currentTimer(for: phone.caller)
      #expect(current.timer == stored && current.lastSession?.id.text == stored.active?.id.text)
      #expect(current.lastSession?.durationMinutes == 1)
      await #expect(throws: TimeclockError.noTimer) { _ = try await phone.command(.next, at: 1_861) }
      #expect(try await world.storage.timer(of: phone.caller.key)?.state == .reset)
    }
  }

  @Test("write nothing if nothing happens", arguments: StorageFactory.all)
  func reading(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      let current = try await phone.timeclock.currentTimer(for: phone.caller)
      #expect(current.timer == .unused && current.lastSession == nil)
      #expect(try await phone.timeclock.timerSettings(for: phone.caller) == .standard)
      try await phone.timeclock.deleteRoutine(by: phone.caller)
      _ = try await phone.timeclock.putTimerSettings(.standard, expectedVersion: 1, by: phone.caller)
      await #expect(throws: TimeclockError.noTimer) { _ = try await phone.command(.stop, at: 1) }
      #expect(try await phone.timeclock.foldDueTimers(at: try .believed(phone.timeclock), limit: 100).isEmpty)
      #expect(try await world.storage.timer(of: phone.caller.key) == nil)
      #expect(try await world.storage.nextDueTimer() == nil)
    }
  }

  @Test(
    "count changes of settings and routine, of the versions that they are meant for",
    arguments: StorageFactory.all)
  func settings(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let phone = try await Self.phone(world)
      var settings = TimerSettings.standard
      settings.focusSeconds = 600
      settings.version = 77
      let caller = phone.caller
      let put = try await phone.timeclock.putTimerSettings(settings, expectedVersion: 1, by: caller)
      #expect(put.version == 2 && put.focusSeconds == 600)
      await #expect(throws: TimeclockError.timerChanged(current: .settings(put))) {
        _ = try await phone.timeclock.putTimerSettings(.standard, expectedVersion: 1, by: caller)
      }
      #expect(try await phone.timeclock.putTimerSettings(settings, expectedVersion: 2, by: caller) == put)
      #expect(try await phone.timeclock.timerSettings(for: caller) == put)
      let routine = try await phone.timeclock.putRoutine(
        RoutineRequest(name: "Legs", currentSet: 1, totalSets: 2, itemsCompleted: 0, totalItems: 1),
        by: caller)
      var current = try await phone.timeclock.currentTimer(for: caller)
      #expect(current.timer.routine == routine && current.timer.version == 2)
      try await phone.timeclock.deleteRoutine(by: caller)
      current = try await phone.timeclock.currentTimer(for: caller)
      #expect(current.timer.routine == nil && current.timer.version == 3 && current.timer.settings == put)
    }
  }

  @Test("end once each, though several programs look", arguments: StorageFactory.all)
  func ends(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var phones: [Phone] = []
      for _ in 0..<3 { phones.append(try await Self.phone(world)) }
      for phone in phones {
        _ = try await phone.command(.start(StartTimerRequest(type: .rest, durationSeconds: 60)), at: 0)
        phone.wait(until: 60)
      }
      let due = try #require(try await world.storage.nextDueTimer())
      #expect(due == World.start.adding(milliseconds: 60_000))
      let counts = try await withThrowingTaskGroup { group in
        for phone in phones + phones {
          group.addTask {
            try await phone.timeclock.foldDueTimers(at: try .believed(phone.timeclock), limit: 2).count
          }
          group.addTask { Int(try await phone.timeclock.currentTimer(for: phone.caller).timer.version) }
        }
        var counts: [Int] = []
        for try await count in group { counts.append(count) }
        return counts
      }
      #expect(counts.count == 12)
      for phone in phones {
        let timer = try #require(try await world.storage.timer(of: phone.caller.key))
        #expect(timer.state == .finished && timer.version == 2)
        let sessions = try await phone.timeclock.timerSessions(after: nil, limit: 10, for: phone.caller)
        #expect(sessions.elements.map(\.id.text) == [timer.active?.id.text])
      }
    }
  }

  @Test("are for projects and tasks that the member may work on", arguments: StorageFactory.all)
  func work(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      // Even a manager has no timer for another's project.
      let manager = try await world.member(of: organization, role: .manager)
      let phone = Phone(
        world, of: try await world.authenticate(world.logIn(manager), in: organization.id))
      let shared = try await world.keepProject(in: organization)
      let own = try await world.keepProject(of: manager, in: organization)
      let foreign = try await world.keepProject(of: member, in: organization)
      let archived = try await world.keepProject(isArchived: true, in: organization)
      let task = try await world.keep(world.task(organization, in: shared), in: organization)
      let foreignTask = try await world.keep(world.task(organization, of: member), in: organization)
      let absent: ProjectID = world.id()
      for (project, task, expected) in [
        (shared.id, nil, .success(SegmentPurpose(projectID: shared.id))),
        (own.id, nil, .success(SegmentPurpose(projectID: own.id))),
        (nil, task.id, .success(SegmentPurpose(projectID: shared.id, taskID: task.id))),
        (shared.id, task.id, .success(SegmentPurpose(projectID: shared.id, taskID: task.id))),
        (own.id, task.id, .failure(.taskNotInProject)), (foreign.id, nil, .failure(.projectNotFound)),
        (absent, nil, .failure(.projectNotFound)), (archived.id, nil, .failure(.projectArchived)),
        (nil, foreignTask.id, .failure(.unknownTask)), (nil, world.id(), .failure(.unknownTask)),
      ] as [(ProjectID?, TaskID?, Result<SegmentPurpose, TimeclockError>)] {
        let request = StartTimerRequest(type: .focus, projectID: project, taskID: task)
        do {
          let active = try await phone.command(.start(request), at: 0).timer.active
          let purpose = SegmentPurpose(projectID: active?.projectID, taskID: active?.taskID)
          #expect(.success(purpose) == expected)
        } catch let refusal as TimeclockError {
          #expect(.failure(refusal) == expected)
        }
      }
    }
  }

  @Test("leave sessions that their member changes, adds up, and takes back", arguments: StorageFactory.all)
  func sessions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let phone = Phone(world, of: try await world.authenticate(world.logIn(member), in: organization.id))
      let (caller, timeclock) = (phone.caller, phone.timeclock)
      let project = try await world.keepProject(in: organization)
      let task = try await world.keep(world.task(organization, in: project), in: organization)
      _ = try await phone.command(.start(StartTimerRequest(type: .focus, label: "a")), at: 0)
      let session = try #require(try await phone.command(.stop, at: 600).session)
      var changed = try await timeclock.updateTimerSession(
        session.id,
        TimerSessionChanges(label: " b ", taskID: task.id, notes: "<late>", isArchived: true), by: caller)
      #expect(changed.label == "b" && changed.projectID == project.id && changed.taskID == task.id)
      #expect(
        changed.notes?.text == "&lt;late&gt;" && changed.isArchived && changed.endTime == session.endTime)
      changed = try await timeclock.updateTimerSession(
        session.id, TimerSessionChanges(projectID: project.id, isArchived: false), by: caller)
      #expect(changed.taskID == task.id && changed.label == "b" && !changed.isArchived)
      changed = try await timeclock.updateTimerSession(
        session.id, TimerSessionChanges(label: .some(nil), projectID: .some(nil), notes: .some(nil)),
        by: caller)
      #expect(changed == session.without { $0.label = nil })
      _ = try await phone.command(.start(StartTimerRequest(type: .shortBreak)), at: 90_000)
      _ = try await phone.command(.skip, at: 90_300)
      _ = try await phone.command(.stop, at: 91_800)
      // The zone is Europe/Berlin, and the world began at 10:00 there.
      let statistics = try await timeclock.timerStatistics(by: .day, for: caller)
      #expect(statistics.rows.map(\.key) == ["2026-11-20", "2026-11-21"])
      #expect(statistics.rows.map(\.sums.minutes) == [10, 30] && statistics.total.sessions == 3)
      #expect(statistics.streak == 2 && statistics.timeZone.name == "Europe/Berlin")
      let dates = RequestedDates(through: LocalDate(year: 2026, month: 11, day: 20))
      #expect(try await timeclock.timerStatistics(dates, by: .type, for: caller).rows.map(\.key) == ["focus"])
      let page = try await timeclock.timerSessions(dates, after: nil, limit: 10, for: caller)
      #expect(page.elements == [changed])
      // Nobody else knows of it.
      let admin = try await world.authenticate(organization.adminToken, in: organization.id)
      await #expect(throws: TimeclockError.timerSessionNotFound) {
        _ = try await timeclock.updateTimerSession(session.id, TimerSessionChanges(), by: admin)
      }
      await #expect(throws: TimeclockError.timerSessionNotFound) {
        try await timeclock.deleteTimerSession(session.id, by: admin)
      }
      await #expect(throws: TimeclockError.forbidden) {
        let request = HistoryResetRequest(scope: [.timerSessions], reason: "Tidying up")
        _ = try await timeclock.resetHistory(of: member.id, request, by: admin)
      }
      try await timeclock.deleteTimerSession(session.id, by: caller)
      let counts = try await timeclock.resetHistory(
        of: member.id, HistoryResetRequest(scope: [.timerSessions]), by: caller)
      #expect(counts == HistoryResetCounts(timerSessions: 2))
      #expect(try await timeclock.timerStatistics(by: .label, for: caller).rows.isEmpty)
    }
  }
}

extension TimerSession {
  /// The session with something changed.
  fileprivate func without(_ change: (inout TimerSession) -> Void) -> TimerSession {
    var session = self
    change(&session)
    return session
  }
}

extension TrustedInstant {
  /// The present, by a clock that is right.
  fileprivate static func believed(_ timeclock: Timeclock) throws -> TrustedInstant {
    try ClockWatch(timeclock.clock, newest: nil) { .zero }.trusted().get()
  }
}
