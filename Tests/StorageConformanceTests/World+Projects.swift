import Testing
import TimeclockDomain

extension World {
  /// The head of a record that is made at the start.
  func head<Record>(in organization: TestOrganization) -> Head<Record> {
    Head(id: id(), organizationID: organization.id, at: World.start)
  }

  /// A project that is not kept yet.
  func project(
    _ organization: TestOrganization, of owner: TestMember? = nil, isArchived: Bool = false
  ) -> Project {
    Project(head: head(in: organization)) {
      $0.ownerID = owner?.id
      $0.name = "Harvest"
      $0.isArchived = isArchived
    }
  }

  @discardableResult
  func keep(_ project: Project, in organization: TestOrganization) async throws -> Project {
    try await storage.createProject(
      project, in: organization.key, ownedLimit: 100, context: .test(), recording: nil)
  }

  func keepProject(
    of owner: TestMember? = nil, isArchived: Bool = false, in organization: TestOrganization
  ) async throws -> Project {
    try await keep(project(organization, of: owner, isArchived: isArchived), in: organization)
  }

  /// A task that is not kept yet.
  func task(
    _ organization: TestOrganization, of owner: TestMember? = nil, in project: Project? = nil
  ) -> WorkTask {
    WorkTask(head: head(in: organization)) {
      $0.projectID = project?.id
      $0.ownerID = owner?.id
      $0.name = "Pick"
    }
  }

  @discardableResult
  func keep(_ task: WorkTask, in organization: TestOrganization) async throws -> WorkTask {
    try await storage.createTask(
      task, in: organization.key, ownedLimit: 100, context: .test(), recording: nil)
  }

  /// A list of projects, read in pages.
  func projects(
    _ organization: TestOrganization, of owners: OwnerSelection = .everybody, isArchived: Bool? = nil,
    pageSize: Int = 100
  ) async throws -> [Project] {
    try await all(of: pageSize) { cursor in
      try await storage.projects(
        ProjectQuery(
          organization: organization.key, owners: owners, isArchived: isArchived, cursor: cursor,
          limit: pageSize))
    }
  }

  /// A list of tasks, read in pages.
  func tasks(
    _ organization: TestOrganization, of owners: OwnerSelection = .everybody, in project: ProjectID? = nil,
    isHidden: Bool? = nil, pageSize: Int = 100
  ) async throws -> [WorkTask] {
    try await all(of: pageSize) { cursor in
      try await storage.tasks(
        TaskQuery(
          organization: organization.key, owners: owners, project: project, isHidden: isHidden,
          cursor: cursor, limit: pageSize))
    }
  }

  func all<Element>(
    of pageSize: Int, _ page: (RowCursor?) async throws -> Page<Element, RowCursor>
  ) async throws -> [Element] {
    var found: [Element] = []
    var cursor: RowCursor?
    repeat {
      let next = try await page(cursor)
      #expect(next.elements.count <= pageSize)
      found += next.elements
      cursor = next.next
    } while cursor != nil
    return found
  }
}
