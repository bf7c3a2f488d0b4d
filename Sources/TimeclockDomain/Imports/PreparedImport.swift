/// Rows as a storage gets them, and where in the file they stand.
struct PreparedImport: Sendable {
  private(set) var stored: ImportBatch
  /// The lines of the entries, in their order.
  private var lines: [Int] = []
  /// The rows that no storage is asked about.
  private var refused: [RefusedImportRow] = []
  private var alreadyThere = 0
  /// The places of the new members, by the keys of their addresses.
  private var places: [String: Int] = [:]
  /// The places of the projects and tasks, by their words.
  private var projectPlaces: [[UInt8]: Int] = [:]
  private var taskPlaces: [[UInt8]: Int] = [:]

  init(organization: OrganizationKey, context: ChangeContext) {
    stored = ImportBatch(organization: organization, newMembers: [], entries: [], context: context)
  }

  mutating func refuse(_ line: Int, _ refusal: ImportRefusal) {
    refused.append(RefusedImportRow(line: line, refusal: refusal))
  }

  mutating func noteAlreadyThere() {
    alreadyThere += 1
  }

  /// Adds an entry. A newcomer becomes a member with the first one, so that nobody is added for rows that are refused.
  mutating func append(
    _ new: NewTimeEntry, for purpose: ImportedPurpose?, of newcomer: NewAccount?, line: Int,
    _ identifiers: IdentifierGenerator
  ) {
    lines.append(line)
    var segment: ImportedSegment?
    if let purpose { segment = self.segment(of: new.entry, for: purpose, identifiers) }
    guard let newcomer else {
      return stored.entries.append(
        ImportedEntry(owner: .member(new.member), entry: new.entry, segment: segment))
    }
    let place = places[newcomer.email.key] ?? stored.newMembers.count
    if place == stored.newMembers.count {
      places[newcomer.email.key] = place
      stored.newMembers.append(newcomer)
    }
    stored.entries.append(ImportedEntry(owner: .newMember(place), entry: new.entry, segment: segment))
  }

  private mutating func segment(
    of entry: TimeEntry, for purpose: ImportedPurpose, _ identifiers: IdentifierGenerator
  ) -> ImportedSegment {
    let now = stored.context.time
    var project: Int?
    if let name = purpose.project {
      // No name has a new line. Texts that only look the same are two, as they are to the databases.
      let key = Array("\(purpose.client ?? "")\n\(name)".utf8)
      project = projectPlaces[key] ?? stored.projects.count
      if project == stored.projects.count {
        projectPlaces[key] = project
        stored.projects.append(
          Project(
            id: identifiers.next(at: now), organizationID: entry.organizationID, ownerID: nil, name: name,
            client: purpose.client, color: .standard, isArchived: false,
            isBillable: purpose.isBillable ?? false, version: 1, createdAt: now, updatedAt: now))
      }
    }
    var task: Int?
    if let name = purpose.task {
      let key = Array("\(project.map(String.init) ?? "")\n\(name)".utf8)
      task = taskPlaces[key] ?? stored.tasks.count
      if task == stored.tasks.count {
        taskPlaces[key] = task
        stored.tasks.append(
          ImportedTask(
            task: WorkTask(
              id: identifiers.next(at: now), organizationID: entry.organizationID, projectID: nil,
              ownerID: nil, name: name, isHidden: false, version: 1, createdAt: now, updatedAt: now),
            project: project))
      }
    }
    return ImportedSegment(
      id: identifiers.next(at: now), name: purpose.name, tags: purpose.tags, isBillable: purpose.isBillable,
      project: project, task: task)
  }

  /// The outcome of the rows, by the storage's results for the entries.
  func report(of outcome: ImportOutcome, isDryRun: Bool) -> ImportReport {
    var report = ImportReport(isDryRun: isDryRun)
    report.alreadyThere = alreadyThere
    report.refused = refused
    for ((line, new), outcome) in zip(zip(lines, stored.entries), outcome.entries) {
      switch outcome {
      case .success: report.taken += 1
      case .failure(.overlap(let entries, count: 1)) where entries.first?.hasSpan(of: new.entry) == true:
        report.alreadyThere += 1
      case .failure(let error):
        report.refused.append(RefusedImportRow(line: line, refusal: ImportRefusal(error)))
      }
    }
    report.projectsCreated = outcome.work.projects.count
    report.tasksCreated = outcome.work.tasks.count
    report.segmentsCreated = outcome.work.segments.count
    report.refused.sort { $0.line < $1.line }
    report.membersCreated = outcome.members.compactMap { try? $0.get().member }.map {
      ImportedMember(userID: $0.userID, email: $0.email, name: $0.name)
    }
    return report
  }
}

extension TimeEntry {
  fileprivate func hasSpan(of other: TimeEntry) -> Bool {
    clockInTime == other.clockInTime && clockOutTime == other.clockOutTime
  }
}
