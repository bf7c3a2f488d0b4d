import Testing
import TimeclockDomain

@Suite("Exports of time entries")
struct TimeEntryExportTests {
  @Test("come member by member, oldest first, in pages of any size", arguments: StorageFactory.all)
  func order(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [
        organization.admin, try await world.member(of: organization),
        try await world.member(of: organization),
        try await world.member(of: organization),
      ]
      // Days after today and hours of creation, in the order in which they are kept.
      let places: [(day: Int, creation: Double)] = [(0, 5), (-2, 9), (0, 7), (-1, 1), (0, 5), (1, 0)]
      var expected: [TimeEntry] = []
      for member in [members[3], members[0], members[1]] {
        var entries: [TimeEntry] = []
        for (number, place) in places.enumerated() {
          let begin = Instant.hour(Double(24 * place.day) + Double(number))
          entries.append(
            try await world.keep(
              member, in: organization, from: begin, to: begin.adding(milliseconds: 60_000),
              createdAt: .hour(place.creation)))
        }
        let sorted = [1, 3, 0, 4, 2, 5].map { entries[$0] }
        expected =
          member == members[3]
          ? sorted
          : expected.filter { $0.userID != members[3].id } + sorted
            + expected.filter { $0.userID == members[3].id }
      }
      for pageSize in [1, 2, 5, 6, 7, 17, 18, 19] {
        let all = try await world.export(organization, pageSize: pageSize)
        #expect(all.map(\.entry) == expected, "pages of \(pageSize)")
        let one = try await world.export(organization, members[0], pageSize: pageSize)
        #expect(one.map(\.entry) == Array(expected.prefix(6)), "pages of \(pageSize)")
      }
      #expect(try await world.export(organization, members[2]) == [])
    }
  }

  @Test("have the entries that the list has, whatever is asked for", arguments: StorageFactory.all)
  func filters(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [organization.admin, try await world.member(of: organization)]
      let other = try await world.organization()
      try await world.keep(other.admin, in: other, from: .hour(0), to: .hour(1))
      let session = try await world.addSession(in: organization, assignees: members)
      let empty = try await world.addSession(in: organization, assignees: members)
      for member in members {
        // One that runs for three days, short ones, and the active one.
        try await world.keep(member, in: organization, from: .hour(-96), to: .hour(-24))
        for hour in 0..<4 {
          try await world.keep(
            member, in: organization, from: .hour(Double(hour)),
            to: hour == 3 ? nil : .hour(Double(hour) + 1),
            createdAt: .hour(Double(9 - hour)), session: hour % 2 == 1 ? session : nil)
        }
      }
      let today = World.today
      let ranges: [TimeEntryRange] = [
        .dates(from: nil, through: nil), .dates(from: today, through: today),
        .dates(from: nil, through: today.adding(days: -1)), .dates(from: today.adding(days: 1), through: nil),
        .overlapping(from: nil, to: nil), .overlapping(from: .hour(-48), to: .hour(-47)),
        .overlapping(from: .hour(-24), to: .hour(0)), .overlapping(from: .hour(1.5), to: nil),
        .overlapping(from: .hour(400), to: .hour(500)), .overlapping(from: nil, to: .hour(0.5)),
      ]
      for range in ranges {
        for member in [nil] + members.map(Optional.some) {
          for status in [nil, .clockedIn, .clockedOut] as [TimeEntryStatus?] {
            for session in [nil, session, empty] as [SessionID?] {
              let listed = try await world.listAll(
                organization, member, range: range, status: status, session: session, pageSize: 50)
              for pageSize in [1, 3, 50] {
                let exported = try await world.export(
                  organization, member, range: range, status: status, session: session, pageSize: pageSize)
                #expect(
                  exported.map(\.entry.id.text).sorted() == listed.map(\.id.text).sorted(),
                  "\(range) \(String(describing: status)) pages of \(pageSize)")
              }
            }
          }
        }
      }
    }
  }

  @Test("name people as their organization does, and sessions", arguments: StorageFactory.all)
  func names(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let session = try await world.addSession(in: organization, assignees: [member])
      let entry = try await world.keep(
        member, in: organization, from: .hour(0), to: .hour(1), session: session)
      let plain = try await world.keep(member, in: organization, from: .hour(2), to: .hour(3))
      try await world.update(member, in: organization) {
        $0.name = "Zoë"
        $0.personnelNumber = "0042"
      }
      #expect(
        try await world.export(organization) == [
          ExportedTimeEntry(
            entry: entry, userName: "Zoë", userEmail: member.email, personnelNumber: "0042",
            sessionTitle: "Evening class", periodState: .unsubmitted),
          ExportedTimeEntry(
            entry: plain, userName: "Zoë", userEmail: member.email, personnelNumber: "0042",
            sessionTitle: nil,
            periodState: .unsubmitted),
        ])
      try await world.update(member, in: organization) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(member.id, in: organization.key, context: .test())
      let anonymous = try await world.export(organization)
      #expect(anonymous.map(\.personnelNumber) == [nil, nil])
      #expect(anonymous.map(\.userName) == ["Anonymous", "Anonymous"])
      #expect(anonymous.map(\.userEmail) == Array(repeating: Anonymity.email(of: member.id), count: 2))
    }
  }

  @Test("end a page if there is no room, and go on behind it", arguments: StorageFactory.all)
  func room(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var ids: [TimeEntryID] = []
      for hour in 0..<5 {
        ids.append(
          try await world.keep(
            organization.admin, in: organization, from: .hour(Double(hour)), to: .hour(Double(hour) + 1),
            createdAt: .hour(Double(hour))
          ).id)
      }
      var query = TimeEntryExportQuery(
        organization: organization.key, user: nil, range: .dates(from: nil, through: nil), status: nil,
        session: nil)
      var pages: [[TimeEntryID]] = []
      repeat {
        let page = try await world.storage.exportTimeEntries(query, into: [] as [TimeEntryID]) {
          page, entry in
          page.append(entry.entry.id)
          return page.count < 2
        }
        pages.append(page.output)
        query.cursor = page.next
      } while query.cursor != nil
      #expect(pages == [[ids[0], ids[1]], [ids[2], ids[3]], [ids[4]]])
    }
  }

  @Test("refuse a session that the organization does not have", arguments: StorageFactory.all)
  func unknownSession(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let foreign = try await world.addSession(in: other, assignees: [])
      for session in [foreign, world.id()] {
        await #expect(throws: TimeclockError.notFound(.session)) {
          try await world.export(organization, session: session)
        }
      }
    }
  }

  @Test("lose and repeat nothing that stays as it is while others are added", arguments: StorageFactory.all)
  func additions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [organization.admin, try await world.member(of: organization)]
      var expected: [TimeEntryID] = []
      for member in members {
        for hour in [0, 2, 4] {
          expected.append(
            try await world.keep(
              member, in: organization, from: .hour(Double(hour)), to: .hour(Double(hour) + 1),
              createdAt: .hour(Double(hour))
            ).id)
        }
      }
      var query = TimeEntryExportQuery(
        organization: organization.key, user: nil, range: .dates(from: nil, through: nil), status: nil,
        session: nil, limit: 1)
      var seen: [TimeEntryID] = []
      var added = 0
      repeat {
        let page = try await world.storage.exportTimeEntries(query, into: [] as [TimeEntryID]) {
          page, entry in
          page.append(entry.entry.id)
          return true
        }
        seen += page.output
        query.cursor = page.next
        added += 1
        for member in members {
          let begin = Instant.hour(Double(-added))
          try await world.keep(
            member, in: organization, from: begin, to: begin.adding(milliseconds: 60_000),
            createdAt: .hour(Double(added % 7)))
        }
      } while query.cursor != nil && added < 50
      #expect(seen.filter(expected.contains) == expected)
      #expect(Set(seen).count == seen.count)
    }
  }
}
