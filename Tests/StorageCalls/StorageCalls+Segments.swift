import Procedures
import TimeclockDomain

extension StoragePart {
  /// The member's: a closed one in the entry of two hours ago, and one that is open.
  static let segments = StoragePart(StorageCalls.segments) { organization, storage in
    _ = try await storage.createProject(
      Project(head: organization.head(organization.names.workedOn)) {
        $0.name = organization.names.text
        $0.isBillable = true
      }, in: organization.key, ownedLimit: 100, context: .call, recording: nil)
    _ = try await storage.createSegment(
      organization.newSegment(organization.names.segment, hours: -2), recording: nil)
    _ = try await storage.startSegment(organization.start(), recording: nil)
  }
}

extension PreparedOrganization.Names {
  fileprivate var segment: SegmentID { id(of: .segment) }
  /// A project of its own, for one that segments refer to is not deleted like others.
  fileprivate var workedOn: ProjectID { id(of: .segment) }
  fileprivate var purpose: SegmentPurpose { SegmentPurpose(projectID: workedOn) }
  var lunch: SegmentPurpose { SegmentPurpose(breakTypeID: id(of: .breakType)) }
}

extension PreparedOrganization {
  fileprivate func segment(
    _ id: SegmentID = next(), of person: Person, hours: Int64, minutes: Int64?,
    for purpose: SegmentPurpose? = nil
  ) -> Segment {
    let begin = Self.start.adding(milliseconds: hours * 3_600_000)
    return Segment(
      id: id, organizationID: self.id, userID: person.id, timeEntryID: nil, purpose: purpose ?? names.purpose,
      isPaid: true, isBillable: false, name: names.text, tags: [names.text, "x"], startTime: begin,
      endTime: minutes.map { begin.adding(milliseconds: $0 * 60_000) }, timeZone: timeZone, source: .api,
      version: 1, createdAt: Self.start, updatedAt: Self.start)
  }

  /// Half an hour of the member's by hand.
  fileprivate func newSegment(
    _ id: SegmentID = next(), hours: Int64, place: SegmentPlace = .attached,
    for purpose: SegmentPurpose? = nil
  ) -> NewSegment {
    NewSegment(
      member: member.key, segment: segment(id, of: member, hours: hours, minutes: 30, for: purpose),
      place: place, context: .call)
  }

  /// An hour of the member's on the project, with a break in its middle.
  fileprivate func notedSpan() -> NewNotedSpan {
    let begin = Self.start.adding(milliseconds: -8 * 3_600_000)
    let actions: [WorkStep.Action] = [
      .start(names.purpose, name: nil), .start(names.lunch, name: nil), .stop,
    ]
    return NewNotedSpan(
      entry: NewTimeEntry(
        member: member.key, entry: entry(of: member, hours: -8), needsSessionAssignment: false, context: .call
      ),
      steps: actions.enumerated().map { place, action in
        WorkStep(action, at: begin.adding(milliseconds: Int64(place) * 600_000), begins: Self.next())
      })
  }

  /// A start now, of the member if nobody is named.
  ///
  /// - Parameter clocksIn: Whether it has an entry to begin with.
  func start(
    of person: Person? = nil, on purpose: SegmentPurpose? = nil, name: String? = nil, clocksIn: Bool = false
  ) -> SegmentStart {
    let person = person ?? member
    var segment = segment(of: person, hours: 0, minutes: nil, for: purpose)
    segment.name = name ?? segment.name
    return SegmentStart(
      member: person.key, segment: segment, isNameStated: name != nil, isTimeStated: false,
      entry: clocksIn ? entry(of: person, hours: 0, isActive: true) : nil, context: .call)
  }

  func stop(of person: Person? = nil, clocksOut: Bool = false) -> SegmentStop {
    SegmentStop(
      member: (person ?? member).key, time: Self.start.adding(milliseconds: 3_600_000), isTimeStated: false,
      resumed: Self.next(), clockOut: clocksOut ? .standard : nil, context: .call)
  }

  fileprivate func change(version: Int64? = nil) -> SegmentUpdate {
    SegmentUpdate(
      id: names.segment, organization: key, expectedVersion: version, isBillableStated: true, context: .call)
  }
}

extension StorageCalls {
  fileprivate static let segments = runningSegments + keptSegments + foundSegments

  private static let runningSegments: [StorageMethod] = [
    StorageMethod(
      "startSegment(_:recording:)", .writes, .organization,
      onceAndRecorded("of a break") { organization, storage, recording in
        try await storage.startSegment(organization.start(on: organization.names.lunch), recording: recording)
      } + [
        start("of the same under another name") { $0.start(name: "Changed") },
        start("by somebody clocked out") { $0.start(of: $0.admin, clocksIn: true) },
        start("by somebody clocked out, without an entry") { $0.start(of: $0.admin) },
        start("on no project") {
          $0.start(on: SegmentPurpose(projectID: PreparedOrganization.next()))
        },
        start("on no task") { $0.start(on: SegmentPurpose(taskID: PreparedOrganization.next())) },
      ]),
    StorageMethod(
      "stopSegment(_:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.stopSegment(organization.stop(), recording: recording)
      } + [
        StorageCall("of a break", after: takeBreak) {
          try await $1.stopSegment($0.stop(), recording: nil)
        },
        StorageCall("with a clock-out") {
          try await $1.stopSegment($0.stop(clocksOut: true), recording: nil)
        },
        StorageCall("by somebody clocked out") {
          try await $1.stopSegment($0.stop(of: $0.admin), recording: nil)
        },
      ]),
  ]

  private static func start(
    _ name: String, _ start: @escaping @Sendable (PreparedOrganization) -> SegmentStart
  ) -> StorageCall {
    StorageCall(name) { try await $1.startSegment(start($0), recording: nil) }
  }

  @Sendable private static func takeBreak(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    var start = organization.start(on: organization.names.lunch)
    start.segment.startTime = start.segment.startTime.adding(milliseconds: 60_000)
    _ = try await storage.startSegment(start, recording: nil)
  }

  private static let keptSegments: [StorageMethod] = [
    StorageMethod(
      "createSegment(_:recording:)", .writes, .organization,
      onceAndRecorded("without an entry") { organization, storage, recording in
        try await storage.createSegment(
          organization.newSegment(hours: -5, place: .alone), recording: recording)
      } + [
        create("with an entry of its own") {
          $0.newSegment(hours: -8, place: .created($0.entry(of: $0.member, hours: -8)))
        },
        create("in no entry") { $0.newSegment(hours: -5) },
        create("over another") { $0.newSegment(hours: -2) },
        create("of a break in no entry") { $0.newSegment(hours: -5, for: $0.names.lunch) },
      ]),
    StorageMethod(
      "createNotedSpan(_:recording:)", .writes, .organization,
      onceAndRecorded("with a break") { organization, storage, recording in
        try await storage.createNotedSpan(organization.notedSpan(), recording: recording)
      } + [
        StorageCall("with nothing in it") {
          try await $1.createNotedSpan(
            NewNotedSpan(entry: $0.notedSpan().entry, steps: []), recording: nil)
        }
      ]),
    StorageMethod(
      "updateSegment(_:_:)", .writes, .organization,
      [
        update("by name and tags") {
          $0.name = "Changed"
          $0.tags = []
        },
        update("to its end") { $0.endTime = hour(-1) },
        update("out of its entry") { $0.startTime = hour(-3) },
        StorageCall("to a break") { organization, storage in
          let purpose = organization.names.lunch
          return try await storage.updateSegment(organization.change()) { $0.purpose = purpose }
        },
        update("to nothing") { $0.purpose = SegmentPurpose() },
        update("of another version", version: 9) { _ in },
      ]),
    StorageMethod(
      "deleteSegment(_:_:)", .writes, .organization,
      [
        StorageCall { try await $1.deleteSegment($0.change()) { _ in } },
        StorageCall("of another version") { try await $1.deleteSegment($0.change(version: 9)) { _ in } },
      ]),
  ]

  private static func create(
    _ name: String, _ new: @escaping @Sendable (PreparedOrganization) -> NewSegment
  ) -> StorageCall {
    StorageCall(name) { try await $1.createSegment(new($0), recording: nil) }
  }

  private static func update(
    _ name: String, version: Int64? = nil, _ change: @escaping @Sendable (inout Segment) -> Void
  ) -> StorageCall {
    StorageCall(name) { try await $1.updateSegment($0.change(version: version), change) }
  }

  private static let segmentPages: [(name: String, match: TimeEntryMatch, cursor: SegmentCursor?)] = [
    ("", .start, nil), (" from a place on", .start, SegmentCursor(startTime: .latest, row: .max)),
    (" that overlap", .overlap, nil),
  ]

  private static let foundSegments: [StorageMethod] = [
    StorageMethod(
      "segment(_:in:)", .reads, .organization,
      [StorageCall { try await $1.segment($0.names.segment, in: $0.key) }]),
    StorageMethod(
      "segments(_:)", .reads, .organization,
      ["everybody", "a member", "a group", "a manager's groups", "a project", "a task", "a kind, with a tag"]
        .flatMap { selection in
          segmentPages.map { page in
            StorageCall("of \(selection)\(page.name)") { organization, storage in
              var query = SegmentQuery(
                organization: organization.key, members: .everybody, match: page.match, start: hour(-24),
                end: hour(24),
                cursor: page.cursor, limit: 9)
              switch selection {
              case "a member": query.members = .member(organization.member.key.user)
              case "a group": query.members = .group(try await organization.group(storage))
              case "a manager's groups": query.members = .managed(by: organization.admin.key.user)
              case "a project": query.projectID = organization.names.workedOn
              case "a task": query.taskID = PreparedOrganization.next()
              case "a kind, with a tag": (query.kind, query.tag) = (.work, "x")
              default: break
              }
              return try await storage.segments(query)
            }
          }
        }),
    StorageMethod(
      "overlappingSegments(of:from:to:excluding:)", .reads, .organization,
      [
        StorageCall {
          try await $1.overlappingSegments(
            of: $0.member.key, from: hour(-24), to: hour(24), excluding: nil)
        },
        StorageCall("but for one") {
          try await $1.overlappingSegments(
            of: $0.member.key, from: hour(-24), to: hour(24), excluding: $0.names.segment)
        },
      ]),
  ]
}
