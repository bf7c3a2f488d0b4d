import Testing
import TimeclockDomain

@Suite("Tasks in a storage")
struct TaskStorageTests {
  @Test(
    "and projects of one member are limited, and the organization's are not", arguments: StorageFactory.all)
  func ownedLimit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      func makeTask(of owner: TestMember?) async throws {
        _ = try await world.storage.createTask(
          world.task(organization, of: owner), in: organization.key, ownedLimit: 2, context: .test(),
          recording: nil)
      }
      func makeProject(of owner: TestMember?) async throws {
        _ = try await world.storage.createProject(
          world.project(organization, of: owner), in: organization.key, ownedLimit: 2, context: .test(),
          recording: nil)
      }
      for owner in [member, other, nil] {
        for _ in 0..<2 {
          try await makeTask(of: owner)
          try await makeProject(of: owner)
        }
      }
      await #expect(throws: TimeclockError.tooManyTasks) { try await makeTask(of: member) }
      await #expect(throws: TimeclockError.tooManyProjects) { try await makeProject(of: member) }
      try await makeTask(of: nil)
      try await makeProject(of: nil)
    }
  }

  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let project = try await world.keepProject(in: organization)
      var full = world.task(organization, of: organization.admin, in: project)
      full.name = "Küche \u{65}\u{301} 👩‍🍳 \"'; --" + String(repeating: "🌙", count: 80)
      full.isHidden = true
      full.version = 7
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      #expect(emptyFields(of: full) == [])
      let bare = world.task(organization)
      for one in [full, bare] {
        #expect(try await world.keep(one, in: organization) == one)
        #expect(try await world.storage.task(one.id, in: organization.key) == one)
        #expect(try await world.changes(organization).last?.after == one.snapshot)
      }
      #expect(try await world.tasks(organization) == [full, bare])
      #expect(try await world.storage.task(world.id(), in: organization.key) == nil)
      let found = try #require(try await world.storage.task(full.id, in: organization.key))
      #expect(Array(found.name.unicodeScalars) == Array(full.name.unicodeScalars))
    }
  }

  @Test(
    "are listed by owner and project in the order of their making, in pages of any size",
    arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let members = [try await world.member(of: organization), try await world.member(of: organization)]
      let projects = [
        try await world.keepProject(in: organization), try await world.keepProject(in: organization),
      ]
      var made: [WorkTask] = []
      for number in 0..<36 {
        var new = world.task(
          organization, of: number % 3 == 0 ? nil : members[number % 3 - 1],
          in: number % 4 == 3 ? nil : projects[number % 4 % 2])
        new.isHidden = number / 3 % 3 == 1
        made.append(try await world.keep(new, in: organization))
        try await world.keep(world.task(other), in: other)
      }
      let (own, key) = (members[0].id, members[0].key.user)
      _ = try await world.group("Crew", of: [members[1]], in: organization) {
        ($0.managerIDs, $0.representativeIDs) = ([organization.admin.id], [own])
      }
      let selections: [(OwnerSelection, (WorkTask) -> Bool)] = [
        (.everybody, { _ in true }), (.organization, { $0.ownerID == nil }),
        (.member(key), { $0.ownerID == own }),
        (.organizationAndMember(key), { $0.ownerID == nil || $0.ownerID == own }),
        (
          .organizationAndManaged(by: organization.admin.key.user),
          { $0.ownerID == nil || $0.ownerID == members[1].id }
        ),
      ]
      for size in [1, 5, 100] {
        for (owners, isShown) in selections {
          for isHidden in [nil, true, false] as [Bool?] {
            for project in [nil, projects[0].id] as [ProjectID?] {
              let found = try await world.tasks(
                organization, of: owners, in: project, isHidden: isHidden, pageSize: size)
              let expected = made.filter {
                isShown($0) && (isHidden ?? $0.isHidden) == $0.isHidden
                  && (project ?? $0.projectID) == $0.projectID
              }
              #expect(!expected.isEmpty && found == expected, "\(owners), \(isHidden as Any), \(size)")
            }
          }
        }
      }
      #expect(try await world.tasks(other, in: projects[0].id) == [])
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all)
  func changing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let projects = [
        try await world.keepProject(in: organization),
        try await world.keepProject(of: member, in: organization),
      ]
      let before = try await world.keep(
        world.task(organization, of: member, in: projects[0]), in: organization)
      let changed = try await world.storage.updateTask(
        update(before, organization, version: 1), movingTo: projects[1].id
      ) { task in
        task.name = "B"
        task.isHidden = true
        // None of the caller's business.
        task.projectID = nil
        task.id = TaskID(high: 1, low: 1)
        task.ownerID = nil
        task.version = 40
        task.createdAt = .hour(9)
      }
      var expected = before
      expected.name = "B"
      expected.isHidden = true
      expected.projectID = projects[1].id
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(equalFields(of: before, expected) == ["id", "organizationID", "ownerID", "createdAt"])
      #expect(changed == expected)
      #expect(try await world.storage.task(before.id, in: organization.key) == expected)
      let count = try await world.changes(organization).count
      for project in [nil, projects[1].id] as [ProjectID??] {
        let same = try await world.storage.updateTask(update(before, organization), movingTo: project) {
          task in
          task.name = "B"
          task.projectID = projects[0].id
        }
        #expect(same == expected)
      }
      await #expect(throws: TimeclockError.changed(current: expected.current)) {
        try await world.storage.updateTask(update(before, organization, version: 1), movingTo: nil) {
          $0.name = "C"
        }
      }
      await #expect(throws: TimeclockError.invalidName) {
        try await world.storage.updateTask(update(before, organization, version: 2), movingTo: .some(nil)) {
          task in
          task.name = "C"
          throw TimeclockError.invalidName
        }
      }
      await #expect(throws: TimeclockError.notFound(.task)) {
        let absent = world.task(organization)
        _ = try await world.storage.updateTask(update(absent, organization), movingTo: nil) { $0.name = "C" }
      }
      #expect(try await world.tasks(organization) == [expected])
      var changes = try await world.changes(organization)
      #expect(changes.count == count)
      #expect(changes.last?.before == before.snapshot && changes.last?.after == expected.snapshot)
      let freed = try await world.storage.updateTask(update(before, organization), movingTo: .some(nil)) {
        _ in
      }
      expected.projectID = nil
      expected.version = 3
      #expect(freed == expected)
      changes = try await world.changes(organization)
      #expect(changes.last?.after == expected.snapshot)
    }
  }

  @Test("are gone once deleted, but for the log", arguments: StorageFactory.all)
  func delete(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let kept = try await world.keep(world.task(organization), in: organization)
      let gone = try await world.keep(world.task(organization), in: organization)
      for (place, version, error) in [
        (other, 1, .notFound(.task)), (organization, 2, .changed(current: gone.current)),
      ] as [(TestOrganization, Int64, TimeclockError)] {
        await #expect(throws: error) {
          try await world.storage.deleteTask(update(gone, place, version: version))
        }
      }
      try await world.storage.deleteTask(update(gone, organization, version: 1))
      #expect(try await world.tasks(organization) == [kept])
      #expect(try await world.storage.task(gone.id, in: organization.key) == nil)
      let changes = try await world.changes(organization)
      #expect(changes.last?.before == gone.snapshot && changes.last?.after == nil)
      await #expect(throws: TimeclockError.notFound(.task)) {
        try await world.storage.deleteTask(update(gone, organization))
      }
      #expect(try await world.changes(organization) == changes)
      // Its number is nobody's again: a list that goes on after it shows the next one.
      let next = try await world.keep(world.task(organization), in: organization)
      #expect(try await world.tasks(organization, pageSize: 1) == [kept, next])
    }
  }

  @Test("belong to active members of the organization", arguments: StorageFactory.all)
  func owners(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let stranger = try await world.organization().admin
      let left = try await world.member(of: organization)
      let own = try await world.keep(world.task(organization, of: left), in: organization)
      try await world.update(left, in: organization) { $0.isActive = false }
      let count = try await world.changes(organization).count
      for (owner, error) in [(stranger, .notFound(.member)), (left, .memberDeactivated)]
        as [(TestMember, TimeclockError)]
      {
        await #expect(throws: error) {
          try await world.keep(world.task(organization, of: owner), in: organization)
        }
      }
      #expect(try await world.changes(organization).count == count)
      #expect(try await world.tasks(organization) == [own])
      let changed = try await world.storage.updateTask(update(own, organization), movingTo: nil) {
        $0.isHidden = true
      }
      #expect(changed.isHidden && changed.ownerID == left.id)
    }
  }

  @Test("are of projects that take them", arguments: StorageFactory.all)
  func projects(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let other = try await world.organization()
      let foreign = try await world.keepProject(in: other)
      let shared = try await world.keepProject(in: organization)
      let own = try await world.keepProject(of: member, in: organization)
      let archived = try await world.keepProject(isArchived: true, in: organization)
      let absent = world.project(organization)
      for owner in [nil, member, organization.admin] {
        let kept = try await world.keep(world.task(organization, of: owner, in: shared), in: organization)
        var refusals: [(Project, TimeclockError)] = [
          (foreign, .projectNotFound), (absent, .projectNotFound), (archived, .projectArchived),
        ]
        if owner?.id != member.id { refusals.append((own, .projectNotFound)) }
        let count = try await world.changes(organization).count
        for (project, error) in refusals {
          await #expect(throws: error) {
            try await world.keep(world.task(organization, of: owner, in: project), in: organization)
          }
          await #expect(throws: error) {
            try await world.storage.updateTask(update(kept, organization), movingTo: project.id) {
              $0.name = "Moved"
            }
          }
        }
        #expect(try await world.storage.task(kept.id, in: organization.key) == kept)
        #expect(try await world.changes(organization).count == count)
      }
      // A task in a project stays there when it is archived, and changes as before.
      let inside = try await world.keep(world.task(organization, of: member, in: own), in: organization)
      _ = try await world.storage.updateProject(
        ProjectUpdate(
          id: own.id, organization: organization.key, expectedVersion: nil, context: .test(at: .hour(3)))
      ) { $0.isArchived = true }
      let changed = try await world.storage.updateTask(update(inside, organization), movingTo: own.id) {
        $0.name = "Changed"
      }
      #expect(changed.projectID == own.id && changed.name == "Changed")
    }
  }

  @Test("of a person's own reveal nothing once the person is anonymized", arguments: StorageFactory.all)
  func anonymize(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = try await world.member(of: organization)
      let project = try await world.keepProject(in: organization)
      let shared = try await world.keep(world.task(organization, in: project), in: organization)
      var own = world.task(organization, of: person, in: project)
      own.name = "Secret"
      try await world.keep(own, in: organization)
      var gone = world.task(organization, of: person)
      gone.name = "Secret \"userId\":\" once"
      try await world.keep(gone, in: organization)
      try await world.storage.deleteTask(update(gone, organization))
      try await world.update(person, in: organization) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(
        person.id, in: organization.key, context: .test(at: .hour(30)))
      var expected = own
      expected.name = "Anonymous"
      expected.version = 2
      expected.updatedAt = .hour(30)
      #expect(try await world.tasks(organization) == [shared, expected])
      let stored = try await world.storage.storedChanges(of: organization.key, after: 0, limit: 100)
      for change in stored {
        for text in [change.content.before, change.content.after] {
          #expect(text?.contains("Secret") != true)
        }
      }
      let told = try await world.changes(organization).filter { $0.resource == .task && !$0.isErased }
      #expect(told.map(\.after) == [shared.snapshot])
      _ = try await world.expectIntactChain(organization)
    }
  }
}

private func update(
  _ task: WorkTask, _ organization: TestOrganization, version: Int64? = nil
) -> TaskUpdate {
  TaskUpdate(
    id: task.id, organization: organization.key, expectedVersion: version, context: .test(at: .hour(3)))
}
