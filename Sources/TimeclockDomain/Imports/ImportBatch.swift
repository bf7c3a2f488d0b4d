/// Entries of a file that have passed the rules, and the people in it who are no members yet.
package struct ImportBatch: Sendable {
  package var organization: OrganizationKey
  /// They get the role of a member, and no password. An account with the address is joined.
  package var newMembers: [NewAccount]
  /// Their source is `.import`.
  package var entries: [ImportedEntry]
  /// The projects of the entries, as they are made if none has the name and client.
  package var projects: [Project]
  /// The tasks of the entries, as they are made if none has the name in the project.
  package var tasks: [ImportedTask]
  package var context: ChangeContext

  package init(
    organization: OrganizationKey, newMembers: [NewAccount], entries: [ImportedEntry],
    projects: [Project] = [], tasks: [ImportedTask] = [], context: ChangeContext
  ) {
    self.organization = organization
    self.newMembers = newMembers
    self.entries = entries
    self.projects = projects
    self.tasks = tasks
    self.context = context
  }
}

/// An entry to keep, and its owner.
package struct ImportedEntry: Sendable {
  package enum Owner: Hashable, Sendable {
    case member(MemberKey)
    /// One of the batch's new members, by their place from 0 on; the entry gets the id that the member has in the end.
    case newMember(Int)
  }

  package var owner: Owner
  package var entry: TimeEntry
  /// The segment over all of the entry; nil for none.
  package var segment: ImportedSegment?

  package init(owner: Owner, entry: TimeEntry, segment: ImportedSegment? = nil) {
    self.owner = owner
    self.entry = entry
    self.segment = segment
  }

  /// The entry to keep, once the batch's new members are there.
  ///
  /// - Throws: The error for which its member could not be added.
  package func resolved(
    among members: [Result<CreatedMember, TimeclockError>], context: ChangeContext
  ) throws -> NewTimeEntry {
    switch owner {
    case .member(let key):
      return NewTimeEntry(member: key, entry: entry, needsSessionAssignment: false, context: context)
    case .newMember(let index):
      guard members.indices.contains(index) else { throw TimeclockError.notFound(.member) }
      let created = try members[index].get()
      var entry = entry
      entry.userID = created.member.userID
      return NewTimeEntry(member: created.key, entry: entry, needsSessionAssignment: false, context: context)
    }
  }
}

/// A task to look up or to make.
package struct ImportedTask: Sendable {
  /// The id of its project follows from `project`.
  package var task: WorkTask
  /// The place of its project among the batch's, from 0 on; nil for a task of none.
  package var project: Int?

  package init(task: WorkTask, project: Int?) {
    self.task = task
    self.project = project
  }
}

/// A segment to keep with its entry.
package struct ImportedSegment: Sendable {
  package var id: SegmentID
  package var name: String
  package var tags: [String]
  /// Nil if the project says it.
  package var isBillable: Bool?
  /// The place of its project among the batch's, from 0 on; nil for none.
  package var project: Int?
  /// The place of its task among the batch's, from 0 on; nil for none.
  package var task: Int?

  package init(
    id: SegmentID, name: String, tags: [String], isBillable: Bool?, project: Int?, task: Int?
  ) {
    self.id = id
    self.name = name
    self.tags = tags
    self.isBillable = isBillable
    self.project = project
    self.task = task
  }
}

/// The records that a batch has made beside members and entries.
package struct ImportedWork: Sendable {
  package var projects: [Project] = []
  package var tasks: [WorkTask] = []
  package var segments: [Segment] = []

  package init() {}
}

/// The outcome of a batch.
package struct ImportOutcome: Sendable {
  /// The result of each new member, in their order.
  package var members: [Result<CreatedMember, TimeclockError>]
  /// The result of each entry, in their order.
  package var entries: [Result<TimeEntry, TimeclockError>]
  /// The places of entries that were to have a segment, and in whose way one entry of exactly their time is that has no such
  /// segment: none over all of it for the same project and task, with the same tags.
  package var otherPurposes: Set<Int>
  package var work: ImportedWork

  package init(
    members: [Result<CreatedMember, TimeclockError>], entries: [Result<TimeEntry, TimeclockError>],
    otherPurposes: Set<Int> = [], work: ImportedWork = ImportedWork()
  ) {
    self.members = members
    self.entries = entries
    self.otherPurposes = otherPurposes
    self.work = work
  }
}

/// A member who was just added, and the membership's row.
package struct CreatedMember: Hashable, Sendable {
  package var member: Member
  package var key: MemberKey

  package init(member: Member, key: MemberKey) {
    self.member = member
    self.key = key
  }
}

/// Ends the transaction of a dry run, and carries its findings.
package struct NothingImported: Error {
  package let outcome: ImportOutcome

  package init(_ outcome: ImportOutcome) {
    self.outcome = outcome
  }
}
