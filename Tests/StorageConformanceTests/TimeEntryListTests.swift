import Testing
import TimeclockDomain

@Suite("Lists of time entries in a storage")
struct TimeEntryListTests {
  @Test(
    "show the newest date first, then the newest creation, then the last created",
    arguments: StorageFactory.all)
  func order(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      // Days after today and hours of creation, in the order in which they are kept.
      let kept: [(day: Int, creation: Double)] = [(0, 5), (-2, 9), (0, 7), (-1, 1), (0, 5), (1, 0), (0, 5)]
      var entries: [TimeEntry] = []
      for (number, place) in kept.enumerated() {
        let begin = Instant.hour(Double(24 * place.day) + Double(number))
        entries.append(
          try await world.keep(
            member, in: organization, from: begin, to: begin.adding(milliseconds: 60_000),
            createdAt: .hour(place.creation)))
      }
      let expected = [5, 2, 6, 4, 0, 3, 1].map { entries[$0] }
      for pageSize in 1...8 {
        #expect(try await world.listAll(organization, member, pageSize: pageSize) == expected)
        #expect(try await world.listAll(organization, pageSize: pageSize) == expected)
      }
      #expect(try await world.list(organization, limit: 7).next == nil)
      #expect(try await world.list(organization, limit: 6).next != nil)
    }
  }

  @Test("lose and repeat nothing under equal timestamps while rows are added", arguments: StorageFactory.all)
  func additions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<20 { members.append(try await world.member(of: organization)) }
      func add() async throws -> [TimeEntry] {
        var entries: [TimeEntry] = []
        for member in members {
          let begin = Instant.hour(Double(world.unique()))
          var entry = world.entry(
            of: member, in: organization, from: begin, to: begin.adding(milliseconds: 9))
          entry.date = begin.utcDate
          entries.append(try await world.keep(entry, of: member))
        }
        return entries
      }
      // All in one instant: only the order of their creation tells them apart.
      var expected: [TimeEntry] = []
      for member in members {
        expected.append(try await world.keep(member, in: organization, from: .hour(-1), to: .hour(0)))
      }
      var seen: [TimeEntry] = []
      var cursor: TimeEntryCursor?
      repeat {
        let page = try await world.list(organization, cursor: cursor, limit: 3)
        seen += page.elements
        cursor = page.next
        if cursor != nil {
          _ = try await add()
          let newest = try await world.list(organization, limit: 1).elements
          #expect(newest.first.map { !expected.contains($0) } == true)
        }
      } while cursor != nil
      #expect(seen == expected.reversed())
    }
  }

  @Test("include the first and the last day of a range", arguments: StorageFactory.all)
  func dates(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let days = -3...3
      for day in days {
        try await world.keep(
          member, in: organization, from: .hour(Double(24 * day)), to: .hour(Double(24 * day) + 1))
      }
      func date(_ day: Int) -> LocalDate { World.today.adding(days: day) }
      let bounds: [Int?] = [nil] + days.map(Optional.some) + [-9, 9]
      for from in bounds {
        for through in bounds {
          let expected = days.filter { $0 >= from ?? -99 && $0 <= through ?? 99 }.reversed().map(date)
          let range = TimeEntryRange.dates(from: from.map(date), through: through.map(date))
          for member in [member, nil] {
            let pages = try await world.listAll(organization, member, range: range, pageSize: 2)
            #expect(pages.map(\.date) == expected)
          }
        }
      }
    }
  }

  @Test("take a cursor from anywhere", arguments: StorageFactory.all)
  func strangeCursors(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(0), to: .hour(1))
      let range = TimeEntryRange.dates(from: World.today, through: World.today)
      for (days, expected) in [(1, [entry]), (-1, [])] {
        let cursor = TimeEntryCursor(date: World.today.adding(days: days), createdAt: .earliest, row: -5)
        for member in [member, nil] {
          let page = try await world.list(organization, member, range: range, cursor: cursor)
          #expect(page.elements == expected)
        }
      }
      #expect(try await world.list(organization, limit: .max).elements == [entry])
    }
  }

  @Test("show one status, one session, one member or all", arguments: StorageFactory.all)
  func filters(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [organization.admin, try await world.member(of: organization)]
      let session = try await world.addSession(in: organization, assignees: members)
      let empty = try await world.addSession(in: organization, assignees: members)
      var all: [TimeEntry] = []
      for hour in 0..<4 {
        for member in members {
          all.append(
            try await world.keep(
              member, in: organization, from: .hour(Double(hour)),
              to: hour == 3 ? nil : .hour(Double(hour) + 1),
              createdAt: .hour(Double(hour)), session: hour % 2 == 1 ? session : nil))
        }
      }
      let newestFirst = Array(all.reversed())
      for member in [nil] + members.map(Optional.some) {
        for status in [nil, .clockedIn, .clockedOut] as [TimeEntryStatus?] {
          for filter in [nil, session, empty] as [SessionID?] {
            let expected = newestFirst.filter { entry in
              (member.map { $0.id == entry.userID } ?? true) && (status.map { $0 == entry.status } ?? true)
                && (filter.map { $0 == entry.sessionID } ?? true)
            }
            let listed = try await world.listAll(
              organization, member, status: status, session: filter, pageSize: 3)
            #expect(listed == expected)
          }
        }
      }
    }
  }

  /// Entries of three members, on days between each other's, with all that a filter looks at.
  private func filtered(
    _ world: World, _ organization: TestOrganization, _ members: [TestMember]
  ) async throws -> [TimeEntry] {
    let sources: [TimeEntrySource] = [.api, .kiosk, .import, .admin]
    let flags: [TimeEntryFlags] = [[], .overMaximum, [.underMinimum, .autoClosed], .startedBySegment]
    var kept: [TimeEntry] = []
    for number in 0..<24 {
      let member = members[number % 3]
      var entry = world.entry(
        of: member, in: organization, from: .hour(Double(24 * (number % 5) + number)),
        to: .hour(Double(24 * (number % 5) + number) + 0.5), createdAt: .hour(Double(number % 4)))
      entry.source = sources[number % 4]
      entry.flags = flags[number / 3 % 4]
      entry.updatedAt = .hour(Double(number))
      kept.append(try await world.keep(entry, of: member, needsSessionAssignment: false))
    }
    return kept
  }

  private static let filters = [
    TimeEntryFilter(), TimeEntryFilter(flags: .overMaximum),
    TimeEntryFilter(flags: [.autoClosed, .overMaximum]),
    TimeEntryFilter(sources: [.kiosk, .import]), TimeEntryFilter(sources: [.web]),
    TimeEntryFilter(updatedSince: .hour(17)),
    TimeEntryFilter(flags: .underMinimum, sources: [.api, .import], updatedSince: .hour(5)),
  ]

  @Test(
    "show what has a flag, comes from a source or was changed since, of everyone and of several members",
    arguments: StorageFactory.all)
  func rowFilters(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [
        organization.admin, try await world.member(of: organization),
        try await world.member(of: organization),
      ]
      let kept = try await filtered(world, organization, members)
      let inOrder = kept.sorted { one, other in
        (one.date, one.createdAt, kept.firstIndex(of: one) ?? 0)
          > (other.date, other.createdAt, kept.firstIndex(of: other) ?? 0)
      }
      let days = TimeEntryRange.dates(from: World.today.adding(days: 1), through: World.today.adding(days: 3))
      let span = TimeEntryRange.overlapping(from: .hour(30.25), to: .hour(100))
      func isIn(_ range: TimeEntryRange, _ entry: TimeEntry) -> Bool {
        switch range {
        case .dates(let from, let through):
          (from.map { entry.date >= $0 } ?? true) && (through.map { entry.date <= $0 } ?? true)
        case .overlapping(let from, let to):
          (from.map { entry.clockOutTime ?? .latest > $0 } ?? true)
            && (to.map { entry.clockInTime < $0 } ?? true)
        }
      }
      for filter in Self.filters {
        for owners in [nil, [0], [2, 0], [0, 1, 2]] as [[Int]?] {
          let shown = owners?.map { members[$0] }
          for range in [.dates(from: nil, through: nil), days, span] as [TimeEntryRange] {
            let expected = inOrder.filter { entry in
              filter.matches(entry) && isIn(range, entry)
                && (shown?.contains { $0.id == entry.userID } ?? true)
            }
            for pageSize in [1, 2, 5, 100] {
              let listed = try await world.listAll(
                organization, of: shown, filter, range: range, pageSize: pageSize)
              #expect(listed == expected, "\(filter) of \(owners ?? []) in \(range), pages of \(pageSize)")
            }
          }
          for pageSize in [1, 7, 100] {
            let exported = try await world.export(organization, of: shown, filter, pageSize: pageSize)
            let expected = inOrder.filter { entry in
              filter.matches(entry) && (shown?.contains { $0.id == entry.userID } ?? true)
            }
            // Member by member, each one's oldest first.
            #expect(Set(exported) == Set(expected) && exported.count == expected.count, "\(filter)")
            for member in members {
              #expect(
                exported.filter { $0.userID == member.id }
                  == expected.reversed().filter { $0.userID == member.id })
            }
          }
        }
      }
    }
  }

  @Test("of a session have several members' entries, and nobody else's", arguments: StorageFactory.all)
  func sessionOfSeveral(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [
        organization.admin, try await world.member(of: organization),
        try await world.member(of: organization),
      ]
      let session = try await world.addSession(in: organization, assignees: members)
      var kept: [TimeEntry] = []
      for (number, member) in members.enumerated() {
        kept.append(
          try await world.keep(
            member, in: organization, from: .hour(0), to: .hour(1), createdAt: .hour(Double(number)),
            session: session))
        try await world.keep(member, in: organization, from: .hour(2), to: .hour(3))
      }
      let wanted = [members[2], members[0]]
      let query = TimeEntryQuery(
        organization: organization.key, users: wanted.map(\.key.user), range: .dates(from: nil, through: nil),
        status: nil, session: session, cursor: nil, limit: 9)
      #expect(try await world.storage.timeEntries(query).elements == [kept[2], kept[0]])
      let exported = try await world.export(
        organization, of: wanted, TimeEntryFilter(), session: session, pageSize: 1)
      #expect(exported == [kept[0], kept[2]])
    }
  }

  @Test("refuse a session that the organization does not have", arguments: StorageFactory.all)
  func unknownSession(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let foreign = try await world.addSession(in: other, assignees: [])
      for session in [foreign, world.id()] {
        for member in [organization.admin, nil] {
          await #expect(throws: TimeclockError.notFound(.session)) {
            try await world.list(organization, member, session: session)
          }
        }
      }
    }
  }
}
