import TimeclockDomain

@testable import PostgreSQLStorage

extension TestOffice {
  /// Calls every method of the storage at least once, with whatever outcome.
  func useEveryMethod() async throws {
    let key = member.key
    let now = TestDatabase.now
    try await storage.checkReadiness()
    _ = try await addMember(1)
    try await keep(0, isActive: true)
    _ = try? await keep(1)
    _ = try await storage.memberships(of: [member.userID], in: key.organization)
    _ = try await storage.createTimeEntries([entry(9), entry(9)], keeping: .accepted)
    for isDryRun in [true, false] {
      _ = try await storage.importTimeEntries(
        ImportBatch(
          organization: key.organization,
          newMembers: [
            NewAccount(
              userID: Self.identifiers.next(at: now), email: EmailAddress("imported@example.com"), name: "I",
              passwordHash: nil)
          ],
          entries: [
            ImportedEntry(owner: .newMember(0), entry: entry(9).entry),
            ImportedEntry(owner: .member(key), entry: entry(9).entry),
          ], context: .test()), isDryRun: isDryRun, recording: nil)
    }
    _ = try await storage.clockOut(
      ClockOut(
        member: key, time: now, isStated: false, notes: nil, policy: .standard, context: .test(at: now)))
    _ = try await storage.timeEntry(TimeEntryID(high: 1, low: 1), in: key.organization)
    _ = try await storage.activeTimeEntry(of: key)
    _ = try? await storage.timeEntries(
      TimeEntryQuery(
        organization: key.organization, user: nil, range: .dates(from: nil, through: nil), status: nil,
        session: SessionID(high: 1, low: 1), cursor: nil, limit: 5))
    try await useSessions()
    try await useMembersAndTokens()
  }

  private func useMembersAndTokens() async throws {
    let key = member.key
    let now = TestDatabase.now
    let token = ApiToken(
      id: Self.identifiers.next(at: now), name: "A", userID: member.userID, createdAt: now,
      expiresAt: .latest,
      lastUsedAt: nil)
    let digest = TokenDigest(bytes: Array(repeating: 77, count: 32))
    _ = try await storage.profile(of: key.user)
    _ = try await storage.members(of: key.organization, after: nil, limit: 5)
    _ = try await storage.member(member.userID, in: key.organization)
    _ = try await storage.organization(key.organization)
    try await rename("B")
    try await storage.createApiToken(token, digest: digest, in: key.organization, context: .test())
    _ = try await storage.apiTokens(of: key.organization, after: nil, limit: 5)
    let hash = PasswordHash(text: "a")
    try await storage.acceptMembership(
      of: key.user, with: digest, from: hash, to: hash, context: .test(at: now))
    try? await storage.deleteApiToken(token.id, in: key.organization, context: .test())
    try await storage.deleteToken(123)
    storage.noteTokenUse(123, at: now)
    _ = try await storage.logInAccount(for: EmailAddress("admin1@example.com"))
    try await storage.changePassword(of: key.user, from: hash, to: hash, keepingToken: 1, context: .test())
    try await storage.createLogInToken(
      NewToken(digest: digest, createdAt: now, expiresAt: .latest), for: key.user, checkedHash: hash)
    _ = try? await storage.createMember(
      NewAccount(
        userID: member.userID, email: EmailAddress("admin1@example.com"), name: "D", passwordHash: nil),
      NewMember(organization: key.organization, role: .member, timeZone: nil), context: .test())
    let other = try await addMember(2)
    try await keep(5, isActive: true, of: other)
    _ = try await storage.updateMember(
      other.userID, in: key.organization, expectedVersion: nil, passwordHash: hash, context: .test(at: now)
    ) {
      $0.name = "C"
      $0.isActive = false
    }
    _ = try? await storage.updateMember(
      member.userID, in: key.organization, expectedVersion: nil, passwordHash: nil, context: .test(at: now)
    ) { $0.isActive = false }
    _ = try await storage.passwordHash(of: key.user)
    let request = IdempotencyKey(digest: Array(repeating: 1, count: 32), user: key.user)
    try await storage.recordAnswer(
      AnswerRecording(key: request, time: now) {
        RecordedAnswer(
          fingerprint: request.digest, salt: nil, status: 200, entityTag: nil, location: nil, body: [])
      })
    _ = try await storage.recordedAnswer(for: request, at: now)
    _ = try await storage.deleteExpiredAnswers(at: now, limit: 5)
    let attempt = LogInAttempt(email: "admin1@example.com", from: ClientNetwork(address: "192.0.2.1"))
    for outcome in [.succeeded, .notChecked] as [LogInOutcome] {
      try await storage.beginLogInAttempt(attempt, at: now)
      try await storage.endLogInAttempt(attempt, as: outcome, at: now)
    }
    _ = try await storage.deleteExpiredLogInAttempts(at: now, limit: 5)
    try await useForgottenEntries()
    _ = try await storage.personalChanges(of: other.userID, in: key.organization, after: nil)
    _ = try await storage.assignedSessions(of: key, after: nil, limit: 5)
    _ = try await storage.anonymizeMember(other.userID, in: key.organization, context: .test(at: now))
  }

  /// Has an entry closed that nobody clocked out of.
  private func useForgottenEntries() async throws {
    let organization = member.key.organization
    let later = TestDatabase.now.adding(milliseconds: 200 * 60_000)
    _ = try await storage.updateOrganization(
      organization, expectedVersion: nil, context: .test(at: TestDatabase.now)
    ) { $0.policy.autoClockOutSeconds = 60 }
    try await keep(100, isActive: true)
    _ = try await storage.presence(
      PresenceQuery(organization: organization, workedSince: TestDatabase.now, limit: 5))
    for user in [member.key.user, nil] {
      for hasDetails in [true, false] {
        _ = try await storage.report(
          on: WorkedTimeQuery(
            organization: organization, user: user,
            endingAfter: TestDatabase.now.adding(milliseconds: -86_400_000),
            beginningBefore: later, session: nil, hasDetails: hasDetails)
        ) { $0.entries.count }
      }
    }
    _ = try await storage.organizationsWithForgottenEntries(at: later)
    _ = try await storage.newestChange()
    _ = try await storage.closeForgottenEntries(in: organization, limit: 5, context: .test(at: later))
  }

  /// Exports every kind of selection, from its beginning and from a cursor on.
  private func exportEntries(of session: SessionID) async throws {
    let now = TestDatabase.now
    let ranges: [TimeEntryRange] = [
      .dates(from: .earliest, through: .latest), .overlapping(from: now, to: now.adding(milliseconds: 1)),
    ]
    for range in ranges {
      for (user, session) in [(member.key.user, nil), (nil, nil), (nil, session)] as [(UserKey?, SessionID?)]
      {
        var query = TimeEntryExportQuery(
          organization: member.key.organization, user: user, range: range, status: nil, session: session)
        let place = TimeEntryCursor(date: .earliest, createdAt: now, row: 0)
        for cursor in [nil, TimeEntryExportCursor(user: member.key.user, place: place)] {
          query.cursor = cursor
          _ = try await storage.exportTimeEntries(query, into: 0) { count, _ in
            count += 1
            return true
          }
        }
      }
    }
  }

  private func useSessions() async throws {
    let key = member.key
    let now = TestDatabase.now
    let session = Session(
      id: Self.identifiers.next(at: now), organizationID: organization.id,
      date: LocalDate(daysSince1970: 20_777),
      title: "S", startTime: nil, endTime: nil, location: nil, assigneeIDs: [member.userID], version: 1,
      createdAt: now, updatedAt: now)
    _ = try await storage.createSession(session, in: key.organization, context: .test())
    _ = try await storage.session(session.id, in: key.organization)
    for assignee in [key.user, nil] {
      for date in [session.date, nil] {
        _ = try await storage.sessions(
          SessionQuery(
            organization: key.organization, assignee: assignee, from: date, through: date, limit: 5))
      }
    }
    _ = try await storage.updateSession(
      SessionUpdate(
        id: session.id, organization: key.organization, expectedVersion: 1, assigneeIDs: [],
        context: .test(at: now))
    ) { $0.title = "T" }
    _ = try await storage.updateSession(
      SessionUpdate(
        id: session.id, organization: key.organization, expectedVersion: 2, assigneeIDs: [member.userID],
        context: .test(at: now))
    ) { _ in }
    try await keep(9, session: session.id)
    try await exportEntries(of: session.id)
    for detaching in [false, true] {
      try? await storage.deleteSession(
        SessionDeletion(
          id: session.id, organization: key.organization, expectedVersion: nil, detachesEntries: detaching,
          context: .test(at: now)))
    }
  }
}
