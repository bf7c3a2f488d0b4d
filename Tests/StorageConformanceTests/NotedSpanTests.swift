import Testing
import TimeclockDomain

@Suite("Spans that were noted, in a storage")
struct NotedSpanTests {
  /// The steps noted at hours of an entry from 0 to 8: a letter for a beginning, nothing for a stop.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var steps: [(hour: Double, begins: Character?)]

    init(_ testDescription: String, _ steps: [(hour: Double, begins: Character?)]) {
      self.testDescription = testDescription
      self.steps = steps
    }
  }

  static let cases = [
    Case("nothing", []),
    Case(
      "a project, its own start once more, another one, lunch, and back",
      [(0, "p"), (1, "p"), (2, "q"), (3, "l"), (3.5, nil), (6, nil)]),
    Case("one kind of break after the other, and back", [(0, "p"), (1, "l"), (2, "m"), (3, nil)]),
    Case("a break from nothing", [(1, "l"), (2, nil), (3, "q")]),
    Case("a break to the end", [(1, "p"), (7, "l")]),
    Case("work that ends with its beginning", [(0, "p"), (0, "l"), (1, nil)]),
    Case("what begins with the end", [(0, "p"), (8, "q")]),
    Case("a break that ends with its beginning", [(0, "p"), (2, "l"), (2, nil)]),
  ]

  @Test(
    "leave the segments that starts and stops leave, one by one", arguments: StorageFactory.all, cases)
  func segments(_ factory: StorageFactory, _ testCase: Case) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let purposes: [Character: SegmentPurpose] = [
        "p": SegmentPurpose(projectID: try await world.addProject(in: organization)),
        "q": SegmentPurpose(projectID: try await world.addProject(in: organization, isBillable: true)),
        "l": SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization)),
        "m": SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization, isPaid: true)),
      ]
      try await world.keep(world.entry(of: other, in: organization, from: .hour(0), to: nil), of: other)
      for step in testCase.steps {
        if let purpose = step.begins.flatMap({ purposes[$0] }) {
          try await world.start(other, in: organization, on: purpose, at: .hour(step.hour))
        } else {
          try await world.stop(other, at: .hour(step.hour))
        }
      }
      _ = try await world.clockOut(other, at: .hour(8))
      let new = NewNotedSpan(
        entry: Self.new(world.entry(of: member, in: organization, from: .hour(0), to: .hour(8)), member),
        steps: testCase.steps.map { step in
          let purpose = step.begins.flatMap { purposes[$0] }
          return WorkStep(
            purpose.map { WorkStep.Action.start($0, name: nil) } ?? .stop, at: .hour(step.hour),
            begins: world.id())
        })
      let kept = try await world.storage.createNotedSpan(new, recording: nil)
      #expect(kept.entry == new.entry.entry)
      #expect(kept.steps.allSatisfy { $0.dropped.isEmpty && $0.segmentID != nil })
      let spans = try await world.spans(member, in: organization)
      #expect(try await world.spans(other, in: organization) == spans)
      #expect(kept.segments.map { WorkSpan($0.startTime, $0.endTime, $0.purpose) } == spans)
      for segment in kept.segments {
        #expect(try await world.storage.segment(segment.id, in: organization.key) == segment)
      }
    }
  }

  @Test(
    "keep the time if its purpose is gone or in the way, and take breaks that are archived since",
    arguments: StorageFactory.all)
  func whatIsLeft(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let archived = try await world.storage.createRecord(
        BreakType(head: world.head(in: organization)) {
          $0.name = "Smoke"
          $0.isArchived = true
        }, in: organization.key, context: .test(), recording: nil
      ).id
      let smoke = SegmentPurpose(breakTypeID: archived)
      let gone = SegmentPurpose(projectID: world.id(), taskID: world.id())
      let notBoth = SegmentPurpose(projectID: p.projectID, taskID: world.id())
      let alone = world.segment(of: member, in: organization, for: p, from: .hour(6), to: .hour(6.5))
      try await world.keep(alone, of: member, in: .alone)
      let kept = try await world.storage.createNotedSpan(
        NewNotedSpan(
          entry: Self.new(world.entry(of: member, in: organization, from: .hour(0), to: .hour(8)), member),
          steps: [
            WorkStep(.start(p, name: "Rows"), at: .hour(0), begins: world.id()),
            WorkStep(.start(gone, name: nil), at: .hour(1), begins: world.id()),
            WorkStep(.stop, at: .hour(2), begins: world.id()),
            WorkStep(.start(notBoth, name: nil), at: .hour(3), begins: world.id()),
            WorkStep(.start(smoke, name: nil), at: .hour(4), begins: world.id()),
            WorkStep(.stop, at: .hour(5), begins: world.id()),
          ]), recording: nil)
      #expect(
        kept.steps.map(\.dropped) == [[], [.projectID, .taskID], [], [.taskID], [], [.projectID]])
      #expect(
        kept.steps.map { $0.segmentID == nil } == [false, true, true, false, false, false])
      #expect(
        try await world.spans(member, in: organization) == [
          WorkSpan(.hour(0), .hour(1), p), WorkSpan(.hour(3), .hour(4), p),
          WorkSpan(.hour(4), .hour(5), smoke),
          WorkSpan(.hour(6), .hour(6.5), p),
        ])
      #expect(kept.segments.first?.name == "Rows")
    }
  }

  @Test("are kept whole or not at all, and once", arguments: StorageFactory.all)
  func allOrNothing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let old = try await world.keep(
        world.entry(of: member, in: organization, from: .hour(6), to: .hour(9)), of: member)
      func span(to end: Instant) -> NewNotedSpan {
        NewNotedSpan(
          entry: Self.new(world.entry(of: member, in: organization, from: .hour(0), to: end), member),
          steps: [WorkStep(.start(p, name: nil), at: .hour(0), begins: world.id())])
      }
      await #expect(throws: TimeclockError.overlap([old], count: 1)) {
        try await world.storage.createNotedSpan(span(to: .hour(8)), recording: nil)
      }
      #expect(try await world.spans(member, in: organization).isEmpty)
      let key = IdempotencyKey(digest: Array(repeating: 7, count: 32), user: member.key.user)
      let recording = AnswerRecording<NotedSpan>(key: key, time: World.start) { span in
        RecordedAnswer(
          fingerprint: Array(repeating: 0, count: 32), salt: nil, status: 200, entityTag: nil, location: nil,
          body: Array(span.entry.id.text.utf8))
      }
      let kept = try await world.storage.createNotedSpan(span(to: .hour(6)), recording: recording)
      await #expect(throws: AnsweredBefore.self) {
        try await world.storage.createNotedSpan(span(to: .hour(5)), recording: recording)
      }
      #expect(try await world.spans(member, in: organization) == [WorkSpan(.hour(0), .hour(6), p)])
      let answer = try await world.storage.recordedAnswer(for: key, at: World.start)
      #expect(answer?.body == Array(kept.entry.id.text.utf8))
      try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.storage.createNotedSpan(
          NewNotedSpan(
            entry: Self.new(
              world.entry(of: member, in: organization, from: .hour(-9), to: .hour(-8)), member), steps: []),
          recording: nil)
      }
    }
  }

  private static func new(_ entry: TimeEntry, _ member: TestMember) -> NewTimeEntry {
    NewTimeEntry(member: member.key, entry: entry, needsSessionAssignment: true, context: .test())
  }
}
