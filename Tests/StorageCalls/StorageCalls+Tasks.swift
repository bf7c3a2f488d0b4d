import TimeclockDomain

extension StoragePart {
  static let tasks = StoragePart(StorageCalls.tasks) { organization, storage in
    _ = try await storage.createTask(
      organization.task(
        organization.names.task, in: organization.names.project, of: organization.member.id),
      in: organization.key, ownedLimit: 100, context: .call, recording: nil)
  }
}

extension PreparedOrganization.Names {
  /// The task that is the member's own, of the member's project.
  fileprivate var task: TaskID { id(of: .task) }
}

extension PreparedOrganization {
  fileprivate func task(
    _ id: TaskID = next(), in project: ProjectID? = nil, of owner: UserID? = nil
  ) -> WorkTask {
    WorkTask(head: head(id)) {
      $0.projectID = project
      $0.ownerID = owner
      $0.name = names.text
    }
  }
}

extension StorageCalls {
  fileprivate static let tasks: [StorageMethod] = [
    StorageMethod(
      "createTask(_:in:ownedLimit:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createTask(
          organization.task(), in: organization.key, ownedLimit: 100, context: .call, recording: recording)
      } + [
        StorageCall("of a member in a project") { organization, storage in
          try await storage.createTask(
            organization.task(in: organization.names.project, of: organization.member.id),
            in: organization.key, ownedLimit: 100, context: .call, recording: nil)
        },
        StorageCall("of a stranger") { organization, storage in
          try await storage.createTask(
            organization.task(of: PreparedOrganization.next()), in: organization.key, ownedLimit: 100,
            context: .call,
            recording: nil)
        },
      ]),
    StorageMethod(
      "task(_:in:)", .reads, .organization, [StorageCall { try await $1.task($0.names.task, in: $0.key) }]),
    StorageMethod(
      "tasks(_:)", .reads, .organization,
      [false, true].flatMap { isOfProject in
        ownedLists(flagged: "hidden").map { list in
          StorageCall("of \(list.name)\(isOfProject ? " in a project" : "")") { organization, storage in
            try await storage.tasks(
              TaskQuery(
                organization: organization.key, owners: list.owners(organization),
                project: isOfProject ? organization.names.project : nil, isHidden: list.isFlagged, limit: 9))
          }
        }
      }),
    StorageMethod(
      "updateTask(_:movingTo:_:)", .writes, .organization,
      [nil, 9].map { version in
        StorageCall(version == nil ? "by its name" : "of another version") { organization, storage in
          try await storage.updateTask(change(of: organization, version: version), movingTo: nil) {
            $0.name = "Changed"
          }
        }
      } + [
        StorageCall("into a project that it is in") { organization, storage in
          try await storage.updateTask(
            change(of: organization, version: nil), movingTo: organization.names.project
          ) { $0.isHidden = true }
        },
        StorageCall("out of its project") { organization, storage in
          try await storage.updateTask(change(of: organization, version: nil), movingTo: .some(nil)) { _ in }
        },
      ]),
    StorageMethod(
      "deleteTask(_:)", .writes, .organization,
      [StorageCall { try await $1.deleteTask(change(of: $0, version: 1)) }]),
  ]

  private static func change(of organization: PreparedOrganization, version: Int64?) -> TaskUpdate {
    TaskUpdate(
      id: organization.names.task, organization: organization.key, expectedVersion: version, context: .call)
  }
}
