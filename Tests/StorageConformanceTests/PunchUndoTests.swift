import Testing
import TimeclockDomain

@Suite("Taking back a punch, in a storage")
struct PunchUndoTests {
  /// The acts at hours of a day: clocking in and out, `p` and `q` for work, `l` and `m` for breaks, `r` for work on the
  /// same under another name, and a full stop for the end of the running segment. The last is the punch.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var steps: [(hour: Double, act: Character)]

    init(_ testDescription: String, _ steps: [(hour: Double, act: Character)]) {
      self.testDescription = testDescription
      self.steps = steps
    }
  }

  static let cases = [
    Case("a clock-in", [(0, "i")]),
    Case("a clock-in after an entry", [(0, "i"), (1, "o"), (2, "i")]),
    Case("a clock-out", [(0, "i"), (2, "o")]),
    Case("a clock-out from work", [(0, "i"), (1, "p"), (2, "o")]),
    Case("a clock-out from a break", [(0, "p"), (1, "l"), (2, "o")]),
    Case("a clock-out that came late", [(0, "i"), (1, "p"), (2, "q"), (3, "l"), (1.5, "o")]),
    Case("a clock-out as a break begins", [(0, "p"), (1, "l"), (1, "o")]),
    Case("a start that clocks in", [(0, "p")]),
    Case("a change of work", [(0, "p"), (1, "q")]),
    Case("a change of work as it begins", [(0, "p"), (0, "q")]),
    Case("the same work once more", [(0, "p"), (1, "p")]),
    Case("the same work under another name", [(0, "p"), (1, "r")]),
    Case("a break from work", [(0, "p"), (1, "l")]),
    Case("a break from nothing", [(0, "i"), (1, "l")]),
    Case("a break as work begins", [(0, "p"), (0, "l")]),
    Case("one kind of break after another", [(0, "p"), (1, "l"), (2, "m")]),
    Case("another kind of break at once", [(0, "p"), (1, "l"), (1, "m")]),
    Case("the end of a break", [(0, "p"), (1, "l"), (2, ".")]),
    Case("the end of a break as it begins", [(0, "p"), (1, "l"), (1, ".")]),
    Case("the end of work", [(0, "p"), (1, ".")]),
    Case("the end of work as it begins", [(0, "p"), (0, ".")]),
  ]

  @Test("leaves what was, and the punch can be made once more", arguments: StorageFactory.all, cases)
  func whatWas(_ factory: StorageFactory, _ testCase: Case) async throws {
    try await factory.run { world in
      let clock = try await PunchedClock(in: world)
      for step in testCase.steps.dropLast() { try await clock.act(step.act, at: .hour(step.hour)) }
      let last = try #require(testCase.steps.last)
      let before = try await clock.state()
      try await clock.act(last.act, at: .hour(last.hour), under: "a")
      let punched = try await clock.state()
      try await clock.undo("a")
      let after = try await clock.state()
      #expect(after.withoutVersions == before.withoutVersions)
      // A restored record is newer than all its former versions.
      for (id, version) in after.versions where before.versions[id] != version {
        #expect(version > max(before.versions[id] ?? 0, punched.versions[id] ?? 0))
      }
      try await clock.expectLogged(after)
      let logged = try await world.changes(clock.organization)
      #expect(logged.contains { $0.context.operation == "undoPunch" } == (punched != before))
      // Once more changes nothing, and the punch stays known.
      try await clock.undo("a")
      #expect(try await clock.state() == after)
      #expect(try await world.changes(clock.organization) == logged)
      let memory = try #require(try await clock.memory("a"))
      #expect(memory.isUndone && memory.rows == nil && memory.effect.timeEntryID != nil)
      // A break still knows the work that it goes back to.
      try await clock.act(last.act, at: .hour(last.hour))
      #expect(try await clock.spans() == punched.spans)
      if ["l", "m"].contains(testCase.steps.dropLast().last?.act) {
        let other = try await PunchedClock(in: world)
        for step in testCase.steps { try await other.act(step.act, at: .hour(step.hour)) }
        #expect(try await other.shape() == clock.shape())
      }
    }
  }

  @Test("is refused once anything else of the member's clock has changed", arguments: StorageFactory.all)
  func superseded(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      typealias Act = @Sendable (PunchedClock) async throws -> Void
      let acts: [(String, Act)] = [
        ("a break", { try await $0.act("l", at: .hour(3)) }),
        ("a clock-out", { try await $0.act("o", at: .hour(3)) }),
        (
          "a segment by hand",
          { clock in
            try await world.keep(
              world.segment(
                of: clock.member, in: clock.organization, for: clock.purpose("q"), from: .hour(0.5),
                to: .hour(1)),
              of: clock.member)
          }
        ),
        (
          "a correction of the entry",
          { clock in
            let entry = try #require(try await world.storage.activeTimeEntry(of: clock.member.key))
            _ = try await world.storage.updateTimeEntry(clock.update(entry.id)) {
              $0.notes = Notes(stored: "Noted")
            }
          }
        ),
        (
          "an entry of another day",
          { clock in
            try await world.keep(clock.member, in: clock.organization, from: .hour(-9), to: .hour(-8))
          }
        ),
        (
          "a change of the segment",
          { clock in
            let segment = try #require(try await clock.state().segments.last)
            _ = try await world.storage.updateSegment(
              SegmentUpdate(
                id: segment.id, organization: clock.organization.key, expectedVersion: nil, context: .test())
            ) { $0.tags = ["late"] }
          }
        ),
      ]
      for (name, act) in acts {
        let clock = try await PunchedClock(in: world)
        try await clock.act("i", at: .hour(0))
        try await clock.act("p", at: .hour(2), under: "a")
        try await act(clock)
        let before = try await clock.state()
        await #expect(throws: TimeclockError.punchSuperseded, "\(name)") { try await clock.undo("a") }
        #expect(try await clock.state() == before, "\(name)")
      }
    }
  }

  @Test("has nothing to do with what others do", arguments: StorageFactory.all)
  func others(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let clock = try await PunchedClock(in: world)
      try await clock.act("i", at: .hour(0))
      let before = try await clock.state()
      try await clock.act("p", at: .hour(2), under: "a")
      let admin = clock.organization.admin
      try await world.keep(admin, in: clock.organization, from: .hour(0), to: nil)
      try await world.start(admin, in: clock.organization, on: clock.purpose("p"), at: .hour(1))
      _ = try await world.addProject(in: clock.organization)
      try await clock.undo("a")
      #expect(try await clock.state().withoutVersions == before.withoutVersions)
    }
  }

  @Test("is for the person who made it, and for a minute", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let clock = try await PunchedClock(in: world)
      try await clock.act("i", at: .hour(0), under: "a")
      let before = try await clock.state()
      let admin = clock.organization.admin
      await #expect(throws: TimeclockError.punchNotFound) { try await clock.undo("b") }
      await #expect(throws: TimeclockError.punchNotFound) { try await clock.undo("a", by: admin.key.user) }
      await #expect(throws: TimeclockError.undoExpired) { try await clock.undo("a", after: 60_001) }
      // One that was entered together with others, and one from before punches could be taken back.
      let key = clock.key("c")
      for (name, memory) in [
        (
          TimeclockError.punchSuperseded,
          PunchMemory(effect: PunchEffect(timeEntryID: nil), appliedAt: .hour(0), rows: nil)
        ),
        (.undoExpired, PunchMemory(Array(" ".utf8))),
      ] {
        var recording = key.recording(at: .hour(0)) { (_: Void) in memory }
        recording.key = IdempotencyKey(digest: world.digest().bytes, user: key.key.user)
        try await world.storage.recordAnswer(recording)
        await #expect(throws: name) {
          try await world.storage.undoPunch(
            PunchUndo(punch: recording.key, member: clock.member.key, context: .test(at: .hour(0))))
        }
      }
      #expect(try await clock.state() == before)
      try await clock.undo("a", after: 60_000)
      #expect(try await clock.state().entries == [])
      // Long afterwards it is still taken back.
      try await clock.undo("a", after: 3_600_000)
    }
  }

  @Test("beside another punch is before it or after it", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for _ in 0..<8 {
        let clock = try await PunchedClock(in: world)
        try await clock.act("p", at: .hour(0))
        try await clock.act("o", at: .hour(2), under: "a")
        let outcomes = await concurrently(2) { number in
          if number == 0 { try await clock.undo("a") } else { try await clock.act("i", at: .hour(3)) }
        }
        let spans = try await clock.spans()
        switch (Self.word(outcomes[0]), Self.word(outcomes[1])) {
        case ("done", "clocked in"): #expect(spans == ["0.0–", "0.0– p"])
        case ("superseded", "done"): #expect(spans == ["0.0–2.0", "3.0–", "0.0–2.0 p"])
        default: Issue.record("\(outcomes)")
        }
        try await clock.expectLogged(try await clock.state())
      }
    }
  }

  private static func word(_ outcome: Result<Void, any Error>) -> String {
    switch outcome {
    case .success: return "done"
    case .failure(let error):
      if case .alreadyClockedIn? = error as? TimeclockError { return "clocked in" }
      return error as? TimeclockError == .punchSuperseded ? "superseded" : "\(error)"
    }
  }

  @Test("of one punch by several at once is done once", arguments: StorageFactory.all)
  func several(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let clock = try await PunchedClock(in: world)
      try await clock.act("p", at: .hour(0))
      try await clock.act("l", at: .hour(2), under: "a")
      for outcome in await concurrently(8, { _ in try await clock.undo("a") }) { try outcome.get() }
      #expect(try await clock.spans() == ["0.0–", "0.0– p"])
      let undone = try await world.changes(clock.organization).filter { $0.context.operation == "undoPunch" }
      #expect(undone.map(\.kind) == [.deleted, .updated])
    }
  }
}

/// A member whose acts can be punches.
private struct PunchedClock: Sendable {
  let world: World
  let organization: TestOrganization
  let member: TestMember
  private let purposes: [Character: SegmentPurpose]
  private let names: [String: PunchKey]

  init(in world: World) async throws {
    self.world = world
    organization = try await world.organization()
    member = try await world.member(of: organization)
    purposes = [
      "p": SegmentPurpose(projectID: try await world.addProject(in: organization)),
      "q": SegmentPurpose(projectID: try await world.addProject(in: organization, isBillable: true)),
      "l": SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization)),
      "m": SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization, isPaid: true)),
    ]
    let user = member.key.user
    names = Dictionary(
      uniqueKeysWithValues: ["a", "b", "c"].map { name in
        let key = IdempotencyKey(digest: world.digest().bytes, user: user)
        return (name, PunchKey(key: key, fingerprint: Array(repeating: 1, count: 32)))
      })
  }

  func key(_ name: String) -> PunchKey {
    names[name] ?? PunchKey(key: IdempotencyKey(digest: [], user: nil), fingerprint: [])
  }

  func purpose(_ letter: Character) -> SegmentPurpose { purposes[letter] ?? SegmentPurpose() }

  func update(_ id: TimeEntryID) -> TimeEntryUpdate {
    TimeEntryUpdate(
      id: id, organization: organization.key, expectedVersion: nil, needsSessionAssignment: false,
      context: .test())
  }

  /// Does something, as a punch if that has a name.
  func act(_ act: Character, at time: Instant, under name: String? = nil) async throws {
    func recording<Value>(
      _ entry: @escaping @Sendable (Value) -> TimeEntry, _ rows: @escaping @Sendable (Value) -> [ClockRow]
    ) -> AnswerRecording<Value>? {
      name.map { name in
        key(name).recording(at: time) {
          PunchMemory(effect: PunchEffect(timeEntryID: entry($0).id), appliedAt: time, rows: rows($0))
        }
      }
    }
    let context = ChangeContext.test(at: time)
    switch act {
    case "i":
      _ = try await world.storage.createTimeEntry(
        NewTimeEntry(
          member: member.key, entry: world.entry(of: member, in: organization, from: time, to: nil),
          needsSessionAssignment: false, context: context),
        recording: recording({ $0 }, { [ClockRow($0)] }))
    case "o":
      _ = try await world.storage.clockOut(
        ClockOut(
          member: member.key, time: time, isStated: true, notes: Notes(stored: "Done"), policy: .standard,
          context: context), recording: recording({ $0.timeEntry }, { $0.rows }))
    case ".":
      _ = try await world.storage.stopSegment(
        SegmentStop(
          member: member.key, time: time, isTimeStated: true, resumed: world.id(), clockOut: nil,
          context: context),
        recording: recording({ $0.timeEntry }, { $0.rows }))
    default:
      let purpose = purpose(act == "r" ? "p" : act)
      let entry =
        ["l", "m"].contains(act) ? nil : world.entry(of: member, in: organization, from: time, to: nil)
      _ = try await world.storage.startSegment(
        SegmentStart(
          member: member.key,
          segment: world.segment(
            of: member, in: organization, for: purpose, from: time, to: nil,
            name: act == "r" ? "Renamed" : SegmentText.standardName),
          isNameStated: act == "r", isTimeStated: true, entry: entry, context: context),
        recording: recording({ $0.timeEntry }, { $0.rows }))
    }
  }

  /// Takes a punch back, `milliseconds` after the first hour that there is.
  func undo(_ name: String, by user: UserKey? = nil, after milliseconds: Int64 = 0) async throws {
    var key = key(name).key
    if let user { key = IdempotencyKey(digest: key.digest, user: user) }
    let memory = try await memory(name)
    let time = (memory?.appliedAt ?? .hour(0)).adding(milliseconds: milliseconds)
    try await world.storage.undoPunch(
      PunchUndo(
        punch: key, member: member.key,
        context: ChangeContext(author: .service, operation: "undoPunch", time: time)))
  }

  func memory(_ name: String) async throws -> PunchMemory? {
    try await world.storage.recordedAnswer(for: key(name).key, at: .hour(0)).map { PunchMemory($0.body) }
  }

  func state() async throws -> PunchedState {
    PunchedState(
      entries: try await world.list(organization, member).elements.sorted { $0.clockInTime < $1.clockInTime },
      segments: try await world.listSegments(
        SegmentQuery(organization: organization.key, user: member.key.user, limit: 100)
      ).reversed(), purposes: purposes)
  }

  func spans() async throws -> [String] { try await state().spans }

  /// The records once the break is over, which shows the work that it goes back to.
  func shape() async throws -> [String] {
    if try await world.storage.activeTimeEntry(of: member.key) != nil { try? await act(".", at: .hour(20)) }
    return try await spans()
  }

  /// The log's last change of everything has it as it is.
  func expectLogged(_ state: PunchedState) async throws {
    let changes = try await world.changes(organization)
    let rows = state.entries.map(Snapshot.timeEntry) + state.segments.map(Snapshot.segment)
    for row in rows { #expect(changes.last { $0.resourceID == row.resourceID }?.after == row) }
    let deleted = changes.filter { [.timeEntry, .segment].contains($0.resource) }.map(\.resourceID)
      .filter { id in !rows.contains { $0.resourceID == id } }
    for id in deleted { #expect(changes.last { $0.resourceID == id }?.kind == .deleted) }
  }
}

/// A member's entries and segments, the oldest first.
private struct PunchedState: Equatable {
  var entries: [TimeEntry]
  var segments: [Segment]
  let purposes: [Character: SegmentPurpose]

  /// The same without the members that every change changes.
  var withoutVersions: PunchedState {
    var state = self
    for place in entries.indices {
      (state.entries[place].version, state.entries[place].updatedAt) = (1, World.start)
    }
    for place in segments.indices {
      (state.segments[place].version, state.segments[place].updatedAt) = (1, World.start)
    }
    return state
  }

  var versions: [ResourceID: Int64] {
    Dictionary(
      uniqueKeysWithValues: entries.map { (ResourceID($0.id), $0.version) }
        + segments.map { (ResourceID($0.id), $0.version) })
  }

  /// The hours of each, and the purposes of segments.
  var spans: [String] {
    func hours(_ start: Instant, _ end: Instant?) -> String {
      func hour(_ instant: Instant) -> Double { Double(instant.milliseconds(since: .hour(0))) / 3_600_000 }
      return "\(hour(start))–" + (end.map { "\(hour($0))" } ?? "")
    }
    return entries.map { hours($0.clockInTime, $0.clockOutTime) }
      + segments.map { segment in
        let letter = purposes.first { $0.value == segment.purpose }?.key
        return hours(segment.startTime, segment.endTime) + " " + (letter.map(String.init) ?? "?")
      }
  }
}
