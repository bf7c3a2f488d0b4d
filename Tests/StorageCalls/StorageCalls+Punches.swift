import Procedures
import TimeclockDomain

extension StoragePart {
  /// Punches are made where they are needed: each is the last that has happened.
  static let punches = StoragePart(StorageCalls.punches) { _, _ in }
}

extension PreparedOrganization {
  /// The name of the member's punch.
  fileprivate var punch: PunchKey {
    PunchKey(
      key: IdempotencyKey(digest: Array(id.text.utf8.suffix(32)), user: member.key.user),
      fingerprint: Array(repeating: 1, count: 32))
  }

  fileprivate func undo(_ punch: IdempotencyKey? = nil, seconds: Int64 = 1) -> PunchUndo {
    var context = ChangeContext.call
    context.time = Self.start.adding(milliseconds: seconds * 1_000)
    return PunchUndo(punch: punch ?? self.punch.key, member: member.key, context: context)
  }
}

extension StorageCalls {
  fileprivate static let punches: [StorageMethod] = [
    StorageMethod(
      "undoPunch(_:)", .writes, .organization,
      [
        StorageCall("of a break", after: takeBreak) { try await $1.undoPunch($0.undo()) },
        StorageCall("of a break that began with what it ended", after: takeBreakAtOnce) {
          try await $1.undoPunch($0.undo())
        },
        StorageCall("of a clock-out", after: clockOut) { try await $1.undoPunch($0.undo()) },
        StorageCall("of a clock-in", after: clockIn) { try await $1.undoPunch($0.undo()) },
        StorageCall("after more than a minute", after: clockOut) {
          try await $1.undoPunch($0.undo(seconds: 61))
        },
        StorageCall("of one that there is not") {
          try await $1.undoPunch(
            $0.undo(IdempotencyKey(digest: PreparedOrganization.newDigest().bytes, user: $0.member.key.user)))
        },
      ])
  ]

  /// Has a write remember the organization's punch.
  private static func recorded<Value>(
    _: Value.Type, _ organization: PreparedOrganization, _ entry: @escaping @Sendable (Value) -> TimeEntry,
    _ rows: @escaping @Sendable (Value) -> [ClockRow]
  ) -> AnswerRecording<Value> {
    organization.punch.recording(at: PreparedOrganization.start) {
      PunchMemory(
        effect: PunchEffect(timeEntryID: entry($0).id), appliedAt: PreparedOrganization.start, rows: rows($0))
    }
  }

  @Sendable private static func takeBreak(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    var start = organization.start(on: organization.names.lunch)
    start.segment.startTime = start.segment.startTime.adding(milliseconds: 500)
    _ = try await storage.startSegment(
      start, recording: recorded(StartedSegment.self, organization, { $0.timeEntry }, { $0.rows }))
  }

  @Sendable private static func takeBreakAtOnce(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    _ = try await storage.startSegment(
      organization.start(on: organization.names.lunch),
      recording: recorded(StartedSegment.self, organization, { $0.timeEntry }, { $0.rows }))
  }

  @Sendable private static func clockOut(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    _ = try await storage.clockOut(
      ClockOut(
        member: organization.member.key, time: hour(1), isStated: false, notes: nil, policy: .standard,
        context: .call), recording: recorded(WrittenEntry.self, organization, { $0.timeEntry }, { $0.rows }))
  }

  @Sendable private static func clockIn(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    _ = try await storage.stopSegment(organization.stop(clocksOut: true), recording: nil)
    let entry = organization.entry(of: organization.member, hours: 2, isActive: true)
    _ = try await storage.createTimeEntry(
      NewTimeEntry(
        member: organization.member.key, entry: entry, needsSessionAssignment: false, context: .call),
      recording: recorded(TimeEntry.self, organization, { $0 }, { [ClockRow($0)] }))
  }
}
