/// The entries that a report is about.
package struct WorkedTimeQuery: Sendable {
  package var organization: OrganizationKey
  /// The owners of the entries.
  package var members: MemberSelection
  /// Entries that end after this instant, or are active.
  package var endingAfter: Instant
  /// Entries that begin before this instant.
  package var beginningBefore: Instant
  /// A session to be known to `WorkedTime.sessions` in any case.
  package var session: SessionID?
  /// Whether sessions and sources are needed.
  package var hasDetails: Bool
  /// Whether every entry's id is needed, and not only those of active and flagged ones.
  package var hasIDs: Bool
  /// Whether the entries of every shift that reaches into the span are needed, and not only those that share a moment with it.
  package var hasWholeShifts: Bool
  package var segments: WorkedSegmentSelection

  package init(
    organization: OrganizationKey, members: MemberSelection, endingAfter: Instant, beginningBefore: Instant,
    session: SessionID?, hasDetails: Bool, hasIDs: Bool = false, hasWholeShifts: Bool = false,
    segments: WorkedSegmentSelection = .none
  ) {
    self.organization = organization
    self.members = members
    self.endingAfter = endingAfter
    self.beginningBefore = beginningBefore
    self.session = session
    self.hasDetails = hasDetails
    self.hasIDs = hasIDs
    self.hasWholeShifts = hasWholeShifts
    self.segments = segments
  }
}

/// The segments of a report's entries that are needed.
package enum WorkedSegmentSelection: Hashable, Sendable {
  case none
  case breaks
  /// All, and the names of their projects and tasks.
  ///
  /// - Parameter tag: The tag that `WorkedSegment.hasTag` is about.
  case all(tag: String?)

  /// The tag; nil for none.
  package var tag: String? {
    if case .all(let tag) = self { tag } else { nil }
  }
}

/// The entries of a report, and the meaning of their keys.
package struct WorkedTime: Sendable {
  /// In any order.
  package var entries: [WorkedEntry]
  /// The members that the entries are of, and maybe others.
  package var people: [UserKey: ReportedPerson]
  /// The group of each member who is in one, the first by its name, if rows are of groups.
  package var groups: [UserKey: ReportedGroup] = [:]
  /// The marks of each member who has some, if rows are of their states.
  package var marks: [UserKey: PeriodEnds] = [:]
  /// The sessions of the entries, by their rows, if the query has asked for details.
  package var sessions: [Int64: ReportedSession]
  /// The segments of these entries, in any order, maybe twice, and maybe some of other entries: all of an entry, if
  /// they are asked for.
  package var segments: [WorkedSegment]
  package var purposes: ReportedPurposes

  package init(
    entries: [WorkedEntry], people: [UserKey: ReportedPerson], sessions: [Int64: ReportedSession],
    segments: [WorkedSegment] = [], purposes: ReportedPurposes = ReportedPurposes()
  ) {
    self.entries = entries
    self.people = people
    self.sessions = sessions
    self.segments = segments
    self.purposes = purposes
  }
}

/// The parts of a segment of an entry that a report needs.
package struct WorkedSegment: Sendable {
  package var user: UserKey
  package var start: Instant
  /// Nil while the segment is open.
  package var end: Instant?
  package var isPaid: Bool
  package var isBillable: Bool
  /// Whether it has the tag that the query asks for.
  package var hasTag: Bool
  /// The rows of the project and of the task.
  package var project: Int64?
  package var task: Int64?
  /// The row of a break's type; nil for work.
  package var breakType: Int64?
  /// The entry's id if this is a break, nil elsewhere: reports name only those.
  package var entryID: TimeEntryID?

  package init(
    user: UserKey, start: Instant, end: Instant?, traits: WorkedSegmentTraits, project: Int64?, task: Int64?,
    breakType: Int64?, entryID: TimeEntryID?
  ) {
    self.user = user
    self.start = start
    self.end = end
    isPaid = traits.contains(.paid)
    isBillable = traits.contains(.billable)
    hasTag = traits.contains(.tagged)
    self.project = project
    self.task = task
    self.breakType = breakType
    self.entryID = entryID
  }
}

/// The traits of a segment in one number, as statements give them.
package struct WorkedSegmentTraits: OptionSet, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let paid = WorkedSegmentTraits(rawValue: 1)
  package static let billable = WorkedSegmentTraits(rawValue: 2)
  package static let tagged = WorkedSegmentTraits(rawValue: 4)
}

/// The meaning of the rows of a report's segments.
package struct ReportedPurposes: Sendable {
  /// The projects and tasks of the segments, by their rows, and maybe others, if the query asks for all segments.
  package var projects: [Int64: ReportedProject]
  package var tasks: [Int64: ReportedTask]
  /// The seconds that a break is expected to last, by the row of its type, if its type says so.
  package var expectedBreaks: [Int64: Int64]

  package init(
    projects: [Int64: ReportedProject] = [:], tasks: [Int64: ReportedTask] = [:],
    expectedBreaks: [Int64: Int64] = [:]
  ) {
    self.projects = projects
    self.tasks = tasks
    self.expectedBreaks = expectedBreaks
  }
}

/// The parts of one entry that a report needs.
package struct WorkedEntry: Sendable {
  package var user: UserKey
  package var clockIn: Instant
  /// Nil while the entry is active.
  package var clockOut: Instant?
  /// The session's row.
  package var session: Int64?
  package var source: TimeEntrySource
  package var flags: TimeEntryFlags
  /// The entry's id if it is active or flagged, nil elsewhere: reports name only those.
  package var id: TimeEntryID?

  package init(
    user: UserKey, clockIn: Instant, clockOut: Instant?, session: Int64?, source: TimeEntrySource,
    flags: TimeEntryFlags, id: TimeEntryID?
  ) {
    self.user = user
    self.clockIn = clockIn
    self.clockOut = clockOut
    self.session = session
    self.source = source
    self.flags = flags
    self.id = id
  }
}

/// A member in a report.
package struct ReportedPerson: Hashable, Sendable {
  package var id: UserID
  package var name: String
  package var email: String
  package var personnelNumber: String?

  /// - Parameter email: The address as the database has it; it is empty once the member was anonymized.
  package init(id: UserID, name: String, storedEmail email: String, personnelNumber: String?) {
    self.id = id
    self.name = name
    self.email = email.isEmpty ? Anonymity.email(of: id) : email
    self.personnelNumber = personnelNumber
  }
}

/// A project in a report.
package struct ReportedProject: Hashable, Sendable {
  package var id: ProjectID
  package var name: String
  package var color: String
  package var client: String?

  package init(id: ProjectID, name: String, color: String, client: String?) {
    self.id = id
    self.name = name
    self.color = color
    self.client = client
  }
}

/// A task in a report.
package struct ReportedTask: Hashable, Sendable {
  package var id: TaskID
  package var name: String

  package init(id: TaskID, name: String) {
    self.id = id
    self.name = name
  }
}

/// A group in a report.
package struct ReportedGroup: Hashable, Sendable {
  package var id: GroupID
  package var name: String

  package init(id: GroupID, name: String) {
    self.id = id
    self.name = name
  }
}

/// A session in a report.
package struct ReportedSession: Hashable, Sendable {
  package var id: SessionID
  package var title: String

  package init(id: SessionID, title: String) {
    self.id = id
    self.title = title
  }
}
