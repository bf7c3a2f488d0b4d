import TimeclockDomain

extension Storage {
  /// Deletes some of a member's work segments, the oldest first. Those that a mark binds stay.
  ///
  /// - Throws: `.reasonRequired` if the segments are not the author's, and no reason says why.
  package func deleteWork(_ deletion: WorkDeletion) async throws -> WorkDeletionPart {
    let (member, organization) = (deletion.member, deletion.member.organization)
    let limit = max(deletion.limit, 1)
    return try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) {
      transaction in
      try await transaction.lockForSegments(member)
      let segments = try await transaction.read(
        ResetStatements.work,
        [
          .key(organization), .key(member.user), .integer(deletion.after?.millisecondsSince1970 ?? .min),
          .integer(deletion.before?.millisecondsSince1970 ?? .max), .integer(Int64(limit)),
        ], StoredSegment.init)
      let open = try await transaction.unbound(segments, in: organization, deletion.context)
      try await transaction.discard(open, in: organization, deletion.context)
      return WorkDeletionPart(
        count: open.count, kept: segments.count - open.count,
        next: segments.count < limit ? nil : segments.last?.segment.startTime)
    }
  }

  /// Deletes some of the tasks and projects that are a member's own: first the tasks, then the projects. Their segments
  /// lose the task or the project and stay, of any member. A task or a project stays if marks bind segments of it.
  ///
  /// - Parameters:
  ///   - place: That of the part before.
  ///   - limit: The most segments, tasks and projects that are changed or deleted, at least 1.
  package func deleteOwnProjects(
    of member: MemberKey, from place: OwnProjectsDeletionPart.Place = OwnProjectsDeletionPart.Place(),
    limit: Int, context: ChangeContext
  ) async throws -> OwnProjectsDeletionPart {
    let kind = RecordWrite(.organization(member.organization), isLong: true)
    return try await write(kind, recording: nil) { transaction in
      var deletion = OwnProjectsDeletion(
        transaction: transaction, member: member, context: context, from: place, room: max(limit, 1))
      return try await deletion.run()
    }
  }
}

extension RecordTransaction {
  /// Those of a member's segments that no mark binds.
  fileprivate func unbound(
    _ segments: [StoredSegment], in organization: OrganizationKey, _ context: ChangeContext
  ) async throws -> [StoredSegment] {
    guard let userID = segments.first?.segment.userID else { return [] }
    let ends = try await marks(of: userID, in: organization)
    return segments.filter { stored in
      BoundChange.found(from: .segment(stored.segment), to: nil, at: context.time).map {
        ends.mark(on: $0, by: context.boundBy) == nil
      } ?? true
    }
  }
}

/// The deletion of some of a member's own tasks and projects, inside one transaction.
private struct OwnProjectsDeletion<Transaction: RecordTransaction> {
  let transaction: Transaction
  let member: MemberKey
  let context: ChangeContext
  /// The number of rows that may yet be changed or deleted.
  var room: Int
  private var part: OwnProjectsDeletionPart

  init(
    transaction: Transaction, member: MemberKey, context: ChangeContext,
    from place: OwnProjectsDeletionPart.Place, room: Int
  ) {
    self.transaction = transaction
    self.member = member
    self.context = context
    part = OwnProjectsDeletionPart(from: place)
    self.room = room
  }

  private var organization: OrganizationKey { member.organization }

  mutating func run() async throws -> OwnProjectsDeletionPart {
    try await transaction.lockForSegments(member)
    let tasks: [TaskID] = try await own(ResetStatements.tasks, after: part.place.task)
    for id in tasks {
      try await deleteTask(id)
      guard room > 0 else { return part }
    }
    // Projects come after the last task, so that none of their tasks is changed before it is deleted.
    guard tasks.isEmpty else { return part }
    let projects: [ProjectID] = try await own(ResetStatements.projects, after: part.place.project)
    for id in projects {
      try await deleteProject(id)
      guard room > 0 else { return part }
    }
    part.isLast = projects.isEmpty
    return part
  }

  /// The first ids that a statement gives behind a row. A transaction locks each by itself, so there are few.
  private func own<Kind>(
    _ statement: RecordStatement, after row: Int64
  ) async throws -> [Identifier<Kind>] {
    try await transaction.read(
      statement,
      [.key(organization), .key(member.user), .integer(Int64(min(room, 100))), .integer(row)]
    ) { try $0.identifier("id") }
  }

  /// Deletes a task once no segments are of it; the part ends before if there are too many of them.
  private mutating func deleteTask(_ id: TaskID) async throws {
    let key: [RecordValue] = [.key(organization), .identifier(id)]
    try await transaction.lockSegmentOwners(ofTask: id, in: organization)
    // The project is locked before its tasks, as its deletion does it.
    let project = try await transaction.first(WorkTask.table.one, key, WorkTask.init)?.projectID
    _ = try await transaction.lockProject(project, in: organization)
    try await transaction.lock(WorkTask.table.lockedForDeletion, key)
    try await transaction.lockSegmentOwners(ofTask: id, in: organization)
    let found = try await transaction.first(WorkTask.table.one, key, NumberedRecord<WorkTask>.init)
    guard let found else { return }
    if try await transaction.hasBoundSegments(of: .task, found.number, in: organization, context) {
      part.place.task = found.number
      return part.kept += 1
    }
    try await detach(PurposeDeletionStatements.ofTask, found.number, from: .task)
    guard room > 0 else { return }
    try await transaction.delete(found, in: organization, context)
    part.tasks += 1
    room -= 1
  }

  /// Deletes a project once no segments are of it; the part ends before if there are too many of them.
  private mutating func deleteProject(_ id: ProjectID) async throws {
    try await transaction.lockSegmentOwners(ofProject: id, in: organization)
    guard let found = try await transaction.lockProjectForDeletion(id, in: organization) else { return }
    try await transaction.lockTasks(ofProject: found.number, in: organization)
    try await transaction.lockSegmentOwners(ofProject: id, in: organization)
    if try await transaction.hasBoundSegments(of: .project, found.number, in: organization, context) {
      part.place.project = found.number
      return part.kept += 1
    }
    try await detach(PurposeDeletionStatements.ofProject, found.number, from: .project)
    guard room > 0 else { return }
    // Tasks that were made meanwhile.
    try await transaction.clear(project: found.number, .detach, in: organization, context)
    try await transaction.delete(found, in: organization, context)
    part.projects += 1
    room -= 1
  }

  /// Takes as many segments off a project or a task as there is room for. None is left if there is room afterwards.
  private mutating func detach(
    _ statement: RecordStatement, _ number: Int64, from reference: SegmentReference
  ) async throws {
    let segments = try await transaction.read(
      statement, [.key(organization), .integer(number), .integer(Int64(room))], StoredSegment.init)
    try await transaction.detach(segments, from: reference, in: organization, context)
    room -= segments.count
  }
}

/// The statements on records of a member, `$2`.
private enum ResetStatements {
  /// The work that begins after `$3` and before `$4`, at most `$5` segments; the open one only if `$4` is the end of
  /// all time.
  static let work = SegmentStatements.statement(
    where: """
      s.user_id = $2 AND s.start_time > $3 AND s.start_time < $4 AND s.break_type_id IS NULL \
      AND (s.end_time IS NOT NULL OR $4 = \(Int64.max)) ORDER BY s.start_time LIMIT $5
      """, index: "segments_by_start")
  static let tasks = own("tasks", "task_id")
  static let projects = own("projects", "project_id")

  /// The first rows of a table that are the member's own, behind `$4`, at most `$3`.
  private static func own(_ table: String, _ number: String) -> RecordStatement {
    RecordStatement(
      "FROM \(table) WHERE organization_id = $1 AND owner_id = $2 AND \(number) > $4 ORDER BY \(number) LIMIT $3",
      columns: RecordColumns("id"))
  }
}
