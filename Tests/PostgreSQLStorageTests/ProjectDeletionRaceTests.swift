import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Changes by a member to a segment while a transaction takes the segments off their project.
@Suite("The deletion of a project beside its members, on PostgreSQL")
struct ProjectDeletionRaceTests {
  @Test("takes nothing back that a member was answered, whatever happens to the segments")
  func nothingIsTakenBack() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 5)
      let office = try await RacingOffice(in: storage, database)
      for deletion in RacingOffice.Deletion.allCases {
        for act in RacingOffice.Act.allCases {
          let race = try await office.raceInTime(deletion, beside: act)
          #expect(race.takenBack == [], "\(deletion) beside \(act)")
          #expect(race.isDeleted)
        }
      }
      await storage.close()
    }
  }

  /// The members are not locked, and the deletion writes rows read before the member's act: so a change is taken back,
  /// but none is logged of a segment that is not there.
  @Test(
    "without the members' locks takes changes back, which is seen, and logs nothing of a segment that is gone"
  )
  func withoutLocks() async throws {
    try await TestDatabase.run { database in
      let storage = try PostgreSQLStorage.open(
        PostgreSQLLocation(database.conninfo), connectionsPerLoop: 5, now: TestDatabase.now,
        sealingDelay: nil, rewrite: Self.withoutOwners
      ) { _ in }
      let office = try await RacingOffice(in: storage, database)
      let stopped = try await office.race(.detach, beside: .stop)
      #expect(stopped.takenBack != [])
      // A reset locks the member whose it is by another statement.
      for deletion in [RacingOffice.Deletion.detach, .delete] {
        let deleted = try await office.race(deletion, beside: .delete)
        #expect(deleted.takenBack == [], "\(deletion)")
        #expect(deleted.isDeleted)
      }
      await storage.close()
    }
  }

  /// In the place of the members' locks the transaction gets time, so that the act is done between its reading and its
  /// writing however slow the machine is.
  @Sendable private static func withoutOwners(_ statement: String, _ scope: RowScope) -> String {
    guard
      statement.hasPrefix("SELECT m.user_id FROM members m WHERE m.organization_id = $1 AND m.user_id IN (")
    else { return statement }
    return """
      SELECT set_config('lock_timeout', '4s', true) WHERE $1::bigint IS NOT NULL AND $2::uuid IS NOT NULL
      """
  }
}

/// An organization with projects that are deleted while members work.
private final class RacingOffice: Sendable {
  enum Deletion: CaseIterable {
    case detach, delete, reset
  }

  enum Act: CaseIterable {
    case stop, rename, delete
  }

  /// The outcome of a race.
  struct Outcome {
    /// The changes of the member's segment that do not begin with the state after the change before.
    let takenBack: [Int64]
    let isDeleted: Bool
  }

  let storage: PostgreSQLStorage
  let database: TestDatabase
  let office: TestOffice
  private let count = Atomic(0)

  init(in storage: PostgreSQLStorage, _ database: TestDatabase) async throws {
    self.storage = storage
    self.database = database
    office = try await TestOffice(in: storage)
  }

  private var organization: OrganizationKey { office.member.key.organization }

  /// A race in which nobody waits too long: on a busy machine a lock may not be had in time, which is 503 and writes nothing.
  func raceInTime(_ deletion: Deletion, beside act: Act) async throws -> Outcome {
    for _ in 0..<4 {
      do {
        return try await race(deletion, beside: act)
      } catch TimeclockError.unavailable {
        continue
      }
    }
    return try await race(deletion, beside: act)
  }

  /// Deletes a project while somebody holds its oldest segment, a member acts on another one, and the row is let go.
  func race(_ deletion: Deletion, beside act: Act) async throws -> Outcome {
    let number = count.add(1, ordering: .relaxed).newValue * 10
    let (first, second) = (try await office.addMember(number), try await office.addMember(number + 1))
    let project = try await keepProject(of: deletion == .reset ? second : nil)
    // Somebody else's, which the deletion meets first.
    try await start(deletion == .reset ? second : first, on: project, minute: 0)
    let held = try await stop(deletion == .reset ? second : first, minute: 1)
    let segment = try await start(second, on: project, minute: 2)
    let other = try database.connectAsAdministrator()
    defer { other.close() }
    try other.execute("BEGIN; SELECT 1 FROM segments WHERE id = '\(held.id.text)' FOR UPDATE")
    async let deleted: Void = delete(project, deletion, of: second)
    do {
      try await eventually(within: .seconds(20)) {
        let waiting = try database.execute(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        guard waiting != "0" else { throw Absent() }
      }
    } catch is Absent {
      // It may have waited in vain between two looks, which is 503.
      try other.execute("ROLLBACK")
      try await deleted
      throw Absent()
    }
    try await perform(act, on: segment, of: second)
    try other.execute("ROLLBACK")
    try await deleted
    return try await outcome(of: segment, project)
  }

  private func outcome(of segment: Segment, _ project: Project) async throws -> Outcome {
    let changes = try await storage.changes(
      of: organization, after: 0, resources: [.segment], limit: 10_000
    ).filter { $0.resourceID == ResourceID(segment.id) }
    var takenBack = zip(changes, changes.dropFirst()).filter { $0.after != $1.before }.map(\.1.sequence)
    let left = try await storage.segment(segment.id, in: organization)
    if changes.last?.after != left.map(Snapshot.segment) { takenBack.append(0) }
    return Outcome(
      takenBack: takenBack, isDeleted: try await storage.project(project.id, in: organization) == nil)
  }

  private func keepProject(of owner: Membership?) async throws -> Project {
    let now = TestDatabase.now
    return try await storage.createProject(
      Project(
        head: Head(id: TestOffice.identifiers.next(at: now), organizationID: office.organization.id, at: now)
      ) {
        $0.ownerID = owner?.userID
        $0.name = "Harvest"
      }, in: organization, ownedLimit: 100, context: .test(), recording: nil)
  }

  @discardableResult
  private func start(_ member: Membership, on project: Project, minute: Int) async throws -> Segment {
    let time = TestDatabase.now.adding(milliseconds: Int64(minute) * 60_000)
    let segment = Segment(
      id: TestOffice.identifiers.next(at: time), organizationID: office.organization.id,
      userID: member.userID, timeEntryID: nil, purpose: SegmentPurpose(projectID: project.id), isPaid: true,
      isBillable: false, name: "Work", tags: [], startTime: time, endTime: nil,
      timeZone: office.organization.timeZone, source: .api, version: 1, createdAt: time, updatedAt: time)
    return try await storage.startSegment(
      SegmentStart(
        member: member.key, segment: segment, isNameStated: true, isTimeStated: true,
        entry: office.entry(at: time, isActive: true, of: member).entry, clockIn: .ifNeeded,
        context: .test(at: time)), recording: nil
    ).segment
  }

  private func stop(_ member: Membership, minute: Int) async throws -> Segment {
    let time = TestDatabase.now.adding(milliseconds: Int64(minute) * 60_000)
    return try await storage.stopSegment(
      SegmentStop(
        member: member.key, time: time, isTimeStated: true, resumed: nil, clockOut: nil,
        context: .test(at: time)), recording: nil
    ).segment
  }

  private func perform(_ act: Act, on segment: Segment, of member: Membership) async throws {
    let update = SegmentUpdate(
      id: segment.id, organization: organization, expectedVersion: nil, context: .test())
    switch act {
    case .stop: _ = try await stop(member, minute: 3)
    case .rename: _ = try await storage.updateSegment(update) { $0.name = "Corrected" }
    case .delete: try await storage.deleteSegment(update) { _ in }
    }
  }

  private func delete(_ project: Project, _ deletion: Deletion, of owner: Membership) async throws {
    guard deletion == .reset else {
      return try await storage.deleteProject(
        ProjectUpdate(
          id: project.id, organization: organization, expectedVersion: nil,
          context: ChangeContext(
            author: .service, operation: "test", time: TestDatabase.now, reason: Reason(stored: "Over"))),
        mode: deletion == .delete ? .delete : .detach)
    }
    var isLast = false
    while !isLast {
      isLast = try await storage.deleteOwnProjects(of: owner.key, limit: 100, context: .test()).isLast
    }
  }
}
