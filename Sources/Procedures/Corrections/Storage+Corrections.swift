import TimeclockDomain

// Of one member's time one thing is changed at a time: the member's row is locked first.
extension Storage {
  /// Keeps a new correction, and makes its change in the same transaction.
  ///
  /// - Returns: The correction, with the entry if it has added one.
  /// - Throws: `.notFound(.member)`, the errors of `TimeEntryStorage` for the change.
  package func applyCorrection(
    _ correction: Correction, _ change: ProposedChange, in organization: OrganizationKey,
    context: ChangeContext, recording: AnswerRecording<Correction>?
  ) async throws -> Correction {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let user = try await transaction.lockedUser(of: correction, in: organization)
      let applied = correction.naming(try await transaction.make(change, of: user, in: organization))
      try await transaction.create(applied, of: user, in: organization, context)
      return applied
    }
  }

  /// Changes a member's time, and keeps a correction of it in the same transaction; none if nothing is changed.
  ///
  /// - Returns: The entry as it is now; as it was if it was deleted.
  /// - Throws: As `applyCorrection`.
  package func changeTime(
    _ change: ProposedChange, noticedBy notice: Correction, in organization: OrganizationKey,
    recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let user = try await transaction.lockedUser(of: notice, in: organization)
      let changed = try await transaction.make(change, of: user, in: organization)
      try await transaction.keep(notice, of: changed, of: user, in: organization, change.context)
      guard let entry = changed.after ?? changed.before else { throw TimeclockError.notFound(.timeEntry) }
      return entry
    }
  }

  /// Keeps new closed entries as `TimeEntryStorage.createTimeEntries` does, with a correction of each that has one.
  ///
  /// - Parameter new: Each entry, and the correction to keep with it.
  package func createTimeEntries(
    _ new: [(entry: NewTimeEntry, notice: Correction?)], keeping: BulkKeeping,
    in organization: OrganizationKey,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    do {
      return try await write(RecordWrite(.organization(organization), isLong: true), recording: recording) {
        transaction in
        // In the order in which everybody locks them, so that no two wait for each other.
        let users = Set(new.map { $0.entry.member.user.value }).sorted()
        for user in users {
          try await transaction.lock(
            CorrectionStatements.lockMember, [.key(organization), .integer(user)])
        }
        var outcomes: [Result<TimeEntry, TimeclockError>] = []
        for (entry, notice) in new {
          do {
            outcomes.append(.success(try await transaction.createEntry(entry)))
          } catch let refusal as TimeclockError {
            outcomes.append(.failure(refusal))
            continue
          }
          guard let notice else { continue }
          try await transaction.keep(
            notice, of: ChangedEntry(before: nil, after: entry.entry), of: entry.member.user,
            in: organization, entry.context)
        }
        try keeping.check(outcomes)
        return outcomes
      }
    } catch let nothing as NothingKept {
      return nothing.outcomes
    }
  }

  /// Decides about a correction, and makes its change in the same transaction if there is one to make.
  ///
  /// - Throws: `.notFound(.correction)`, `.changed`, any error of `decide`, the errors of `TimeEntryStorage` for the change.
  package func decideCorrection(
    _ update: ResourceUpdate<Correction>, making change: ProposedChange?,
    recording: AnswerRecording<Correction>?,
    _ decide: @escaping @Sendable (inout Correction) throws -> Void
  ) async throws -> Correction {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let (found, user) = try await transaction.requireOfMember(update, by: Correction.table.lockedForChange)
      guard var decided = try found.record.changed(at: update.context.time, by: decide) else {
        return found.record
      }
      if let change {
        decided = decided.naming(try await transaction.make(change, of: user, in: organization))
      }
      try await transaction.write(decided, over: found, references: [:], in: organization, update.context)
      return decided
    }
  }
}

extension RecordTransaction {
  /// The row of the member whose time a correction is about, who is locked.
  fileprivate func lockedUser(
    of correction: Correction, in organization: OrganizationKey
  ) async throws -> UserKey {
    try await requireMember(correction.userID ?? .ofNothing, in: organization, isLocked: true).user
  }

  /// Keeps a correction of a change that was made; nothing if nothing has changed.
  fileprivate func keep(
    _ notice: Correction, of changed: ChangedEntry, of user: UserKey, in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    guard changed.isChanged else { return }
    var notice = notice.naming(changed)
    (notice.clockInTime, notice.clockOutTime) = (changed.after?.clockInTime, changed.after?.clockOutTime)
    try await create(notice, of: user, in: organization, context)
  }
}

extension RecordTransaction {
  /// Keeps the correction of a new segment, if it has one: of its break, or of the entry that was made for it.
  func keepNotice(of new: NewSegment, as segment: Segment) async throws {
    guard case .created(let entry) = new.place, let notice = new.notice else {
      return try await keep(new.notice, ofBreakIn: segment.timeEntryID, of: new.member, new.context)
    }
    try await keep(
      notice, of: ChangedEntry(before: nil, after: entry), of: new.member.user,
      in: new.member.organization, new.context)
  }

  /// Keeps a correction of a change of an entry's breaks; nothing without one. It has no times.
  func keep(
    _ notice: Correction?, ofBreakIn entryID: TimeEntryID?, of member: MemberKey, _ context: ChangeContext
  ) async throws {
    guard var notice else { return }
    notice.timeEntryID = entryID
    try await create(notice, of: member.user, in: member.organization, context)
  }
}

extension Correction {
  /// The correction with the entry that its change has added.
  fileprivate func naming(_ changed: ChangedEntry) -> Correction {
    var correction = self
    if correction.timeEntryID == nil { correction.timeEntryID = changed.after?.id }
    return correction
  }
}

private enum CorrectionStatements {
  static let lockMember = RecordStatement(
    "FROM members WHERE organization_id = $1 AND user_id = $2", columns: RecordColumns("user_id"),
    lock: "FOR NO KEY UPDATE")
}
