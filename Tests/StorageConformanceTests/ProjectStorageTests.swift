import Testing
import TimeclockDomain

@Suite("Projects in a storage")
struct ProjectStorageTests {
  private static func update(
    _ project: Project, _ organization: TestOrganization, version: Int64? = nil
  ) -> ProjectUpdate {
    ProjectUpdate(
      id: project.id, organization: organization.key, expectedVersion: version,
      context: .test(at: .hour(3)))
  }

  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var full = world.project(organization, of: organization.admin)
      full.name = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
      full.client = String(repeating: "🌙", count: 200)
      full.color = try ProjectColor("#09afAF")
      full.isArchived = true
      full.isBillable = true
      full.version = 7
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      #expect(emptyFields(of: full) == [])
      #expect(full.color.text == "#09AFAF")
      let bare = world.project(organization)
      for one in [full, bare] {
        #expect(try await world.keep(one, in: organization) == one)
        #expect(try await world.storage.project(one.id, in: organization.key) == one)
        #expect(try await world.changes(organization).last?.after == one.snapshot)
      }
      #expect(try await world.projects(organization) == [full, bare])
      #expect(try await world.storage.project(world.id(), in: organization.key) == nil)
      let found = try #require(try await world.storage.project(full.id, in: organization.key))
      #expect(Array(found.name.unicodeScalars) == Array(full.name.unicodeScalars))
    }
  }

  @Test(
    "are listed by owner in the order of their making, in pages of any size", arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let members = [try await world.member(of: organization), try await world.member(of: organization)]
      var made: [Project] = []
      for number in 0..<12 {
        var new = world.project(organization, of: number % 3 == 0 ? nil : members[number % 3 - 1])
        new.isArchived = number % 4 == 1
        made.append(try await world.keep(new, in: organization))
        try await world.keep(world.project(other), in: other)
      }
      let (own, key) = (members[0].id, members[0].key.user)
      _ = try await world.group("Crew", of: [members[1]], in: organization) {
        ($0.managerIDs, $0.representativeIDs) = ([organization.admin.id], [own])
      }
      let selections: [(OwnerSelection, (Project) -> Bool)] = [
        (.everybody, { _ in true }), (.organization, { $0.ownerID == nil }),
        (.member(key), { $0.ownerID == own }),
        (.organizationAndMember(key), { $0.ownerID == nil || $0.ownerID == own }),
        (
          .organizationAndManaged(by: organization.admin.key.user),
          { $0.ownerID == nil || $0.ownerID == members[1].id }
        ),
      ]
      for size in [1, 2, 5, 100] {
        for (owners, isShown) in selections {
          for isArchived in [nil, true, false] as [Bool?] {
            let found = try await world.projects(
              organization, of: owners, isArchived: isArchived, pageSize: size)
            let expected = made.filter { isShown($0) && (isArchived ?? $0.isArchived) == $0.isArchived }
            #expect(!expected.isEmpty && found == expected, "\(owners), \(isArchived as Any), \(size)")
          }
        }
      }
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let before = try await world.keep(world.project(organization, of: member), in: organization)
      let changed = try await world.storage.updateProject(Self.update(before, organization, version: 1)) {
        project in
        project.name = "B"
        project.client = "C"
        project.color = try ProjectColor("#000000")
        project.isArchived = true
        project.isBillable = true
        // None of the caller's business.
        project.id = ProjectID(high: 1, low: 1)
        project.ownerID = nil
        project.version = 40
        project.createdAt = .hour(9)
      }
      var expected = before
      expected.name = "B"
      expected.client = "C"
      expected.color = ProjectColor(stored: "#000000")
      expected.isArchived = true
      expected.isBillable = true
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(equalFields(of: before, expected) == ["id", "organizationID", "ownerID", "createdAt"])
      #expect(changed == expected)
      #expect(try await world.storage.project(before.id, in: organization.key) == expected)
      let count = try await world.changes(organization).count
      let same = try await world.storage.updateProject(Self.update(before, organization)) { $0.name = "B" }
      #expect(same == expected)
      await #expect(throws: TimeclockError.changed(current: expected.current)) {
        _ = try await world.storage.updateProject(Self.update(before, organization, version: 1)) {
          $0.name = "C"
        }
      }
      await #expect(throws: TimeclockError.invalidName) {
        _ = try await world.storage.updateProject(Self.update(before, organization, version: 2)) { project in
          project.name = "C"
          throw TimeclockError.invalidName
        }
      }
      await #expect(throws: TimeclockError.notFound(.project)) {
        let absent = world.project(organization)
        _ = try await world.storage.updateProject(Self.update(absent, organization)) { $0.name = "C" }
      }
      #expect(try await world.projects(organization) == [expected])
      let changes = try await world.changes(organization)
      #expect(changes.count == count)
      #expect(changes.last?.before == before.snapshot && changes.last?.after == expected.snapshot)
    }
  }

  @Test("are gone once deleted, but for the log", arguments: StorageFactory.all)
  func delete(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let kept = try await world.keep(world.project(organization), in: organization)
      let gone = try await world.keep(world.project(organization), in: organization)
      for (place, version, error) in [
        (other, 1, .notFound(.project)), (organization, 2, .changed(current: gone.current)),
      ] as [(TestOrganization, Int64, TimeclockError)] {
        await #expect(throws: error) {
          try await world.storage.deleteProject(Self.update(gone, place, version: version), mode: nil)
        }
      }
      try await world.storage.deleteProject(Self.update(gone, organization, version: 1), mode: nil)
      #expect(try await world.projects(organization) == [kept])
      #expect(try await world.storage.project(gone.id, in: organization.key) == nil)
      let changes = try await world.changes(organization)
      #expect(changes.last?.before == gone.snapshot && changes.last?.after == nil)
      await #expect(throws: TimeclockError.notFound(.project)) {
        try await world.storage.deleteProject(Self.update(gone, organization), mode: nil)
      }
      #expect(try await world.changes(organization) == changes)
      // Its number is nobody's again: a list that goes on after it shows the next one.
      let next = try await world.keep(world.project(organization), in: organization)
      #expect(try await world.projects(organization, pageSize: 1) == [kept, next])
    }
  }

  @Test("belong to active members of the organization", arguments: StorageFactory.all)
  func owners(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let stranger = try await world.organization().admin
      let left = try await world.member(of: organization)
      let own = try await world.keep(world.project(organization, of: left), in: organization)
      try await world.update(left, in: organization) { $0.isActive = false }
      let count = try await world.changes(organization).count
      for (owner, error) in [(stranger, .notFound(.member)), (left, .memberDeactivated)]
        as [(TestMember, TimeclockError)]
      {
        await #expect(throws: error) {
          try await world.keep(world.project(organization, of: owner), in: organization)
        }
      }
      #expect(try await world.changes(organization).count == count)
      #expect(try await world.projects(organization) == [own])
      let changed = try await world.storage.updateProject(Self.update(own, organization)) {
        $0.isArchived = true
      }
      #expect(changed.isArchived && changed.ownerID == left.id)
    }
  }

  @Test("of a person's own reveal nothing once the person is anonymized", arguments: StorageFactory.all)
  func anonymize(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = try await world.member(of: organization)
      let shared = try await world.keep(world.project(organization), in: organization)
      var own = world.project(organization, of: person)
      (own.name, own.client) = ("Secret", "Secret client")
      try await world.keep(own, in: organization)
      var gone = world.project(organization, of: person)
      gone.name = "Secret \"userId\":\" once"
      try await world.keep(gone, in: organization)
      try await world.storage.deleteProject(Self.update(gone, organization), mode: nil)
      try await world.update(person, in: organization) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(
        person.id, in: organization.key, context: .test(at: .hour(30)))
      var expected = own
      (expected.name, expected.client) = ("Anonymous", nil)
      expected.version = 2
      expected.updatedAt = .hour(30)
      #expect(try await world.projects(organization) == [shared, expected])
      let stored = try await world.storage.storedChanges(of: organization.key, after: 0, limit: 100)
      for change in stored {
        for text in [change.content.before, change.content.after] {
          #expect(text?.contains("Secret") != true)
        }
      }
      let told = try await world.changes(organization).filter { $0.resource == .project && !$0.isErased }
      #expect(told.map(\.after) == [shared.snapshot])
      _ = try await world.expectIntactChain(organization)
    }
  }
}
