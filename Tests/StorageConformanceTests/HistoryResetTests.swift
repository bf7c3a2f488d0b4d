import Testing
import TimeclockDomain

@Suite("Resets in a storage")
struct HistoryResetTests {
  /// A member with work at the hours 0, 1 and 3, a break from 2 to 3, and open work from 4 on, on projects and tasks of
  /// the organization and of the member's own; and somebody else with work on the member's own project.
  private struct Work {
    let organization: TestOrganization
    let member: TestMember
    let other: TestMember
    let shared: Project
    let own: [Project]
    let tasks: [WorkTask]

    init(_ world: World) async throws {
      organization = try await world.organization()
      member = try await world.member(of: organization)
      other = try await world.member(of: organization)
      shared = try await world.keepProject(in: organization)
      own = [
        try await world.keepProject(of: member, in: organization),
        try await world.keepProject(of: member, isArchived: true, in: organization),
      ]
      tasks = [
        try await world.keep(world.task(organization, of: member, in: own[0]), in: organization),
        try await world.keep(world.task(organization, of: member, in: shared), in: organization),
      ]
      // Others' records stay.
      _ = try await world.keepProject(of: other, in: organization)
      _ = try await world.keep(world.task(organization, of: other), in: organization)
      _ = try await world.keep(world.task(organization, in: shared), in: organization)
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      for (hour, purpose) in [
        (0, SegmentPurpose(projectID: own[0].id)), (1, SegmentPurpose(projectID: shared.id)), (2, lunch),
        (3, SegmentPurpose(taskID: tasks[0].id)), (4, SegmentPurpose(taskID: tasks[1].id)),
      ] as [(Double, SegmentPurpose)] {
        try await world.start(member, in: organization, on: purpose, at: .hour(hour))
      }
      try await world.start(
        other, in: organization, on: SegmentPurpose(projectID: shared.id), at: .hour(1))
    }

    /// All parts of the deletion of work, and how many there were.
    func deleteWork(
      _ world: World, before: Instant? = nil, limit: Int = 100, context: ChangeContext? = nil
    ) async throws -> (count: Int, parts: Int) {
      var deletion = WorkDeletion(
        member: member.key, before: before, limit: limit, context: context ?? self.context)
      var (count, parts) = (0, 0)
      repeat {
        let part = try await world.storage.deleteWork(deletion)
        #expect(part.count <= limit)
        count += part.count
        parts += 1
        deletion.after = part.next
      } while deletion.after != nil
      return (count, parts)
    }

    /// All parts of the deletion of a member's own records.
    func deleteOwn(_ world: World, limit: Int = 100) async throws -> OwnProjectsDeletionPart {
      var sum = OwnProjectsDeletionPart()
      while !sum.isLast {
        let part = try await world.storage.deleteOwnProjects(
          of: member.key, limit: limit, context: context)
        sum.projects += part.projects
        sum.tasks += part.tasks
        sum.isLast = part.isLast
      }
      return sum
    }

    func segments(_ world: World, of member: TestMember) async throws -> [Segment] {
      try await world.listSegments(
        SegmentQuery(organization: organization.key, user: member.key.user, limit: 100)
      ).reversed()
    }

    var context: ChangeContext {
      ChangeContext(
        author: Author(means: .logIn, userID: member.id), operation: "resetHistory", time: .hour(9),
        reason: nil)
    }
  }

  @Test(
    "delete work and no breaks, each a change of its own, in parts of any size",
    arguments: StorageFactory.all)
  func work(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for (limit, parts) in [(1, 5), (2, 3), (4, 2), (5, 1)] {
        let work = try await Work(world)
        let before = try await work.segments(world, of: work.member)
        let others = try await work.segments(world, of: work.other)
        let first = try await world.changes(work.organization).count
        let found = try await work.deleteWork(world, limit: limit)
        #expect(found.count == 4 && found.parts == parts, "\(limit) at once")
        let breaks = before.filter { $0.kind == .break }
        #expect(breaks.count == 1)
        #expect(try await work.segments(world, of: work.member) == breaks)
        #expect(try await work.segments(world, of: work.other) == others)
        let told = try await world.changes(work.organization).dropFirst(first)
        #expect(told.map(\.before) == before.filter { $0.kind == .work }.map { .segment($0) })
        #expect(told.allSatisfy { $0.after == nil && $0.context == work.context })
        // The entry goes on, and everything that is worked on is there.
        #expect(try await world.storage.activeTimeEntry(of: work.member.key) != nil)
        #expect(try await world.projects(work.organization).count == 4)
        _ = try await world.expectIntactChain(work.organization)
        #expect(try await work.deleteWork(world).count == 0)
      }
    }
  }

  @Test("delete only closed work that begins before an instant", arguments: StorageFactory.all)
  func before(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let work = try await Work(world)
      let all = try await work.segments(world, of: work.member)
      #expect(try await work.deleteWork(world, before: .hour(0)).count == 0)
      #expect(try await work.deleteWork(world, before: .hour(3), limit: 1).count == 2)
      #expect(try await work.segments(world, of: work.member) == Array(all.dropFirst(2)))
      // The open one stays, at any beginning.
      #expect(try await work.deleteWork(world, before: .hour(9)).count == 1)
      #expect(try await work.segments(world, of: work.member) == [all[2], all[4]])
    }
  }

  @Test("of somebody else's work need a reason", arguments: StorageFactory.all)
  func reason(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let work = try await Work(world)
      var context = work.context
      context.author = Author(means: .logIn, userID: work.other.id)
      await #expect(throws: TimeclockError.reasonRequired) {
        _ = try await work.deleteWork(world, context: context)
      }
      #expect(try await work.segments(world, of: work.member).count == 5)
      context.reason = Reason(stored: "Asked to")
      #expect(try await work.deleteWork(world, context: context).count == 4)
      #expect(try await world.changes(work.organization).last?.context.reason == context.reason)
    }
  }

  @Test(
    "of projects take a member's own tasks and projects, and what was of them stays without",
    arguments: StorageFactory.all)
  func projects(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for limit in [1, 2, 3, 100] {
        let work = try await Work(world)
        let before = try await work.segments(world, of: work.member)
        let (projects, tasks) = (
          try await world.projects(work.organization), try await world.tasks(work.organization)
        )
        let entry = try await world.storage.activeTimeEntry(of: work.member.key)
        let others = try await work.segments(world, of: work.other)
        let sum = try await work.deleteOwn(world, limit: limit)
        #expect(sum.projects == 2 && sum.tasks == 2 && sum.isLast)
        #expect(
          try await world.projects(work.organization) == projects.filter { $0.ownerID != work.member.id })
        #expect(try await world.tasks(work.organization) == tasks.filter { $0.ownerID != work.member.id })
        let after = try await work.segments(world, of: work.member)
        #expect(after.map(\.id) == before.map(\.id) && after.map(\.endTime) == before.map(\.endTime))
        #expect(after.map(\.purpose.projectID) == [nil, work.shared.id, nil, nil, work.shared.id])
        #expect(after.allSatisfy { $0.purpose.taskID == nil })
        // Of the task that was in a project of the member's own, first the task went and then the project.
        #expect(zip(after, before).map { $0.version - $1.version } == [1, 0, 0, 2, 1])
        #expect(try await work.segments(world, of: work.other) == others)
        #expect(try await world.storage.activeTimeEntry(of: work.member.key) == entry)
        let told = try await world.changes(work.organization).filter { $0.context == work.context }
        #expect(told.count == 8 && told.count { $0.after == nil } == 4)
        _ = try await world.expectIntactChain(work.organization)
        // Work whose purpose is gone can continue, and end.
        #expect(try await world.stop(work.member, at: .hour(10)).segment.endTime == .hour(10))
      }
    }
  }

  @Test("at once delete each segment once", arguments: StorageFactory.all)
  func simultaneous(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let work = try await Work(world)
      let outcomes = await concurrently(6) { _ in
        (try await work.deleteWork(world, limit: 1).count, try await work.deleteOwn(world, limit: 2))
      }
      let parts = try outcomes.map { try $0.get() }
      #expect(parts.reduce(0) { $0 + $1.0 } == 4)
      #expect(parts.reduce(0) { $0 + $1.1.projects } == 2)
      #expect(parts.reduce(0) { $0 + $1.1.tasks } == 2)
      #expect(try await work.segments(world, of: work.member).allSatisfy { $0.kind == .break })
      _ = try await world.expectIntactChain(work.organization)
    }
  }
}
