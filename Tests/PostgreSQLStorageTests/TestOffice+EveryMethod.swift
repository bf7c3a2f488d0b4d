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
    _ = try await storage.clockOut(
      ClockOut(
        member: key, time: now, isStated: false, notes: nil, policy: .standard, context: .test(at: now)))
    _ = try await storage.timeEntry(TimeEntryID(high: 1, low: 1), in: key.organization)
    _ = try await storage.activeTimeEntry(of: key)
    _ = try? await storage.timeEntries(
      TimeEntryQuery(
        organization: key.organization, user: nil, range: .dates(from: nil, through: nil), status: nil,
        session: SessionID(high: 1, low: 1), cursor: nil, limit: 5))
    try await useMembersAndTokens()
  }

  private func useMembersAndTokens() async throws {
    let key = member.key
    let now = TestDatabase.now
    let token = ApiToken(
      id: ApiTokenID(high: 1, low: 1), name: "A", userID: member.userID, createdAt: now, expiresAt: .latest,
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
