import TimeclockDomain

@testable import SQLiteStorage

extension TestOffice {
  /// Calls every method of the storage at least once, with whatever outcome.
  func useEveryMethod() async throws {
    let key = member.key
    let now = TestDatabase.now
    let token = ApiToken(
      id: ApiTokenID(high: 1, low: 1), name: "A", userID: member.userID, createdAt: now,
      expiresAt: .latest, lastUsedAt: nil)
    _ = try await addMember(1)
    try await keep(0, isActive: true)
    _ = try? await keep(1)
    _ = try await storage.clockOut(
      ClockOut(
        member: key, time: now, isStated: false, notes: nil, policy: .standard, context: .test(at: now)))
    _ = try await storage.timeEntry(TimeEntryID(high: 1, low: 1), in: key.organization)
    _ = try await storage.activeTimeEntry(of: key)
    for user in [key.user, nil] {
      for status in [nil, TimeEntryStatus.clockedIn] {
        _ = try await storage.timeEntries(
          TimeEntryQuery(
            organization: key.organization, user: user, range: .overlapping(from: now, to: now),
            status: status, session: nil, cursor: nil, limit: 5))
      }
    }
    _ = try? await storage.createTimeEntry(
      NewTimeEntry(
        member: key,
        entry: TimeEntry(
          id: TimeEntryID(high: 1, low: 3), userID: member.userID,
          organizationID: organization.id, clockInTime: now, clockOutTime: nil,
          date: LocalDate(daysSince1970: 20_777), timeZone: organization.timeZone, offsetSeconds: 0,
          sessionID: SessionID(high: 1, low: 1), notes: nil, source: .api, flags: [], version: 1,
          createdAt: now, updatedAt: now), needsSessionAssignment: true, context: .test()))
    _ = try await storage.profile(of: key.user)
    _ = try await storage.members(of: key.organization, after: nil, limit: 5)
    _ = try await storage.member(member.userID, in: key.organization)
    _ = try await storage.organization(key.organization)
    _ = try await storage.updateOrganization(key.organization, expectedVersion: nil, context: .test(at: now))
    {
      $0.name = "B"
    }
    try await storage.createApiToken(
      token, digest: TokenDigest(bytes: [7]), in: key.organization, context: .test())
    _ = try await storage.apiTokens(of: key.organization, after: nil, limit: 5)
    try await storage.deleteApiToken(token.id, in: key.organization, context: .test())
    try await storage.deleteToken(123)
    storage.noteTokenUse(123, at: now)
    _ = try await storage.logInAccount(for: EmailAddress("admin1@example.com"))
    try? await storage.changePassword(
      of: key.user, from: PasswordHash(text: "a"), to: PasswordHash(text: "b"), keepingToken: 1,
      context: .test())
    try? await storage.createLogInToken(
      NewToken(digest: TokenDigest(bytes: [8]), createdAt: now, expiresAt: .latest), for: key.user,
      checkedHash: PasswordHash(text: "b"))
    _ = try? await storage.updateMember(
      member.userID, in: key.organization, expectedVersion: nil,
      passwordHash: PasswordHash(text: "a"), context: .test(at: now)
    ) {
      $0.name = "C"
      $0.isActive = false
    }
    _ = try await storage.passwordHash(of: key.user)
    try await useForgottenEntries()
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
    _ = try await storage.organizationsWithForgottenEntries(at: later)
    _ = try await storage.closeForgottenEntries(in: organization, limit: 5, context: .test(at: later))
  }
}
