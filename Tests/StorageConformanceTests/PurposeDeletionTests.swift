import Testing
import TimeclockDomain

@Suite("The deletion of what segments are of, in a storage")
struct PurposeDeletionTests {
  /// A project with a task, and segments of two members on both: those of each, the last one open.
  private struct Work {
    let organization: TestOrganization
    let project: Project
    let task: WorkTask
    let members: [TestMember]

    init(_ world: World) async throws {
      organization = try await world.organization()
      project = try await world.keepProject(in: organization)
      task = try await world.keep(world.task(organization, in: project), in: organization)
      members = [try await world.member(of: organization), organization.admin]
      let other = SegmentPurpose(projectID: try await world.keepProject(in: organization).id)
      for member in members {
        try await world.start(
          member, in: organization, on: SegmentPurpose(projectID: project.id), at: .hour(0))
        try await world.start(member, in: organization, on: other, at: .hour(1))
        try await world.start(member, in: organization, on: SegmentPurpose(taskID: task.id), at: .hour(2))
      }
    }

    func deletion(by author: Author = .service, because reason: Reason? = nil) -> ProjectUpdate {
      ProjectUpdate(
        id: project.id, organization: organization.key, expectedVersion: nil,
        context: ChangeContext(author: author, operation: "deleteProject", time: .hour(9), reason: reason))
    }

    func segments(_ world: World) async throws -> [Segment] {
      try await world.listSegments(SegmentQuery(organization: organization.key, user: nil, limit: 100))
    }
  }

  @Test("is refused while there are segments, and says how many", arguments: StorageFactory.all)
  func refused(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let work = try await Work(world)
      await #expect(throws: TimeclockError.projectInUse(count: 4)) {
        try await world.storage.deleteProject(work.deletion(), mode: nil)
      }
      await #expect(throws: TimeclockError.taskInUse(count: 2)) {
        try await world.storage.deleteTask(
          TaskUpdate(
            id: work.task.id, organization: work.organization.key, expectedVersion: nil, context: .test()))
      }
      await #expect(throws: TimeclockError.reasonRequired) {
        try await world.storage.deleteProject(
          work.deletion(by: Author(means: .logIn, userID: work.members[0].id)), mode: .delete)
      }
      #expect(try await work.segments(world).count == 6)
    }
  }

  @Test("takes the project off its segments, or the segments too", arguments: StorageFactory.all)
  func modes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for mode in ProjectDeletionMode.allCases {
        let work = try await Work(world)
        let before = try await work.segments(world)
        try await world.storage.deleteProject(
          work.deletion(because: Reason(stored: "Over")), mode: mode)
        let after = try await work.segments(world)
        let isOfProject = { (segment: Segment) in segment.purpose.projectID == work.project.id }
        #expect(before.filter(isOfProject).count == 4)
        let expected = before.compactMap { segment -> Segment? in
          guard isOfProject(segment) else { return segment }
          return mode == .delete ? nil : segment.revised(at: .hour(9)) { $0.purpose.projectID = nil }
        }
        #expect(after == expected)
        // The entries stay, and members with an open segment are still in.
        for member in work.members {
          #expect(try await world.storage.activeTimeEntry(of: member.key) != nil)
        }
        _ = try await world.expectIntactChain(work.organization)
      }
    }
  }

  @Test("leaves a break nothing to go back to", arguments: StorageFactory.all)
  func breaks(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for mode in ProjectDeletionMode.allCases {
        let work = try await Work(world)
        let member = work.members[0]
        let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: work.organization))
        try await world.start(
          member, in: work.organization, on: SegmentPurpose(projectID: work.project.id), at: .hour(3))
        try await world.start(member, in: work.organization, on: lunch, at: .hour(4))
        try await world.storage.deleteProject(
          work.deletion(because: Reason(stored: "Over")), mode: mode)
        #expect(try await world.stop(member, at: .hour(5)).resumed == nil)
      }
    }
  }
}
