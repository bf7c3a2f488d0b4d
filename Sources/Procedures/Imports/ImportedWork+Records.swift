import TimeclockDomain

/// An entry of an import, whose member is there.
package struct ResolvedImport: Sendable {
  /// Its place in the batch.
  package let place: Int
  package let new: NewTimeEntry
  let segment: ImportedSegment?

  fileprivate init(place: Int, new: NewTimeEntry, segment: ImportedSegment?) {
    self.place = place
    self.new = new
    self.segment = segment
  }
}

extension ResolvedImport {
  /// Whether the outcome is that one entry of exactly this time is in the way.
  fileprivate func isThere(_ outcome: Result<TimeEntry, TimeclockError>) -> Bool {
    guard case .failure(.overlap(let entries, count: 1)) = outcome, let other = entries.first else {
      return false
    }
    return other.clockInTime == new.entry.clockInTime && other.clockOutTime == new.entry.clockOutTime
  }
}

extension ImportBatch {
  /// The entries whose members are there, and the reasons why others are refused, by their places.
  package func resolved(
    among members: [Result<CreatedMember, TimeclockError>]
  ) throws -> (entries: [ResolvedImport], refusals: [Int: TimeclockError]) {
    var resolved: [ResolvedImport] = []
    var refusals: [Int: TimeclockError] = [:]
    for (place, entry) in entries.enumerated() {
      do {
        let new = try entry.resolved(among: members, context: context)
        resolved.append(ResolvedImport(place: place, new: new, segment: entry.segment))
      } catch let error as TimeclockError {
        refusals[place] = error
      }
    }
    return (resolved, refusals)
  }
}

extension RecordTransaction {
  /// Locks the organization for a batch that may make projects or tasks: no other import makes the same ones. It comes
  /// before the members, as in every transaction that locks both.
  ///
  /// - Returns: The projects of the batch that there are: the organization's oldest ones with the name and client, archived
  ///   or not.
  package func lockForWork(of batch: ImportBatch) async throws -> ImportedProjects {
    var found = ImportedProjects()
    guard !batch.projects.isEmpty || !batch.tasks.isEmpty else { return found }
    try await lock(Organization.lock, [.key(batch.organization)])
    for (place, project) in batch.projects.enumerated() {
      found.rows[place] = try await first(
        ImportedWorkStatements.project,
        [.key(batch.organization), .text(project.name), .optional(project.client)]
      ) { row in
        ImportedPurposeRow<Project>(
          id: try row.identifier("project"), row: row.integer("project_id"), isBillable: row.bool("billable"))
      }
    }
    return found
  }

  /// The reasons why marks let entries not be kept, by their places. The members are locked.
  package func markRefusals(
    of entries: [ResolvedImport], _ context: ChangeContext
  ) async throws -> [Int: TimeclockError] {
    var refusals: [Int: TimeclockError] = [:]
    for (userID, entries) in Dictionary(grouping: entries, by: \.new.entry.userID) {
      guard let organization = entries.first?.new.member.organization else { continue }
      let ends = try await marks(of: userID, in: organization)
      guard ends != PeriodEnds() else { continue }
      for resolved in entries {
        let entry = resolved.new.entry
        guard let change = BoundChange.found(from: nil, to: .timeEntry(entry), at: context.time),
          let mark = ends.mark(on: change, by: context.boundBy)
        else { continue }
        // An entry that exists already is reported as such.
        let overlaps = try await overlappingEntries(
          of: resolved.new.member, from: entry.clockInTime, to: entry.clockOutTime)
        refusals[resolved.place] =
          overlaps.count == 0
          ? .periodLocked(mark, count: nil) : .overlap(overlaps.entries, count: overlaps.count)
      }
    }
    return refusals
  }

  /// The reasons why entries cannot have their segments, by their places: a segment without an entry is in the way.
  /// Segments with entries are where their entries are. The members are locked.
  package func segmentRefusals(of entries: [ResolvedImport]) async throws -> [Int: TimeclockError] {
    var refusals: [Int: TimeclockError] = [:]
    let ofMembers = Dictionary(grouping: entries.filter { $0.segment != nil }, by: \.new.member)
    for (member, entries) in ofMembers {
      guard let start = entries.map(\.new.entry.clockInTime).min(),
        let end = entries.compactMap(\.new.entry.clockOutTime).max()
      else { continue }
      let alone = try await read(
        ImportedWorkStatements.alone,
        [.key(member.organization), .key(member.user), .instant(start), .instant(end)], StoredSegment.init
      ).map(\.segment)
      guard !alone.isEmpty else { continue }
      for entry in entries {
        let (start, end) = (entry.new.entry.clockInTime, entry.new.entry.clockOutTime)
        let inTheWay = alone.filter { other in
          other.startTime < end ?? other.startTime && (other.endTime.map { $0 > start } ?? true)
        }
        guard !inTheWay.isEmpty else { continue }
        // An entry that exists already is reported as such.
        let overlaps = try await overlappingEntries(of: member, from: start, to: end)
        refusals[entry.place] =
          overlaps.count == 0
          ? .segmentOverlap(
            Array(inTheWay.prefix(TimeEntryStorageLimits.overlapsShown)), count: inTheWay.count)
          : .overlap(overlaps.entries, count: overlaps.count)
      }
    }
    return refusals
  }

  /// The places of entries in whose way one of exactly their time is, without a segment over all of it for their project and
  /// task, with their tags.
  ///
  /// - Parameters:
  ///   - known: The result of `lockForWork`.
  ///   - outcomes: The result of each entry of the batch, in their order.
  package func otherPurposes(
    of batch: ImportBatch, among known: ImportedProjects, _ entries: [ResolvedImport],
    _ outcomes: [Result<TimeEntry, TimeclockError>]
  ) async throws -> Set<Int> {
    var others: Set<Int> = []
    var tasks: [Int: TaskID?] = [:]
    let ofMembers = Dictionary(
      grouping: entries.filter { $0.segment != nil && $0.isThere(outcomes[$0.place]) }, by: \.new.member)
    for (member, entries) in ofMembers {
      guard let start = entries.map(\.new.entry.clockInTime).min(),
        let end = entries.compactMap(\.new.entry.clockOutTime).max()
      else { continue }
      let there = Dictionary(
        grouping: try await read(
          ImportedWorkStatements.ofEntries,
          [.key(member.organization), .key(member.user), .instant(start), .instant(end)], StoredSegment.init
        ).map(\.segment), by: \.startTime)
      for entry in entries {
        guard let stated = entry.segment else { continue }
        let project = stated.project.flatMap { known.rows[$0] }
        if let place = stated.task, tasks[place] == nil {
          tasks[place] = try await row(of: batch.tasks[place].task, in: project, of: batch)?.id
        }
        // A missing record is no purpose.
        let isKnown = (stated.project == nil) == (project == nil)
        let task = stated.task.flatMap { tasks[$0] ?? nil }
        let isSame = there[entry.new.entry.clockInTime, default: []].contains { segment in
          segment.endTime == entry.new.entry.clockOutTime && segment.purpose.projectID == project?.id
            && segment.purpose.taskID == task && segment.tags == stated.tags
        }
        if !isKnown || (stated.task == nil) != (task == nil) || !isSame { others.insert(entry.place) }
      }
    }
    return others
  }

  /// Makes the segments of the entries that were kept, and the projects and tasks that they lack, and writes all of that
  /// down.
  ///
  /// - Parameters:
  ///   - known: The result of `lockForWork`.
  ///   - outcomes: The result of each entry of the batch, in their order.
  package func keepWork(
    of batch: ImportBatch, among known: ImportedProjects, _ entries: [ResolvedImport],
    _ outcomes: [Result<TimeEntry, TimeclockError>]
  ) async throws -> ImportedWork {
    var work = ImportedWork()
    var projects = known.rows
    var tasks: [Int: ImportedPurposeRow<WorkTask>] = [:]
    var segments: [StoredSegment] = []
    for resolved in entries {
      guard let stated = resolved.segment, case .success(let entry) = outcomes[resolved.place] else {
        continue
      }
      if let place = stated.project, projects[place] == nil {
        projects[place] = try await make(batch.projects[place], of: batch, &work)
      }
      let project = stated.project.flatMap { projects[$0] }
      if let place = stated.task, tasks[place] == nil {
        tasks[place] = try await task(batch.tasks[place].task, in: project, of: batch, &work)
      }
      let task = stated.task.flatMap { tasks[$0] }
      let time = batch.context.time
      let segment = Segment(
        id: stated.id, organizationID: entry.organizationID, userID: entry.userID, timeEntryID: entry.id,
        purpose: SegmentPurpose(projectID: project?.id, taskID: task?.id), isPaid: true,
        isBillable: stated.isBillable ?? project?.isBillable ?? false, name: stated.name, tags: stated.tags,
        startTime: entry.clockInTime, endTime: entry.clockOutTime, timeZone: entry.timeZone,
        source: .import, version: 1, createdAt: time, updatedAt: time)
      segments.append(
        StoredSegment(
          segment: segment, number: 0, user: resolved.new.member.user,
          rows: SegmentRows(project: project?.row, task: task?.row), resumes: nil))
    }
    try await insert(segments, into: StoredSegment.table, of: batch.organization)
    work.segments = segments.map(\.segment)
    try await log(
      each: work.segments.map { (nil, .segment($0)) }, in: batch.organization, batch.context)
    return work
  }

  private func make(
    _ new: Project, of batch: ImportBatch, _ work: inout ImportedWork
  ) async throws -> ImportedPurposeRow<Project> {
    let row = try await create(new, in: batch.organization, batch.context)
    work.projects.append(new)
    return ImportedPurposeRow(id: new.id, row: row ?? 0, isBillable: new.isBillable)
  }

  /// The organization's oldest task with the name in the project, or in none, hidden or not; a new one if there is
  /// none.
  private func task(
    _ new: WorkTask, in project: ImportedPurposeRow<Project>?, of batch: ImportBatch,
    _ work: inout ImportedWork
  ) async throws -> ImportedPurposeRow<WorkTask> {
    if let found = try await row(of: new, in: project, of: batch) { return found }
    var new = new
    new.projectID = project?.id
    let row = try await create(
      new, references: WorkTask.references(project: project?.row), in: batch.organization, batch.context)
    work.tasks.append(new)
    return ImportedPurposeRow(id: new.id, row: row ?? 0, isBillable: false)
  }

  /// The organization's oldest task with the name in the project, or in none, hidden or not; nil if there is none.
  private func row(
    of task: WorkTask, in project: ImportedPurposeRow<Project>?, of batch: ImportBatch
  ) async throws -> ImportedPurposeRow<WorkTask>? {
    try await first(
      ImportedWorkStatements.task,
      [.key(batch.organization), .text(task.name), .optional(project?.row)]
    ) { row in
      ImportedPurposeRow<WorkTask>(
        id: try row.identifier("task"), row: row.integer("task_id"), isBillable: false)
    }
  }
}

/// Projects of a batch by their places in it.
package struct ImportedProjects: Sendable {
  fileprivate var rows: [Int: ImportedPurposeRow<Project>] = [:]
}

/// A project or a task that a segment of an import refers to.
private struct ImportedPurposeRow<Subject>: Sendable {
  let id: Identifier<Subject>
  let row: Int64
  let isBillable: Bool
}

/// The statements of imports on projects, tasks and segments. Rows that they find are not deleted until the transaction
/// ends.
private enum ImportedWorkStatements {
  static let project = statement(
    of: "projects", [("project_id", "x.project_id"), ("project", "x.id"), ("billable", "x.billable")],
    in: "client", by: "project_id")
  static let task = statement(
    of: "tasks", [("task_id", "x.task_id"), ("task", "x.id")], in: "project_id", by: "task_id")

  private static func statement(
    of table: String, _ columns: [(name: String, expression: String)], in place: String, by number: String
  ) -> RecordStatement {
    func text(_ comparison: String) -> String {
      """
      FROM \(table) x WHERE x.organization_id = $1 AND x.owner_id IS NULL AND x.name = $2 \
      AND x.\(place) \(comparison) $3 ORDER BY x.\(number) LIMIT 1
      """
    }
    return RecordStatement(
      text("IS NOT DISTINCT FROM"), columns: RecordColumns(columns), lock: "FOR KEY SHARE OF x",
      sqlite: text("IS"))
  }

  /// A member's segments without an entry that share a moment with `[$3, $4)`.
  static let alone = SegmentStatements.statement(
    where: "s.user_id = $2 AND s.time_entry_id IS NULL AND s.start_time < $4 AND s.end_time > $3")
  /// A member's segments with an entry within `[$3, $4)`.
  static let ofEntries = SegmentStatements.statement(
    where: "s.user_id = $2 AND s.time_entry_id IS NOT NULL AND s.start_time < $4 AND s.end_time > $3")
}
