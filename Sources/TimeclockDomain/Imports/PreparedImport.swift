/// Rows as a storage gets them, and where in the file they stand.
package struct PreparedImport: Sendable {
  package private(set) var stored: ImportBatch
  /// The lines of the entries, in their order, and whether they end before the rows' ends.
  private var lines: [(line: Int, isShortened: Bool)] = []
  /// The rows that no storage is asked about.
  private var refused: [RefusedImportRow] = []
  /// The places of the new members, by the keys of their addresses.
  private var places: [String: Int] = [:]
  /// The places of the projects and tasks, by their words.
  private var projectPlaces: [[UInt8]: Int] = [:]
  private var taskPlaces: [[UInt8]: Int] = [:]

  package init(organization: OrganizationKey, context: ChangeContext) {
    stored = ImportBatch(organization: organization, newMembers: [], entries: [], context: context)
  }

  /// Notes the refusal of a row.
  package mutating func refuse(_ line: Int, _ refusal: ImportRefusal) {
    refused.append(RefusedImportRow(line: line, refusal: refusal))
  }

  /// Adds an entry. A newcomer becomes a member with the first one, so that nobody is added for rows that are refused.
  package mutating func append(
    _ new: NewTimeEntry, for purpose: ImportedPurpose?, of newcomer: NewAccount?, line: Int,
    isShortened: Bool, _ identifiers: IdentifierGenerator
  ) {
    lines.append((line, isShortened))
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
          Project(head: Head(id: identifiers.next(at: now), organizationID: entry.organizationID, at: now)) {
            $0.name = name
            $0.client = purpose.client
            $0.isBillable = purpose.isBillable ?? false
          })
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
              head: Head(id: identifiers.next(at: now), organizationID: entry.organizationID, at: now)
            ) { $0.name = name },
            project: project))
      }
    }
    return ImportedSegment(
      id: identifiers.next(at: now), name: purpose.name, tags: purpose.tags, isBillable: purpose.isBillable,
      project: project, task: task)
  }

  /// The outcome of the rows, by the storage's results for the entries.
  ///
  /// - Parameter starts: Of the rows of earlier batches.
  /// - Returns: The report, and the starts with those of these rows.
  package func report(
    of outcome: ImportOutcome, after starts: ImportedStarts, isDryRun: Bool
  ) -> (report: ImportReport, starts: ImportedStarts) {
    var (report, starts) = (ImportReport(isDryRun: isDryRun), starts)
    report.refused = refused
    for (place, result) in outcome.entries.enumerated() {
      let (row, new) = (lines[place], stored.entries[place].entry)
      func refuse(_ refusal: ImportRefusal) {
        report.refused.append(RefusedImportRow(line: row.line, refusal: refusal))
      }
      switch result {
      case .success(let entry):
        report.taken += 1
        if row.isShortened { report.shortened.append(row.line) }
        starts.insert(entry)
      case .failure(.overlap(let entries, count: _)) where entries.contains(where: starts.contains):
        refuse(.overlapInFile)
      case .failure(.overlap(let entries, count: 1)) where entries.first?.hasSpan(of: new) == true:
        guard let other = entries.first, other.notes == new.notes, !outcome.otherPurposes.contains(place)
        else {
          refuse(.otherEntry)
          continue
        }
        report.alreadyThere += 1
        starts.insert(other)
      case .failure(let error): refuse(ImportRefusal(error))
      }
    }
    report.projectsCreated = outcome.work.projects.count
    report.tasksCreated = outcome.work.tasks.count
    report.segmentsCreated = outcome.work.segments.count
    report.refused.sort { $0.line < $1.line }
    report.membersCreated = outcome.members.compactMap { try? $0.get().member }.map {
      ImportedMember(userID: $0.userID, email: $0.email, name: $0.name)
    }
    return (report, starts)
  }
}

extension TimeEntry {
  fileprivate func hasSpan(of other: TimeEntry) -> Bool {
    clockInTime == other.clockInTime && clockOutTime == other.clockOutTime
  }
}
