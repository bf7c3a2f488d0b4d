import TimeclockDomain

/// An import under way: knows the members, those it has added, and, in a dry run, the entries that it would have kept.
package struct TimeEntryImport: Sendable {
  private let timeclock: Timeclock
  private let settings: ImportSettings
  private let caller: Membership
  /// The member that rows without an e-mail address belong to.
  private let subject: Membership?
  /// The name that the first of those rows has.
  private var subjectName: String?
  private var directory: ImportDirectory
  /// The people who are to become members, by the keys of their addresses: in a dry run they never do.
  private var newcomers: [String: NewAccount] = [:]
  /// The newcomers in the report of a dry run.
  private var namedNewcomers: Set<String> = []
  /// The projects and tasks that a dry run would have made, which no batch counts again.
  private var judgedWork = JudgedWork()
  /// The spans of the entries that earlier batches of a dry run would have kept.
  private var judged: [UserID: SpanSet] = [:]
  /// The starts of the rows so far that became entries, or were some.
  private var starts = ImportedStarts()

  init(
    timeclock: Timeclock, settings: ImportSettings, caller: Membership, subject: Membership?,
    directory: ImportDirectory
  ) {
    self.timeclock = timeclock
    self.settings = settings
    self.caller = caller
    self.subject = subject
    self.directory = directory
  }

  /// The number of rows of one transaction, which the writes of others wait for.
  package static let batchSize = 500

  /// Takes rows: adds the people who are no members yet, inactive, and keeps every entry that can be kept, each row by
  /// the rules of `createTimeEntry`. A row that is an entry already, with exactly this start and end, the same notes and for
  /// the same purpose, changes nothing, unless an earlier row of the file was this entry.
  ///
  /// Each `batchSize` rows are kept in one transaction. The entries of an earlier one stay when a later one fails, and
  /// taking the same rows again keeps the rest. Each has as long for the storage as a request.
  ///
  /// - Parameter recording: Keeps the report as the answer to a request, in the transaction of the last rows; also that
  ///   of a dry run.
  /// - Returns: The outcome of these rows.
  /// - Throws: The errors of every write of a storage, and then nothing of the batch that failed and of those after it
  ///   is kept; `MissingTimeZone`.
  package mutating func take(
    _ lines: [ImportLine], recording: AnswerRecording<ImportReport>? = nil
  ) async throws -> ImportReport {
    var report = ImportReport(isDryRun: settings.isDryRun, ignoredColumns: settings.ignoredColumns)
    var rest = lines[...]
    repeat {
      let batch = rest.prefix(Self.batchSize)
      rest = rest.dropFirst(batch.count)
      let last = rest.isEmpty ? recording : nil
      StorageDeadline.restart()
      report.append(try await keep(batch, recording: last?.mapping { [report] in report.appending($0) }))
    } while !rest.isEmpty
    return report
  }

  /// Takes the rows of one transaction.
  private mutating func keep(
    _ lines: ArraySlice<ImportLine>, recording: AnswerRecording<ImportReport>?
  ) async throws -> ImportReport {
    let context = caller.change("importTimeEntries", at: timeclock.clock.now)
    // Not on the caller's event loop, which serves others meanwhile.
    let (batch, judged) = try await Task.detached { [self] in
      var judging = self
      return (try judging.prepare(lines, context: context), judging)
    }
    .value
    self = judged
    let (isDryRun, starts) = (settings.isDryRun, self.starts)
    let outcome = try await timeclock.storage.importTimeEntries(
      batch.stored, isDryRun: isDryRun,
      recording: recording?.mapping { batch.report(of: $0, after: starts, isDryRun: isDryRun).report })
    var report: ImportReport
    (report, self.starts) = batch.report(of: outcome, after: starts, isDryRun: isDryRun)
    if isDryRun {
      remember(batch, outcome, &report)
      if let recording {
        try await timeclock.storage.recordAnswer(recording.mapping { [report] in report })
      }
    } else {
      admit(outcome.members.compactMap { try? $0.get() })
    }
    return report
  }

  /// Judges every row by itself.
  private mutating func prepare(_ lines: ArraySlice<ImportLine>, context: ChangeContext) throws
    -> PreparedImport
  {
    var batch = PreparedImport(organization: caller.key.organization, context: context)
    for line in lines {
      do {
        let row = try line.row.get()
        guard row.kind == .work else { throw ImportRefusal.notWork(row.kind) }
        let owner = try owner(of: row, at: context.time)
        let (new, isShortened) = try newEntry(row, of: owner.membership, context: context)
        guard !isTaken(new.entry) else { throw ImportRefusal.overlapInFile }
        batch.append(
          new, for: try row.purpose.map(ImportedPurpose.init), of: owner.newcomer, line: line.line,
          isShortened: isShortened, timeclock.identifiers)
      } catch let refusal as ImportRefusal {
        batch.refuse(line.line, refusal)
      } catch let error as TimeclockError {
        var refusal = ImportRefusal(error)
        switch error {
        case .tooLong, .tooShort:
          refusal.detail += ". State \(settings.names.keepOutOfPolicy) to keep and flag it."
        default: break
        }
        batch.refuse(line.line, refusal)
      }
    }
    return batch
  }

  /// The entry that a row becomes, by the rules of every entry that is entered, and whether it ends before the row's end.
  private func newEntry(
    _ row: ImportRow, of member: Membership, context: ChangeContext
  ) throws -> (entry: NewTimeEntry, isShortened: Bool) {
    let name = row.timeZone ?? settings.timeZone ?? member.timeZone.name
    let times = try ImportTimes(
      of: row, in: timeclock.zone(named: name), takesLength: settings.takesLength, settings.names)
    let entry = try timeclock.manualEntry(
      ManualEntryRequest(
        clockInTime: times.clockIn, clockOutTime: times.clockOut, timeZone: name, notes: row.notes),
      for: member, by: caller, context: context, source: .import,
      keepsOutOfPolicy: settings.keepsOutOfPolicy)
    return (entry, times.isShortened)
  }

  /// The owner of a row.
  ///
  /// - Throws: `ImportRefusal`; `.invalidEmail`, `.invalidName`.
  private mutating func owner(
    of row: ImportRow, at now: Instant
  ) throws -> (membership: Membership, newcomer: NewAccount?) {
    switch row.person {
    case .email(let text, let name):
      if let written = EmailAddress(ofAccount: text), let member = try directory.member(with: written) {
        return (member, nil)
      }
      let email = try EmailAddress(text)
      let newcomer = try newcomer(email, name: name, at: now)
      let key = MemberKey(organization: caller.key.organization, user: UserKey(0))
      return (membership(of: newcomer.userID, key: key), newcomer)
    case .name(let name):
      guard let subject else { return (try directory.member(named: name, settings.names), nil) }
      try requireOnePerson(name)
      return (subject, nil)
    case .id(let id):
      guard let subject else { throw ImportRefusal.idUnknown(id, settings.names) }
      try requireOnePerson(id)
      return (subject, nil)
    case .unstated:
      guard let subject else {
        throw ImportRefusal.memberUnknown(
          "The row does not say whose it is: it has no e-mail address and no name. State \(settings.names.user)."
        )
      }
      return (subject, nil)
    }
  }

  /// Refuses a row of another name than the first: one member was stated, and the file is of several people.
  private mutating func requireOnePerson(_ name: String) throws {
    guard let known = subjectName, known != name else {
      subjectName = name
      return
    }
    throw ImportRefusal.memberUnknown(
      """
      The row is of "\(Text.quotable(name))", and rows before it are of "\(Text.quotable(known))", while \
      \(settings.names.user) states one member for all rows without an e-mail address.
      """)
  }

  /// Somebody who is no member yet, the same person every time.
  private mutating func newcomer(_ email: EmailAddress, name: String?, at now: Instant) throws -> NewAccount {
    if let known = newcomers[email.key] { return known }
    let stated = name.map(Text.trimmed) ?? ""
    let account = NewAccount(
      userID: timeclock.identifiers.next(at: now), email: email,
      name: try Name.validated(stated.isEmpty ? email.text : stated), passwordHash: nil)
    newcomers[email.key] = account
    return account
  }

  /// The membership, present or future, of a person added by an import.
  private func membership(of userID: UserID, key: MemberKey) -> Membership {
    Membership(
      key: key, organizationID: caller.organizationID, userID: userID, role: .member, isActive: false,
      memberTimeZone: nil, organizationTimeZone: caller.organizationTimeZone, policy: caller.policy)
  }

  /// Whether an earlier batch of a dry run would have kept an entry in this time.
  private func isTaken(_ entry: TimeEntry) -> Bool {
    guard let end = entry.clockOutTime else { return false }
    return judged[entry.userID]?.overlaps(entry.clockInTime, end) ?? false
  }

  /// Remembers entries that a dry run would have kept, and names each newcomer once.
  private mutating func remember(
    _ batch: PreparedImport, _ outcome: ImportOutcome, _ report: inout ImportReport
  ) {
    for (entry, outcome) in zip(batch.stored.entries, outcome.entries) {
      guard case .success = outcome, let end = entry.entry.clockOutTime else { continue }
      judged[entry.entry.userID, default: SpanSet()].insert(entry.entry.clockInTime, end)
    }
    (report.projectsCreated, report.tasksCreated) = judgedWork.count(outcome.work)
    report.membersCreated.removeAll { !namedNewcomers.insert(EmailAddress.key(of: $0.email)).inserted }
  }

  /// Adds the new members to the directory.
  private mutating func admit(_ members: [CreatedMember]) {
    for created in members {
      directory.insert(
        membership(of: created.member.userID, key: created.key), email: created.member.email,
        name: created.member.name)
    }
  }
}
