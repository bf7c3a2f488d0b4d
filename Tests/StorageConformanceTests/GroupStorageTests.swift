import Procedures
import Testing
import TimeclockDomain

@Suite("Groups in a storage")
struct GroupStorageTests {
  @Test("come back as they were kept, of everybody or of one person", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (one, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let full = try await world.group("Ernte 🌙", of: [other, one], in: organization) {
        $0.managerIDs = [organization.admin.id]
        $0.representativeIDs = [other.id, one.id]
      }
      let part = try await world.group("Küche", of: [one], in: organization)
      let empty = try await world.group("\u{65}\u{301}", of: [], in: organization)
      #expect(emptyFields(of: full) == [])
      #expect(full.memberIDs == full.representativeIDs && Set(full.memberIDs) == [one.id, other.id])
      for group in [full, part, empty] {
        #expect(try await world.storage.group(group.id, in: organization.key) == group)
        #expect(try await world.changes(organization).contains { $0.after == group.snapshot })
      }
      for size in [1, 2, 9] {
        #expect(try await world.groups(in: organization, pageSize: size) == [full, part, empty])
        #expect(try await world.groups(of: one, in: organization, pageSize: size) == [full, part])
        #expect(try await world.groups(of: organization.admin, in: organization, pageSize: size) == [full])
      }
      let away = try await world.organization()
      #expect(try await world.storage.group(full.id, in: away.key) == nil)
      #expect(try await world.groups(in: away) == [])
    }
  }

  @Test("change in the lists that are stated, and nowhere else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (one, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let before = try await world.group("Crew", of: [one], in: organization) {
        $0.managerIDs = [one.id, other.id]
      }
      let changed = try await world.update(before, in: organization, people: [other.id]) {
        $0.memberIDs = [other.id]
        $0.representativeIDs = [other.id, other.id]
      }
      #expect(changed.managerIDs == before.managerIDs && changed.memberIDs == [other.id])
      #expect(changed.representativeIDs == [other.id] && changed.version == 2)
      #expect(try await world.storage.group(before.id, in: organization.key) == changed)
      let count = try await world.changes(organization).count
      #expect(try await world.update(changed, in: organization, people: []) { $0.name = "Crew" } == changed)
      let stranger = try await world.organization().admin
      await #expect(throws: TimeclockError.notFound(.member)) {
        _ = try await world.update(changed, in: organization, people: [stranger.id]) {
          $0.memberIDs = [stranger.id]
        }
      }
      await #expect(throws: TimeclockError.changed(current: changed.current)) {
        _ = try await world.update(before, in: organization, people: []) { $0.memberIDs = [] }
      }
      #expect(try await world.storage.group(before.id, in: organization.key) == changed)
      #expect(try await world.changes(organization).count == count)
      let deletion = ResourceUpdate<Group>(
        id: before.id, organization: organization.key, expectedVersion: 2, context: .test())
      try await world.storage.deleteGroup(deletion)
      #expect(try await world.groups(of: one, in: organization) == [])
      #expect(try await world.changes(organization).last?.before == changed.snapshot)
      await #expect(throws: TimeclockError.notFound(.group)) { try await world.storage.deleteGroup(deletion) }
    }
  }

  @Test("show their managers their members", arguments: StorageFactory.all)
  func managed(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<4 { members.append(try await world.member(of: organization)) }
      let (storage, key, ids) = (world.storage, organization.key, members.map(\.id))
      let early = try await world.group("Early", of: [members[1]], in: organization) {
        ($0.managerIDs, $0.representativeIDs) = ([ids[0]], [ids[3]])
      }
      let late = try await world.group("Late", of: [members[1], members[2]], in: organization) {
        $0.managerIDs = [ids[0], ids[3]]
      }
      // A member of it who manages nothing sees nobody by it.
      _ = try await world.group("Other", of: [members[0], members[3]], in: organization)
      for (person, expected, groups) in [
        (members[0], Set(ids[0...2]), [early, late]), (members[1], [], []),
        (members[3], [ids[1], ids[2], ids[3]], [late]),
      ] {
        #expect(try await storage.peopleManaged(by: person.key.user, in: key) == expected)
        let page = try await storage.groups(
          of: key, with: person.key.user, isManager: true, after: nil, limit: 9)
        #expect(page.elements == groups)
        let shown = try await storage.members(
          of: key, in: .managed(by: person.key.user), matching: MemberFilter(), after: nil, limit: 9)
        #expect(Set(shown.elements.map(\.userID)) == expected)
        let named = try await storage.groupsOfMembers(in: key, managedBy: person.key.user)
        #expect(Set(named.values.map(\.name)) == Set(groups.map(\.name)))
      }
      let lateKey = try #require(try await storage.groupKey(of: late.id, in: key))
      for (person, part, isIt) in [
        (members[0], Group.Part.manager, true), (members[0], .member, false), (members[1], .member, true),
        (members[1], .representative, false),
      ] { #expect(try await storage.has(person.key.user, as: part, lateKey, in: key) == isIt) }
    }
  }

  @Test("are of members, and at most the limit, however many are made at once", arguments: StorageFactory.all)
  func limit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let stranger = try await world.organization().admin
      await #expect(throws: TimeclockError.notFound(.member)) {
        _ = try await world.group("Crew", of: [member, stranger], in: organization)
      }
      #expect(try await world.groups(in: organization) == [])
      let limit = Int(Group.limit.count)
      for _ in 0..<limit - 4 { _ = try await world.group("Crew", of: [], in: organization) }
      let outcomes = await concurrently(16) { _ in
        try await world.group("Crew", of: [member], in: organization)
      }
      for case .failure(let error) in outcomes { #expect(error as? TimeclockError == .tooManyGroups) }
      #expect(outcomes.filter { (try? $0.get()) != nil }.count == 4)
      #expect(try await world.groups(in: organization).count == limit)
      #expect(try await world.groups(of: member, in: organization).count == 4)
    }
  }
}

extension World {
  /// Keeps a group.
  func group(
    _ name: String, of members: [TestMember], in organization: TestOrganization,
    _ fill: (inout Group) -> Void = { _ in }
  ) async throws -> Group {
    var group = Group(head: head(in: organization)) {
      $0.name = name
      $0.memberIDs = members.map(\.id)
    }
    fill(&group)
    return try await storage.createGroup(group, in: organization.key, context: .test(), recording: nil)
  }

  fileprivate func update(
    _ group: Group, in organization: TestOrganization, people: Set<UserID>,
    _ change: @escaping @Sendable (inout Group) -> Void
  ) async throws -> Group {
    try await storage.updateGroup(
      ResourceUpdate(
        id: group.id, organization: organization.key, expectedVersion: group.version, context: .test()),
      people: people, change)
  }

  fileprivate func groups(
    of member: TestMember? = nil, in organization: TestOrganization, pageSize: Int = 100
  ) async throws -> [Group] {
    try await all(of: pageSize) { cursor in
      try await storage.groups(of: organization.key, with: member?.key.user, after: cursor, limit: pageSize)
    }
  }
}
