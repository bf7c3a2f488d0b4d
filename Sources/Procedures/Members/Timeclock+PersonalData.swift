import TimeclockDomain

/// Everything that is kept about one person in one organization, read a page at a time.
///
/// The pages are read one after the other, so writes meanwhile may be in some and not in others.
package struct PersonalData: Sendable {
  package let account: User
  package let member: Member
  private let key: MemberKey
  private let storage: any Storage

  /// The number of entries, sessions or tokens that are read at once.
  private static let pageSize = 200

  fileprivate init(account: User, member: Member, key: MemberKey, storage: any Storage) {
    self.account = account
    self.member = member
    self.key = key
    self.storage = storage
  }

  /// The person's entries, newest first.
  package func timeEntries(after cursor: TimeEntryCursor?) async throws -> Page<TimeEntry, TimeEntryCursor> {
    try await storage.timeEntries(
      TimeEntryQuery(
        organization: key.organization, user: key.user, range: .dates(from: nil, through: nil), status: nil,
        session: nil, cursor: cursor, limit: Self.pageSize))
  }

  /// The person's segments, newest first.
  package func segments(after cursor: SegmentCursor?) async throws -> Page<Segment, SegmentCursor> {
    try await storage.segments(
      SegmentQuery(organization: key.organization, user: key.user, cursor: cursor, limit: Self.pageSize))
  }

  /// The person's timer as it was written last, with its settings.
  package func timer() async throws -> MemberTimer {
    try await storage.timer(of: key) ?? .unused
  }

  /// The sessions of the person's timers, the newest start first.
  package func timerSessions(after cursor: RowCursor?) async throws -> Page<TimerSession, RowCursor> {
    try await storage.timerSessions(TimerSessionQuery(member: key, cursor: cursor, limit: Self.pageSize))
  }

  /// The person's push targets.
  package func pushTargets(at now: Instant) async throws -> [PushTarget] {
    try await storage.pushTargets(of: key, at: now)
  }

  /// The sessions that are assigned to the person.
  package func sessions(after cursor: RowCursor?) async throws -> Page<AssignedSession, RowCursor> {
    try await storage.assignedSessions(of: key, after: cursor, limit: Self.pageSize)
  }

  /// The groups in which the person has a part.
  package func groups(after cursor: RowCursor?) async throws -> Page<Group, RowCursor> {
    try await storage.groups(
      of: key.organization, with: key.user, after: cursor, limit: Self.pageSize)
  }

  /// The reads of the person's time by representatives, newest first.
  package func recordReads(before cursor: RowCursor?) async throws -> Page<RecordRead, RowCursor> {
    try await storage.recordReads(
      RecordReadQuery(
        organization: key.organization, person: key.user, cursor: cursor, limit: Self.pageSize))
  }

  /// The person's reads of others' time as a representative, newest first.
  package func ownRecordReads(before cursor: RowCursor?) async throws -> Page<RecordRead, RowCursor> {
    try await storage.recordReads(
      RecordReadQuery(
        organization: key.organization, readerID: member.userID, cursor: cursor, limit: Self.pageSize))
  }

  /// The person's absences.
  package func absences(after cursor: RowCursor?) async throws -> Page<Absence, RowCursor> {
    try await storage.absences(
      AbsenceFilter(members: .member(key.user)), in: key.organization, after: cursor, limit: Self.pageSize)
  }

  /// The corrections of the person's time.
  package func corrections(after cursor: RowCursor?) async throws -> Page<Correction, RowCursor> {
    try await storage.corrections(
      CorrectionFilter(members: .member(key.user)), in: key.organization, after: cursor, limit: Self.pageSize)
  }

  /// The API tokens in the person's name; a page may be empty and not the last.
  package func apiTokens(after cursor: RowCursor?) async throws -> Page<ApiToken, RowCursor> {
    var page = try await storage.apiTokens(of: key.organization, after: cursor, limit: Self.pageSize)
    page.elements.removeAll { $0.userID != member.userID }
    return page
  }

  /// The projects of the person's own.
  package func projects(after cursor: RowCursor?) async throws -> Page<Project, RowCursor> {
    try await storage.projects(
      ProjectQuery(
        organization: key.organization, owners: .member(key.user), cursor: cursor, limit: Self.pageSize))
  }

  /// The tasks of the person's own.
  package func tasks(after cursor: RowCursor?) async throws -> Page<WorkTask, RowCursor> {
    try await storage.tasks(
      TaskQuery(
        organization: key.organization, owners: .member(key.user), cursor: cursor, limit: Self.pageSize))
  }

  /// The person's reminders, newest first.
  package func reminders(before cursor: RowCursor?) async throws -> Page<Reminder, RowCursor> {
    try await storage.reminders(
      of: key.organization, of: .member(key.user), before: cursor, limit: Self.pageSize)
  }

  /// The invitations of the person, of which there is one at most; a page may be empty and not the last.
  package func invitations(after cursor: RowCursor?) async throws -> Page<Invitation, RowCursor> {
    var page = try await storage.invitations(of: key.organization, after: cursor, limit: Self.pageSize)
    page.elements.removeAll { $0.userID != member.userID }
    return page
  }

  /// The changes about the person or by them, oldest first. A change by them about somebody else comes without the
  /// resource before and after it, which is the other's. A page may be empty and not the last.
  package func changes(after cursor: RowCursor?) async throws -> Page<Change, RowCursor> {
    var page = try await storage.personalChanges(of: member.userID, in: key.organization, after: cursor)
    page.elements = page.elements.map { change in
      var change = change
      if !change.isAbout(member.userID) { (change.before, change.after) = (nil, nil) }
      return change
    }
    return page
  }
}

extension Timeclock {
  /// Everything about one person: for the person, and for admins.
  ///
  /// - Throws: `.notFound(.member)` before `.forbidden`, as everywhere.
  package func personalData(of userID: UserID, for caller: Membership) async throws -> PersonalData {
    let organization = caller.key.organization
    guard let member = try await storage.member(userID, in: organization),
      let membership = try await storage.membership(of: userID, in: organization)
    else { throw TimeclockError.notFound(.member) }
    guard userID == caller.userID || caller.role >= .admin else { throw TimeclockError.forbidden }
    let profile = try await storage.profile(of: membership.key.user)
    var account = profile.user
    if !profile.memberships.contains(where: {
      $0.organization == organization && $0.isAccepted && $0.isActive
    }) {
      // The account may be another organization's, which does not know of this one, and has its own name for the
      // person; or the person has left, and has another address by now.
      account = User(id: userID, email: member.email, name: member.name, language: member.language)
    }
    return PersonalData(account: account, member: member, key: membership.key, storage: storage)
  }

  /// Removes the identity of a deactivated member; see `PersonalDataStorage.anonymizeMember`.
  ///
  /// - Throws: `.forbidden`, `.reasonInvalid`, `.notFound(.member)`, `.memberActive`.
  package func anonymizeMember(
    _ userID: UserID, reason: String?, by caller: Membership, recording: AnswerRecording<Member>? = nil
  ) async throws -> Member {
    try caller.require(.admin)
    let reason = try reason.flatMap(Reason.sanitized)
    return try await storage.anonymizeMember(
      userID, in: caller.key.organization,
      context: caller.change("anonymizeMember", at: clock.now, reason: reason),
      recording: recording)
  }
}
