import Testing
import TimeclockDomain

@Suite("A closed storage")
struct ClosedStorageTests {
  @Test("refuses every method, with the error that says it may work elsewhere", arguments: StorageFactory.all)
  func everyMethod(_ factory: StorageFactory) async throws {
    let underTest = try await factory.open()
    let world = World(underTest)
    let organization = try await world.organization()
    let (token, _) = try await world.apiToken(for: organization.admin, in: organization)
    await underTest.close()
    let methods = try Self.methods(of: world, organization, token)
    for (name, method) in methods {
      await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1), "\(name)") {
        try await method()
      }
    }
    world.storage.noteTokenUse(1, at: World.start)
  }

  private static func methods(
    of world: World, _ organization: TestOrganization, _ token: ApiToken
  ) throws -> [(String, @Sendable () async throws -> Void)] {
    let storage = world.storage
    let key = organization.key
    let admin = organization.admin
    let now = World.start
    let account = try world.account()
    let email = try EmailAddress(admin.email)
    let unknown: OrganizationID = world.id()
    let new = Organization(
      id: unknown, name: "New", timeZone: zone("UTC"), createdAt: now, updatedAt: now)
    let newToken = world.token()
    let newMember = NewMember(organization: key, role: .member, timeZone: nil)
    let hash = World.passwordHash
    let digest = world.digest()
    let request = IdempotencyKey(digest: digest.bytes, user: nil)
    let attempt = LogInAttempt(email: admin.email, from: ClientNetwork(address: nil))
    return [
      ("checkReadiness", { try await storage.checkReadiness() }),
      (
        "createOrganization",
        { _ = try await storage.createOrganization(new, admin: account, token: newToken, context: .test()) }
      ),
      ("organization", { _ = try await storage.organization(key) }),
      (
        "updateOrganization",
        {
          _ = try await storage.updateOrganization(key, expectedVersion: nil, context: .test(at: now)) {
            $0.name = "B"
          }
        }
      ),
      ("profile", { _ = try await storage.profile(of: admin.key.user) }),
      ("membership", { _ = try await storage.membership(of: admin.id, in: key) }),
      ("memberships", { _ = try await storage.memberships(of: [admin.id], in: key) }),
      ("member", { _ = try await storage.member(admin.id, in: key) }),
      ("members", { _ = try await storage.members(of: key, after: nil, limit: 5) }),
      ("createMember", { _ = try await storage.createMember(account, newMember, context: .test()) }),
      ("updateMember", { _ = try await world.update(admin, in: organization) { $0.name = "B" } }),
      (
        "anonymizeMember",
        { _ = try await storage.anonymizeMember(admin.id, in: key, context: .test()) }
      ),
      ("personalChanges", { _ = try await storage.personalChanges(of: admin.id, in: key, after: nil) }),
      (
        "assignedSessions",
        { _ = try await storage.assignedSessions(of: admin.key, after: nil, limit: 5) }
      ),
      (
        "report",
        {
          let query = WorkedTimeQuery(
            organization: key, user: nil, endingAfter: now, beginningBefore: now, session: nil,
            hasDetails: true)
          try await storage.report(on: query) { _ in }
        }
      ),
      ("authenticate", { _ = try await world.isGood(organization.adminToken) }),
      ("logInAccount", { _ = try await storage.logInAccount(for: email) }),
      ("passwordHash", { _ = try await storage.passwordHash(of: admin.key.user) }),
      (
        "createLogInToken",
        { try await storage.createLogInToken(newToken, for: admin.key.user, checkedHash: hash) }
      ),
      ("beginLogInAttempt", { try await storage.beginLogInAttempt(attempt, at: now) }),
      (
        "endLogInAttempt", { try await storage.endLogInAttempt(attempt, as: .succeeded, at: now) }
      ),
      (
        "deleteExpiredLogInAttempts",
        { _ = try await storage.deleteExpiredLogInAttempts(at: now, limit: 5) }
      ),
      ("deleteToken", { try await storage.deleteToken(1) }),
      (
        "changePassword",
        {
          try await storage.changePassword(
            of: admin.key.user, from: hash, to: hash, keepingToken: 1, context: .test())
        }
      ),
      (
        "acceptMembership",
        {
          try await storage.acceptMembership(
            of: admin.key.user, with: digest, from: hash, to: hash, context: .test(at: now))
        }
      ),
      ("apiTokens", { _ = try await storage.apiTokens(of: key, after: nil, limit: 5) }),
      (
        "createApiToken",
        { try await storage.createApiToken(token, digest: digest, in: key, context: .test()) }
      ),
      ("deleteApiToken", { try await storage.deleteApiToken(token.id, in: key, context: .test()) }),
      ("createTimeEntry", { try await world.keep(admin, in: organization, from: .hour(0), to: nil) }),
      (
        "createTimeEntries",
        {
          let entry = world.entry(of: admin, in: organization, from: .hour(0), to: .hour(1))
          _ = try await storage.createTimeEntries(
            [NewTimeEntry(member: admin.key, entry: entry, needsSessionAssignment: false, context: .test())],
            keeping: .accepted)
        }
      ),
      (
        "importTimeEntries",
        {
          _ = try await storage.importTimeEntries(
            ImportBatch(organization: key, newMembers: [], entries: [], context: .test()), isDryRun: false,
            recording: nil)
        }
      ),
      ("clockOut", { _ = try await world.clockOut(admin, at: .hour(1)) }),
      ("activeTimeEntry", { _ = try await storage.activeTimeEntry(of: admin.key) }),
      ("timeEntry", { _ = try await storage.timeEntry(world.id(), in: key) }),
      ("recordedAnswer", { _ = try await storage.recordedAnswer(for: request, at: World.start) }),
      (
        "recordAnswer",
        {
          try await storage.recordAnswer(
            AnswerRecording(key: request, time: World.start) {
              RecordedAnswer(
                fingerprint: request.digest, salt: nil, status: 200, entityTag: nil, location: nil, body: [])
            })
        }
      ),
      (
        "deleteExpiredAnswers",
        { _ = try await storage.deleteExpiredAnswers(at: World.start, limit: 5) }
      ),
      ("timeEntries", { _ = try await world.list(organization) }),
      ("exportTimeEntries", { _ = try await world.export(organization) }),
      (
        "presence",
        { _ = try await storage.presence(PresenceQuery(organization: key, workedSince: now, limit: 1)) }
      ),
      ("newestChange", { _ = try await storage.newestChange() }),
      (
        "organizationsWithForgottenEntries",
        { _ = try await storage.organizationsWithForgottenEntries(at: now) }
      ),
      (
        "closeForgottenEntries",
        { _ = try await storage.closeForgottenEntries(in: key, limit: 1, context: .test()) }
      ),
      ("createSession", { _ = try await world.addSession(in: organization, assignees: []) }),
      ("session", { _ = try await storage.session(world.id(), in: key) }),
      ("sessions", { _ = try await storage.sessions(SessionQuery(organization: key, limit: 5)) }),
      (
        "updateSession",
        { _ = try await world.change(world.session(in: organization), in: organization) { _ in } }
      ),
      ("deleteSession", { try await world.delete(world.session(in: organization), in: organization) }),
    ]
  }
}
