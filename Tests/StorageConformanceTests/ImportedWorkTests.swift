import Procedures
import Testing
import TimeclockDomain

@Suite("Projects, tasks and segments of imports, in a storage")
struct ImportedWorkTests {
  @Test(
    "are made once, however many rows and parts name them, each logged; a dry run counts the same and keeps nothing",
    arguments: StorageFactory.all)
  func made(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let there = try await world.keep(world.named("There", "Client", organization), in: organization)
      let count = TimeEntryImport.batchSize + 7
      let lines = (0..<count).map { number in
        let places = [
          ("Client", "There", ""), ("Client", "There", "Task"), ("", "There", "Task"), ("", "", "Task"),
        ]
        let place = number % 5 < 4 ? places[number % 5] : nil
        return world.line(number, place.map { .test(client: $0.0, project: $0.1, task: $0.2) })
      }
      let before = try await world.changes(organization).count
      let judged = try await world.take(lines, in: organization, isDryRun: true)
      #expect(try await world.projects(organization) == [there])
      #expect(try await world.tasks(organization).isEmpty)
      #expect(try await world.changes(organization).count == before)
      let report = try await world.take(lines, in: organization)
      for one in [judged, report] {
        #expect(one.taken == count && one.refused.isEmpty)
        #expect(one.projectsCreated == 1 && one.tasksCreated == 3)
        #expect(one.segmentsCreated == lines.count { (try? $0.row.get().purpose) != nil })
      }
      let projects = try await world.projects(organization)
      #expect(projects.map(\.name) == ["There", "There"] && projects.map(\.client) == ["Client", nil])
      #expect(projects.allSatisfy { $0.ownerID == nil && !$0.isArchived })
      let tasks = try await world.tasks(organization)
      #expect(tasks.map(\.projectID) == [there.id, projects[1].id, nil])
      #expect(tasks.allSatisfy { $0.name == "Task" && $0.ownerID == nil && !$0.isHidden })
      let entries = Dictionary(
        uniqueKeysWithValues: try await world.listAll(organization, pageSize: 500).map { ($0.id, $0) })
      let segments = try await world.segments(organization)
      #expect(segments.count == report.segmentsCreated)
      for segment in segments {
        let entry = try #require(segment.timeEntryID.flatMap { entries[$0] })
        #expect(segment.startTime == entry.clockInTime && segment.endTime == entry.clockOutTime)
        #expect(segment.userID == entry.userID && segment.timeZone == entry.timeZone)
        #expect(segment.source == .import && segment.isPaid && segment.version == 1)
      }
      #expect(Set(segments.map(\.purpose)).count == 4)
      let logged = try await world.allChanges(organization).dropFirst(before)
      #expect(logged.allSatisfy { $0.before == nil && $0.context.operation == "importTimeEntries" })
      #expect(logged.count { if case .segment = $0.after { true } else { false } } == segments.count)
      #expect(logged.count { $0.after?.kind == .project } == 1)
      #expect(logged.count { $0.after?.kind == .task } == 3)
      let again = try await world.take(lines, in: organization)
      #expect(again.taken == 0 && again.alreadyThere == count)
      #expect(again.projectsCreated == 0 && again.tasksCreated == 0 && again.segmentsCreated == 0)
      #expect(try await world.allChanges(organization).count == before + logged.count)
    }
  }

  @Test(
    "are the oldest of their name that the organization has, archived and hidden ones too, and nobody's own",
    arguments: StorageFactory.all)
  func matched(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      try await world.keep(world.named("P", nil, organization, of: member), in: organization)
      let oldest = try await world.keep(world.named("P", nil, organization), in: organization)
      try await world.keep(world.named("P", nil, organization), in: organization)
      // Case and accents count, as in the names of people.
      try await world.keep(world.named("p", nil, organization), in: organization)
      var own = world.task(organization, of: member, in: oldest)
      own.name = "T"
      try await world.keep(own, in: organization)
      var task = world.task(organization, in: oldest)
      task.name = "T"
      task.isHidden = true
      try await world.keep(task, in: organization)
      _ = try await world.storage.updateProject(
        ProjectUpdate(
          id: oldest.id, organization: organization.key, expectedVersion: nil, context: .test())
      ) { $0.isArchived = true }
      let report = try await world.take(
        [world.line(0, .test(project: "P", task: "T")), world.line(1, .test(project: "P"))], in: organization)
      #expect(report.segmentsCreated == 2 && report.projectsCreated == 0 && report.tasksCreated == 0)
      #expect(
        Set(try await world.segments(organization).map(\.purpose)) == [
          SegmentPurpose(projectID: oldest.id, taskID: task.id), SegmentPurpose(projectID: oldest.id),
        ])
      // An archived project gets a new task as well: the time was before.
      let more = try await world.take([world.line(2, .test(project: "P", task: "New"))], in: organization)
      #expect(more.projectsCreated == 0 && more.tasksCreated == 1)
      // Another organization has none of these.
      let elsewhere = try await world.organization()
      let others = try await world.take([world.line(0, .test(project: "P", task: "T"))], in: elsewhere)
      #expect(others.projectsCreated == 1 && others.tasksCreated == 1)
    }
  }

  @Test("are made once even if several imports run at once", arguments: StorageFactory.all)
  func atOnce(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let outcomes = await concurrently(9) { number in
        guard number < 8 else {
          // Locks the organization and then a member, as an import does.
          try await world.update(member, in: organization) { $0.isActive = false }
          return ImportReport(isDryRun: false)
        }
        let person = ImportPerson.email(number == 0 ? member.email : "p\(number)@import.example", name: nil)
        let lines = (0..<20).map { row in
          let start = Double(-2 * row - 2)
          return world.line(
            row, .test(project: "P\(row % 3)", task: "T"), from: start, to: start + 1, of: person)
        }
        return try await world.take(lines, in: organization)
      }
      let reports = try outcomes.map { try $0.get() }
      #expect(reports.map(\.taken).reduce(0, +) == 160)
      #expect(reports.map(\.projectsCreated).reduce(0, +) == 3)
      #expect(reports.map(\.tasksCreated).reduce(0, +) == 3)
      #expect(try await world.projects(organization).map(\.name).sorted() == ["P0", "P1", "P2"])
      #expect(try await world.tasks(organization).count == 3)
      #expect(try await world.segments(organization).count == 160)
    }
  }

  @Test("are billable as the row says, else as the project is", arguments: StorageFactory.all)
  func billable(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let stated: [(String, Bool?)] = [
        ("A", true), ("A", false), ("A", nil), ("B", nil), ("B", true), ("C", false), ("C", nil),
      ]
      let lines = stated.enumerated().map { number, row in
        world.line(number, .test(project: row.0, isBillable: row.1))
      }
      _ = try await world.take(lines, in: organization)
      // As the first row of each says.
      #expect(try await world.projects(organization).map(\.isBillable) == [true, false, false])
      let segments = try await world.segments(organization)
      #expect(segments.map(\.isBillable) == [true, false, true, false, true, false, false])
    }
  }

  @Test(
    "distinguish an existing row from one of the same minutes for something else, in the file or before it",
    arguments: StorageFactory.all)
  func sameMinutes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = ImportPerson.email("ana@import.example", name: nil)
      func line(
        _ number: Int, _ purpose: ImportPurpose?, notes: String? = nil, at hour: Double
      ) -> ImportLine {
        world.line(number, purpose, from: hour, to: hour + 1, of: person, notes: notes)
      }
      let first = [
        line(2, .test(client: "C", project: "P", task: "T"), notes: "Soup", at: -9),
        line(3, .test(project: "P"), at: -8), line(4, .test(task: "T"), at: -7),
        line(5, nil, notes: "Bread", at: -6),
        // Of the same minutes in the same file: another project, and the very same row.
        line(6, .test(project: "Other"), at: -8), line(7, nil, notes: "Bread", at: -6),
      ]
      // The outcome of each row of the file, and of every one alone.
      for isDryRun in [true, false, false, true] {
        let report = try await world.take(first, in: organization, isDryRun: isDryRun)
        #expect(report.taken + report.alreadyThere == 4)
        #expect(report.refused.map(\.line) == [6, 7])
        #expect(report.refused.allSatisfy { $0.refusal == .overlapInFile })
      }
      for (other, isThere) in [
        (line(2, .test(client: "C", project: "P", task: "T"), notes: "Soup", at: -9), true),
        (line(2, .test(client: "C", project: "P", task: "T"), notes: "Bread", at: -9), false),
        (line(2, .test(client: "C", project: "P"), notes: "Soup", at: -9), false),
        (line(2, .test(project: "P", task: "T"), notes: "Soup", at: -9), false),
        (line(2, .test(client: "C", project: "P", task: "U"), notes: "Soup", at: -9), false),
        (line(2, .test(client: "C", project: "P", task: "T", tags: ["one"]), notes: "Soup", at: -9), false),
        (line(3, .test(project: "P"), at: -8), true), (line(3, .test(project: "None"), at: -8), false),
        (line(4, .test(task: "T"), at: -7), true), (line(4, .test(project: "P", task: "T"), at: -7), false),
        (line(5, nil, notes: "Bread", at: -6), true),
        (line(5, .test(project: "P"), notes: "Bread", at: -6), false),
      ] {
        for isDryRun in [true, false] {
          let report = try await world.take([other], in: organization, isDryRun: isDryRun)
          #expect(report.taken == 0 && report.alreadyThere == (isThere ? 1 : 0))
          #expect(report.refused.map(\.refusal) == (isThere ? [] : [.otherEntry]), "\(other)")
        }
      }
    }
  }

  @Test(
    "are not made for rows that are refused, and a segment without an entry refuses the row",
    arguments: StorageFactory.all)
  func refused(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let project = try await world.addProject(in: organization)
      let admin = organization.admin
      try await world.keep(
        world.segment(
          of: admin, in: organization, for: SegmentPurpose(projectID: project), from: .hour(-3.5),
          to: .hour(-3.25)), of: admin, in: .alone)
      try await world.keep(admin, in: organization, from: .hour(-6), to: .hour(-5))
      let email = ImportPerson.email(admin.email, name: nil)
      let lines = [
        // Over the segment, and up to it; over the entry, and without a purpose.
        world.line(0, .test(project: "A"), from: -4, to: -3, of: email),
        world.line(1, .test(project: "B"), from: -4, to: -3.5, of: email),
        world.line(2, .test(project: "C"), from: -6.5, to: -5.5, of: email),
        world.line(3, .test(project: "D"), from: -6, to: -5, of: email),
        world.line(4, nil, from: -3.5, to: -3, of: email),
        world.line(5, .test(project: String(repeating: "x", count: 201)), from: -2, to: -1, of: email),
        world.line(6, .test(project: "E", tags: ["x\u{202E}"]), from: -2, to: -1, of: email),
      ]
      let before = try await world.projects(organization).count
      for isDryRun in [true, false] {
        let report = try await world.take(lines, in: organization, isDryRun: isDryRun)
        #expect(
          report.refused.map(\.refusal.code) == [
            "segment_overlap", "overlap", "overlap", "invalid_name", "invalid_tags",
          ])
        // The entry of the fourth row is there, and is not known to be for its project.
        #expect(report.refused.map(\.line) == [0, 2, 3, 5, 6] && report.refused[2].refusal == .otherEntry)
        #expect(report.taken == 2 && report.alreadyThere == 0)
        #expect(report.projectsCreated == 1 && report.segmentsCreated == 1)
      }
      #expect(try await world.projects(organization).map(\.name).dropFirst(before) == ["B"])
      #expect(try await world.segments(organization).count == 2)
    }
  }
}

extension ImportPurpose {
  fileprivate static func test(
    client: String = "", project: String = "", task: String = "", tags: [String] = ["one", "two"],
    isBillable: Bool? = nil
  ) -> ImportPurpose {
    ImportPurpose(
      client: client, project: project, task: task, description: "What was done", tags: tags,
      isBillable: isBillable)
  }
}

extension World {
  /// A project that is not kept yet.
  fileprivate func named(
    _ name: String, _ client: String?, _ organization: TestOrganization, of owner: TestMember? = nil
  ) -> Project {
    var project = project(organization, of: owner)
    project.name = name
    project.client = client
    return project
  }

  /// A row of an hour of its own, from the oldest on.
  fileprivate func line(_ number: Int, _ purpose: ImportPurpose?) -> ImportLine {
    let start = Double(number) - 600
    return line(
      number, purpose, from: start, to: start + 1, of: .email("person\(number % 3)@import.example", name: nil)
    )
  }

  /// A row from one hour to another.
  fileprivate func line(
    _ number: Int, _ purpose: ImportPurpose?, from: Double, to: Double, of person: ImportPerson,
    notes: String? = nil
  ) -> ImportLine {
    ImportLine(
      line: number,
      row: .success(
        ImportRow(
          person: person, clockIn: .instant(.hour(from)), clockOut: .time(.instant(.hour(to))),
          notes: notes, purpose: purpose)))
  }

  /// Imports rows as the admin, an hour after the last of them.
  fileprivate func take(
    _ lines: [ImportLine], in organization: TestOrganization, isDryRun: Bool = false
  ) async throws -> ImportReport {
    let caller = try #require(
      try await storage.membership(of: organization.admin.id, in: organization.key))
    var running = try await Timeclock(storage: storage, clock: WallClock { .hour(0) }).beginImport(
      ImportSettings(isDryRun: isDryRun), by: caller)
    return try await running.take(lines)
  }

  /// All segments, the oldest first.
  fileprivate func segments(_ organization: TestOrganization) async throws -> [Segment] {
    try await listSegments(SegmentQuery(organization: organization.key, user: nil, limit: 500)).reversed()
  }

  /// All changes, over any number of pages.
  fileprivate func allChanges(_ organization: TestOrganization) async throws -> [Change] {
    var all: [Change] = []
    while true {
      let next = try await changes(organization, after: Int64(all.count))
      guard !next.isEmpty else { return all }
      all += next
    }
  }
}
