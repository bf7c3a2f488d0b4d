import Procedures
import Testing
import TimeclockDomain

@Suite("Reads on record in a storage")
struct RecordReadTests {
  @Test("come back with every field, newest first, by each condition", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (one, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let both = try await world.group("Ernte 🌙", of: [one, other], in: organization)
      let single = try await world.group("Küche", of: [other], in: organization)
      let day = World.start.adding(milliseconds: 86_400_000)
      let full = try await world.keepRead(of: both, [one], by: organization.admin, in: organization) {
        ($0.startDate, $0.endDate) = (.earliest, .latest)
      }
      let open = try await world.keepRead(of: both, by: one, in: organization) {
        ($0.operation, $0.time) = (.reportBalance, day)
      }
      let last = try await world.keepRead(of: single, by: one, in: organization)
      #expect(emptyFields(of: full) == [] && emptyFields(of: open) == ["userID", "startDate", "endDate"])
      for size in [1, 2, 9] {
        #expect(try await world.reads(in: organization, pageSize: size) == [last, open, full])
        for (expected, narrow) in [
          ([last, open], { $0.readerID = one.id }), ([open, full], { $0.groupID = both.id }),
          ([open, full], { $0.person = one.key.user }), ([last, open], { $0.person = other.key.user }),
          ([], { $0.person = organization.admin.key.user }),
          ([open], { ($0.readerID, $0.groupID, $0.person) = (one.id, both.id, other.key.user) }),
          ([open], { $0.startTime = day }), ([last, full], { $0.endTime = day }),
        ] as [([RecordRead], (inout RecordReadQuery) -> Void)] {
          #expect(try await world.reads(in: organization, pageSize: size, narrow) == expected)
        }
      }
      #expect(try await world.reads(in: try await world.organization()) == [])
      let logged = try await world.changes(organization).map(\.context.operation)
      #expect(!logged.contains("keepRead") && !logged.contains("listTimeEntries"))
    }
  }

  @Test("are of those who were members then, whatever becomes of the group", arguments: StorageFactory.all)
  func members(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (one, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let group = try await world.group("Crew", of: [one], in: organization)
      let read = try await world.keepRead(of: group, by: organization.admin, in: organization)
      let key = try #require(try await world.storage.groupKey(of: group.id, in: organization.key))
      let changed = try await world.storage.updateGroup(
        ResourceUpdate(
          id: group.id, organization: organization.key, expectedVersion: nil, context: .test()),
        people: [other.id]
      ) { ($0.name, $0.memberIDs) = ("Others", [other.id]) }
      let later = try await world.keepRead(of: changed, by: organization.admin, in: organization)
      #expect(read.groupName == "Crew" && later.groupName == "Others")
      await #expect(throws: TimeclockError.notFound(.member)) {
        _ = try await world.keepRead(of: changed, [one], by: organization.admin, in: organization)
      }
      try await world.storage.deleteGroup(
        ResourceUpdate(
          id: group.id, organization: organization.key, expectedVersion: nil, context: .test()))
      for (member, expected) in [(one, read), (other, later)] {
        #expect(try await world.reads(in: organization) { $0.person = member.key.user } == [expected])
      }
      await #expect(throws: TimeclockError.notFound(.group)) {
        _ = try await world.keepRead(of: group, at: key, by: organization.admin, in: organization)
      }
      #expect(try await world.reads(in: organization) == [later, read])
    }
  }
}

extension World {
  /// Keeps a read of a group, or of some of its members, and gives it with the group's name.
  fileprivate func keepRead(
    of group: Group, at key: GroupKey? = nil, _ people: [TestMember] = [], by reader: TestMember,
    in organization: TestOrganization, _ fill: (inout RecordRead) -> Void = { _ in }
  ) async throws -> RecordRead {
    var found = key
    if found == nil { found = try await storage.groupKey(of: group.id, in: organization.key) }
    let representation = Representation(
      group: try #require(found), groupID: group.id, operation: .listTimeEntries,
      people: people.map { ($0.id, $0.key.user) })
    var read = RecordRead(
      id: id(), time: World.start, readerID: reader.id, groupID: group.id, groupName: group.name,
      operation: .listTimeEntries, userID: representation.userID, startDate: nil, endDate: nil)
    fill(&read)
    try await storage.keepRead(read, as: representation, in: organization.key)
    return read
  }

  fileprivate func reads(
    in organization: TestOrganization, pageSize: Int = 100,
    _ narrow: (inout RecordReadQuery) -> Void = { _ in }
  ) async throws -> [RecordRead] {
    var wanted = RecordReadQuery(organization: organization.key, limit: pageSize)
    narrow(&wanted)
    return try await all(of: pageSize) { [wanted] cursor in
      var query = wanted
      query.cursor = cursor
      return try await storage.recordReads(query)
    }
  }
}
