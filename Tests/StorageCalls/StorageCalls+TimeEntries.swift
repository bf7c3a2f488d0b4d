import Procedures
import TimeclockDomain

extension StorageCalls {
  static let newTimeEntries: [StorageMethod] = [
    StorageMethod(
      "createTimeEntry(_:recording:)", .writes, .organization,
      onceAndRecorded("that is active") { organization, storage, recording in
        let entry = organization.entry(of: organization.admin, hours: 0, isActive: true)
        return try await storage.createTimeEntry(organization.new(entry), recording: recording)
      }
        + onceAndRecorded("at a session") { organization, storage, recording in
          let entry = organization.entry(
            of: organization.member, hours: -5, session: organization.names.session)
          return try await storage.createTimeEntry(organization.new(entry), recording: recording)
        } + [
          create("while clocked in") { $0.entry(of: $0.member, hours: 5, isActive: true) },
          create("over another") { $0.entry(of: $0.member, hours: -2) },
          create("at a session of others") {
            $0.entry(of: $0.admin, hours: -5, session: $0.names.session)
          },
          create("at no session") {
            $0.entry(of: $0.member, hours: -5, session: PreparedOrganization.next())
          },
        ]),
    StorageMethod(
      "createTimeEntries(_:keeping:recording:)", .writes, .organization,
      onceAndRecorded("of which one is refused") { organization, storage, recording in
        try await storage.createTimeEntries(
          several(of: organization), keeping: .accepted, recording: recording)
      }
        + onceAndRecorded("all or none") { organization, storage, recording in
          try await storage.createTimeEntries(
            several(of: organization), keeping: .allOrNone, recording: recording)
        }),
    StorageMethod(
      "importTimeEntries(_:isDryRun:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.importTimeEntries(batch(for: organization), isDryRun: false, recording: recording)
      } + [
        StorageCall("without keeping anything") {
          try await $1.importTimeEntries(batch(for: $0), isDryRun: true, recording: nil)
        }
      ]),
  ]

  private static func create(
    _ name: String, _ entry: @escaping @Sendable (PreparedOrganization) -> TimeEntry
  ) -> StorageCall {
    StorageCall(name) { try await $1.createTimeEntry($0.new(entry($0))) }
  }

  /// Entries at a session, the second in the way of the last.
  private static func several(of organization: PreparedOrganization) -> [NewTimeEntry] {
    [-8, -5, -5].map { hours in
      organization.new(
        organization.entry(of: organization.member, hours: hours, session: organization.names.session))
    }
  }

  /// A new member, somebody who is one by now, and an entry of each and of the member; the first and the last with a
  /// segment, on a project and a task.
  private static func batch(for organization: PreparedOrganization) throws -> ImportBatch {
    let segment = ImportedSegment(
      id: PreparedOrganization.next(), name: "Imported", tags: ["one"], isBillable: nil, project: 0, task: 0)
    var last = segment
    last.id = PreparedOrganization.next()
    let project = Project(head: organization.head()) {
      $0.name = organization.names.text
      $0.isBillable = true
    }
    let task = WorkTask(head: organization.head()) { $0.name = "Imported" }
    return ImportBatch(
      organization: organization.key,
      newMembers: [
        PreparedOrganization.account(try PreparedOrganization.newEmail(), "New"),
        PreparedOrganization.account(organization.admin.email, "New"),
      ],
      entries: [
        ImportedEntry(
          owner: .newMember(0), entry: organization.entry(of: organization.member, hours: -8),
          segment: segment),
        ImportedEntry(owner: .newMember(1), entry: organization.entry(of: organization.member, hours: -8)),
        ImportedEntry(
          owner: .member(organization.member.key),
          entry: organization.entry(of: organization.member, hours: -8)),
        ImportedEntry(
          owner: .member(organization.member.key),
          entry: organization.entry(of: organization.member, hours: -2), segment: last),
      ], projects: [project], tasks: [ImportedTask(task: task, project: 0)], context: .call)
  }

  static let changedTimeEntries: [StorageMethod] = [
    StorageMethod(
      "clockOut(_:recording:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.clockOut(clockOut(of: organization.member), recording: recording)
      } + [
        StorageCall("at a stated time, with notes") { organization, storage in
          var clockOut = clockOut(of: organization.member)
          clockOut.isStated = true
          clockOut.notes = Notes(stored: "Changed")
          return try await storage.clockOut(clockOut)
        },
        StorageCall("by somebody clocked out") { try await $1.clockOut(clockOut(of: $0.admin)) },
      ]),
    StorageMethod(
      "updateTimeEntry(_:_:)", .writes, .organization,
      [
        update("by notes and times") {
          $0.notes = Notes(stored: "Changed")
          $0.clockInTime = hour(-3)
        },
        update("to no session") { $0.sessionID = nil },
        StorageCall("to another session") { organization, storage in
          let other: SessionID = PreparedOrganization.next()
          return try await storage.updateTimeEntry(change(of: organization)) { $0.sessionID = other }
        },
        update("over another") { $0.clockOutTime = hour(1) },
        update("of another version", version: 9) { _ in },
      ]),
    StorageMethod(
      "deleteTimeEntry(_:_:)", .writes, .organization,
      [
        StorageCall { try await $1.deleteTimeEntry(change(of: $0)) { _ in } },
        StorageCall("of another version") { organization, storage in
          try await storage.deleteTimeEntry(change(of: organization, version: 9)) { _ in }
        },
      ]),
  ]

  private static func clockOut(of person: PreparedOrganization.Person) -> ClockOut {
    ClockOut(
      member: person.key, time: hour(1), isStated: false, notes: nil, policy: .standard, context: .call)
  }

  private static func change(of organization: PreparedOrganization, version: Int64? = nil) -> TimeEntryUpdate
  {
    TimeEntryUpdate(
      id: organization.names.entry, organization: organization.key, expectedVersion: version,
      needsSessionAssignment: true, context: .call)
  }

  private static func update(
    _ name: String, version: Int64? = nil, _ change: @escaping @Sendable (inout TimeEntry) -> Void
  ) -> StorageCall {
    StorageCall(name) { try await $1.updateTimeEntry(self.change(of: $0, version: version), change) }
  }

  static let foundTimeEntries: [StorageMethod] = [
    StorageMethod(
      "overlaps(of:from:to:excluding:)", .reads, .organization,
      [
        StorageCall {
          try await $1.overlaps(of: $0.member.key, from: hour(-24), to: hour(24), excluding: nil)
        },
        StorageCall("but for one") {
          try await $1.overlaps(of: $0.member.key, from: hour(-24), to: hour(24), excluding: $0.names.entry)
        },
      ]),
    StorageMethod(
      "activeTimeEntry(of:)", .reads, .organization,
      [StorageCall { try await $1.activeTimeEntry(of: $0.member.key) }]),
    StorageMethod(
      "timeEntry(_:in:)", .reads, .organization,
      [StorageCall { try await $1.timeEntry($0.names.entry, in: $0.key) }]),
    StorageMethod(
      "timeEntries(_:)", .reads, .organization,
      lists.map { list in
        StorageCall("of \(list)") { organization, storage in
          var query = TimeEntryQuery(
            organization: organization.key, user: list.selection.user(of: organization), range: list.range,
            status: list.status, session: list.selection.session(of: organization), cursor: list.cursor,
            limit: 9)
          query.among = try await list.selection.among(of: organization, in: storage)
          return try await storage.timeEntries(query).elements
        }
      } + filteredLists),
    StorageMethod(
      "exportTimeEntries(_:into:_:)", .reads, .organization,
      lists.map { list in
        StorageCall("of \(list)") { organization, storage in
          var query = TimeEntryExportQuery(
            organization: organization.key, user: list.selection.user(of: organization), range: list.range,
            status: list.status, session: list.selection.session(of: organization),
            cursor: list.cursor.map { _ in
              TimeEntryExportCursor(
                user: organization.admin.key.user,
                place: TimeEntryCursor(date: .earliest, createdAt: .earliest, row: 0))
            })
          query.among = try await list.selection.among(of: organization, in: storage)
          return try await storage.exportTimeEntries(query, into: [] as [ExportedTimeEntry]) { page, entry in
            page.append(entry)
            return true
          }.output
        }
      } + [filteredExport]),
  ]

  /// Lists of several members, with a filter.
  private static let filteredLists: [StorageCall] = {
    let ranges: [(String, TimeEntryRange)] = [
      ("on all dates", .dates(from: nil, through: nil)),
      ("in a span", .overlapping(from: hour(-24), to: hour(24))),
    ]
    return ranges.map { name, range in
      StorageCall("of several members \(name), by sources and changes") { organization, storage in
        try await storage.timeEntries(
          TimeEntryQuery(
            organization: organization.key, users: users(of: organization), range: range, status: nil,
            session: nil, filter: filter, cursor: nil, limit: 9)
        ).elements
      }
    }
  }()

  /// An export of several members' entries, with a filter.
  private static let filteredExport = StorageCall("of several members, by sources and changes") {
    organization, storage in
    let query = TimeEntryExportQuery(
      organization: organization.key, users: users(of: organization), range: .dates(from: nil, through: nil),
      status: nil, session: nil, filter: filter)
    return try await storage.exportTimeEntries(query, into: [] as [ExportedTimeEntry]) { page, entry in
      page.append(entry)
      return true
    }.output
  }

  private static func users(of organization: PreparedOrganization) -> [UserKey] {
    [organization.member.key.user, organization.admin.key.user]
  }

  /// A filter that leaves out some of the prepared entries, and not all.
  private static let filter = TimeEntryFilter(sources: [.api], updatedSince: .earliest)

  /// A list or an export of entries.
  private struct List: Sendable, CustomStringConvertible {
    var selection: EntrySelection
    var range: TimeEntryRange
    var status: TimeEntryStatus?
    var cursor: TimeEntryCursor?

    var description: String {
      var words = ["\(selection)"]
      switch range {
      case .overlapping: words.append("in a span")
      case .dates(nil, nil): words.append("on all dates")
      case .dates: words.append("on dates")
      }
      if let status { words.append(status.rawValue) }
      if cursor != nil { words.append("from a place on") }
      return words.joined(separator: " ")
    }
  }

  /// Every kind of list that has a plan of its own.
  private static let lists: [List] = {
    let dates = TimeEntryRange.dates(from: PreparedOrganization.today, through: PreparedOrganization.today)
    let ranges = [dates, .dates(from: nil, through: nil), .overlapping(from: hour(-24), to: hour(24))]
    let cursors = [nil, TimeEntryCursor(date: .latest, createdAt: .latest, row: .max)]
    return selections.flatMap { selection in
      ranges.flatMap { range in
        cursors.flatMap { cursor in
          [nil, TimeEntryStatus.clockedIn].map { status in
            List(selection: selection, range: range, status: status, cursor: cursor)
          }
        }
      }
    }
  }()

  static let forgottenEntries: [StorageMethod] = [
    StorageMethod(
      "organizationsWithForgottenEntries(at:)", .reads, .service,
      [
        StorageCall(after: closeAfterAnHour) { _, storage in
          try await !storage.organizationsWithForgottenEntries(at: hour(9)).isEmpty
        }
      ]),
    StorageMethod(
      "countOfEntriesOverMaximum(at:)", .reads, .service,
      [StorageCall { _, storage in try await storage.countOfEntriesOverMaximum(at: hour(9)) }]),
    StorageMethod(
      "newestChange(orAnySince:)", .reads, .service,
      [StorageCall { _, storage in try await storage.newestChange(orAnySince: .latest) }]),
    StorageMethod(
      "closeForgottenEntries(in:limit:context:)", .writes, .organization,
      [
        StorageCall(after: closeAfterAnHour) { organization, storage in
          try await storage.closeForgottenEntries(
            in: organization.key, limit: 5,
            context: ChangeContext(author: .service, operation: "call", time: hour(9)))
        }
      ]),
  ]

  @Sendable private static func closeAfterAnHour(
    _ organization: PreparedOrganization, in storage: any Storage
  ) async throws {
    _ = try await storage.updateOrganization(organization.key, expectedVersion: nil, context: .call) {
      $0.policy.autoClockOutSeconds = 3_600
    }
  }
}
