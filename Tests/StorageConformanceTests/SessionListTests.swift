import Testing
import TimeclockDomain

@Suite("Lists of sessions")
struct SessionListTests {
  private static func day(_ number: Int) -> LocalDate { World.today.adding(days: number) }

  @Test("are in the order of dates, then of making, for every size of page", arguments: StorageFactory.all)
  func order(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [organization.admin, try await world.member(of: organization)]
      var kept: [SessionDetails] = []
      for number in 0..<24 {
        let assignees = members.enumerated().filter { number % 3 != $0.offset }.map(\.element)
        let session = world.session(
          in: organization, on: Self.day([3, -40, 0, 3, 45][number % 5]), assignees: assignees)
        kept.append(try await world.keep(session, in: organization))
      }
      let order = kept.enumerated().sorted {
        ($0.element.session.date, $0.offset) < ($1.element.session.date, $1.offset)
      }.map(\.element)
      let ranges: [(LocalDate?, LocalDate?)] = [
        (nil, nil), (Self.day(0), nil), (nil, Self.day(0)), (Self.day(0), Self.day(3)),
        (Self.day(1), Self.day(2)),
        (Self.day(-40), Self.day(45)), (Self.day(3), Self.day(3)), (Self.day(3), Self.day(0)),
      ]
      for (from, through) in ranges {
        for member in [nil, members[0], members[1]] {
          let expected = order.filter { details in
            let date = details.session.date
            return date >= from ?? .earliest && date <= through ?? .latest
              && (member.map { details.session.assigneeIDs.contains($0.id) } ?? true)
          }
          for pageSize in [1, 2, 5, 24, 100] {
            let listed = try await world.listSessions(
              organization, assignee: member, from: from, through: through, pageSize: pageSize)
            #expect(listed == expected, "\(String(describing: from)) to \(String(describing: through))")
          }
        }
      }
    }
  }

  @Test("of a group are those to which one of its members is assigned now", arguments: StorageFactory.all)
  func ofGroup(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (ann, bob) = (try await world.member(of: organization), try await world.member(of: organization))
      var kept: [SessionDetails] = []
      for (number, assignees) in [[ann], [bob], [], [ann, bob], [organization.admin]].enumerated() {
        let session = world.session(in: organization, on: Self.day(number), assignees: assignees)
        kept.append(try await world.keep(session, in: organization))
      }
      let group = Group(head: world.head(in: organization)) {
        $0.name = "Crew"
        $0.managerIDs = [bob.id]
        $0.memberIDs = [ann.id]
      }
      _ = try await world.storage.createGroup(group, in: organization.key, context: .test(), recording: nil)
      var query = SessionQuery(
        organization: organization.key,
        group: try await world.storage.groupKey(of: group.id, in: organization.key), limit: 9)
      #expect(try await world.storage.sessions(query).elements == [kept[0], kept[3]])
      query.from = Self.day(1)
      #expect(try await world.storage.sessions(query).elements == [kept[3]])
      query.assignee = bob.key.user
      #expect(try await world.storage.sessions(query).elements == [kept[3]])
    }
  }

  @Test(
    "repeat and skip nothing though sessions are made and deleted meanwhile", arguments: StorageFactory.all)
  func paging(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var original: [SessionDetails] = []
      for number in 0..<20 {
        original.append(
          try await world.keep(world.session(in: organization, on: Self.day(number / 4)), in: organization))
      }
      for assignee in [nil, organization.admin] {
        if assignee != nil {
          for (index, one) in original.enumerated() {
            original[index] = try await world.change(
              one.session, in: organization, assignees: [organization.admin.id])
          }
        }
        var query = SessionQuery(
          organization: organization.key, assignee: assignee?.key.user, limit: 3)
        var seen: [SessionDetails] = []
        repeat {
          let page = try await world.storage.sessions(query)
          seen += page.elements
          query.cursor = page.next
          for day in [-1, 1, 2, 9] {
            let passing = world.session(in: organization, on: Self.day(day), assignees: [organization.admin])
            try await world.keep(passing, in: organization)
            if day != 9 { try await world.delete(passing, in: organization) }
          }
        } while query.cursor != nil && seen.count < 200
        #expect(seen.filter { original.contains($0) } == original)
        #expect(Set(seen).count == seen.count)
      }
    }
  }
}
