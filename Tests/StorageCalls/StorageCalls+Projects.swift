import TimeclockDomain

extension StoragePart {
  static let projects = StoragePart(StorageCalls.projects) { organization, storage in
    _ = try await storage.createProject(
      organization.project(organization.names.project, of: organization.member.id), in: organization.key,
      ownedLimit: 100, context: .call, recording: nil)
  }
}

extension PreparedOrganization.Names {
  /// The project that is the member's own.
  var project: ProjectID { id(of: .project) }
}

extension PreparedOrganization {
  fileprivate func project(_ id: ProjectID = next(), of owner: UserID? = nil) -> Project {
    Project(head: head(id)) {
      $0.ownerID = owner
      $0.name = names.text
      $0.client = names.text
      $0.isBillable = true
    }
  }
}

extension StorageCalls {
  fileprivate static let projects: [StorageMethod] = [
    StorageMethod(
      "createProject(_:in:ownedLimit:context:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.createProject(
          organization.project(), in: organization.key, ownedLimit: 100, context: .call, recording: recording)
      } + [
        StorageCall("of a member") { organization, storage in
          try await storage.createProject(
            organization.project(of: organization.member.id), in: organization.key, ownedLimit: 100,
            context: .call,
            recording: nil)
        },
        StorageCall("of a stranger") { organization, storage in
          try await storage.createProject(
            organization.project(of: PreparedOrganization.next()), in: organization.key, ownedLimit: 100,
            context: .call,
            recording: nil)
        },
      ]),
    StorageMethod(
      "project(_:in:)", .reads, .organization,
      [StorageCall { try await $1.project($0.names.project, in: $0.key) }]),
    StorageMethod(
      "projects(_:)", .reads, .organization,
      ownedLists(flagged: "archived").map { list in
        StorageCall("of \(list.name)") { organization, storage in
          try await storage.projects(
            ProjectQuery(
              organization: organization.key, owners: list.owners(organization), isArchived: list.isFlagged,
              limit: 9))
        }
      }),
    StorageMethod(
      "updateProject(_:_:)", .writes, .organization,
      [nil, 9].map { version in
        StorageCall(version == nil ? "by its name" : "of another version") { organization, storage in
          try await storage.updateProject(change(of: organization, version: version)) { $0.name = "Changed" }
        }
      }),
    StorageMethod(
      "deleteProject(_:mode:)", .writes, .organization,
      [nil, .detach, .delete].map { mode in
        StorageCall(mode.map { "by \($0)" } ?? "") { organization, storage in
          try await storage.deleteProject(change(of: organization, version: 1), mode: mode)
        }
      }),
  ]

  private static func change(of organization: PreparedOrganization, version: Int64?) -> ProjectUpdate {
    ProjectUpdate(
      id: organization.names.project, organization: organization.key, expectedVersion: version,
      context: .call)
  }
}
