import Testing
import TimeclockDomain

@Suite("The deletion of a project in a storage")
struct ProjectDeletionTests {
  private static func deletion(of project: Project, _ organization: TestOrganization) -> ProjectUpdate {
    ProjectUpdate(
      id: project.id, organization: organization.key, expectedVersion: nil, context: .test(at: .hour(3)))
  }

  @Test("leaves its tasks without a project, or takes them along", arguments: StorageFactory.all)
  func modes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for mode in [nil, .detach, .delete] as [ProjectDeletionMode?] {
        let organization = try await world.organization()
        let member = try await world.member(of: organization)
        let project = try await world.keepProject(in: organization)
        let other = try await world.keepProject(in: organization)
        var kept: [WorkTask] = []
        var inside: [WorkTask] = []
        for place in [project, other, nil, project] {
          for owner in [nil, member] {
            let task = try await world.keep(world.task(organization, of: owner, in: place), in: organization)
            if place == project { inside.append(task) } else { kept.append(task) }
          }
        }
        try await world.update(member, in: organization) { $0.isActive = false }
        let count = try await world.changes(organization).count
        try await world.storage.deleteProject(Self.deletion(of: project, organization), mode: mode)
        let detached = inside.map { task in
          var task = task
          task.projectID = nil
          task.version = 2
          task.updatedAt = .hour(3)
          return task
        }
        #expect(try await world.projects(organization) == [other])
        let left = try await world.tasks(organization)
        #expect(Set(left) == Set(mode == .delete ? kept : kept + detached))
        let changes = try await world.changes(organization).dropFirst(count)
        #expect(changes.map(\.before) == inside.map { $0.snapshot } + [project.snapshot])
        #expect(
          changes.map(\.after) == (mode == .delete ? inside.map { _ in nil } : detached.map { $0.snapshot })
            + [
              nil
            ])
        _ = try await world.expectIntactChain(organization)
      }
    }
  }

  @Test("of another version leaves its tasks", arguments: StorageFactory.all)
  func otherVersion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let project = try await world.keepProject(in: organization)
      let task = try await world.keep(world.task(organization, in: project), in: organization)
      for mode in ProjectDeletionMode.allCases {
        var deletion = Self.deletion(of: project, organization)
        deletion.expectedVersion = 2
        await #expect(throws: TimeclockError.changed(current: project.current)) {
          try await world.storage.deleteProject(deletion, mode: mode)
        }
        #expect(try await world.tasks(organization) == [task])
      }
    }
  }

  @Test("and tasks that come, move and change meanwhile end in one order", arguments: StorageFactory.all)
  func meanwhile(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      for round in 0..<8 {
        let mode: ProjectDeletionMode = round % 2 == 0 ? .detach : .delete
        let project = try await world.keepProject(in: organization)
        let shelter = try await world.keepProject(in: organization)
        var tasks: [WorkTask] = []
        for number in 0..<6 {
          tasks.append(
            try await world.keep(
              world.task(organization, in: number < 3 ? project : shelter), in: organization))
        }
        let known = tasks
        let outcomes = await concurrently(10) { number in
          switch number {
          case 0:
            try await world.storage.deleteProject(Self.deletion(of: project, organization), mode: mode)
          case 1...3:
            try await world.keep(world.task(organization, in: project), in: organization)
          default:
            // Out of the project, and into it.
            let task = known[number - 4]
            let target = task.projectID == project.id ? shelter.id : project.id
            _ = try await world.storage.updateTask(
              TaskUpdate(
                id: task.id, organization: organization.key, expectedVersion: nil,
                context: .test(at: .hour(4))), movingTo: target
            ) { $0.name = "Moved" }
          }
        }
        for (number, outcome) in outcomes.enumerated() {
          guard case .failure(let error) = outcome else { continue }
          let isExpected =
            error as? TimeclockError == .projectNotFound
            || (mode == .delete && error as? TimeclockError == .notFound(.task))
          #expect(number > 0 && isExpected, "\(number): \(error)")
        }
        #expect(try await world.projects(organization).allSatisfy { $0.id != project.id })
        #expect(try await world.tasks(organization).allSatisfy { $0.projectID != project.id })
      }
      let changes = try await world.changes(organization)
      for task in try await world.tasks(organization) {
        let last = changes.last { $0.resourceID == ResourceID(task.id) }
        #expect(last?.after == task.snapshot)
      }
      _ = try await world.expectIntactChain(organization)
    }
  }
}
