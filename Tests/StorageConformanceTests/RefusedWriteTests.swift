import Testing
import TimeclockDomain

@Suite("A write that is refused or given up")
struct RefusedWriteTests {
  /// Everything that can be read of an organization.
  private struct Contents: Hashable {
    let organization: Organization
    let members: [Member]
    let tokens: [ApiToken]
    let entries: [TimeEntry]
    let profile: Profile
    let hash: PasswordHash?
  }

  private static func contents(_ world: World, _ organization: TestOrganization) async throws -> Contents {
    let storage = world.storage
    let user = organization.admin.key.user
    return Contents(
      organization: try await storage.organization(organization.key),
      members: try await storage.members(of: organization.key, after: nil, limit: 100).elements,
      tokens: try await storage.apiTokens(of: organization.key, after: nil, limit: 100).elements,
      entries: try await world.list(organization).elements, profile: try await storage.profile(of: user),
      hash: try await storage.passwordHash(of: user))
  }

  @Test("leaves nothing of itself, whatever it was", arguments: StorageFactory.all)
  func refused(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let admin = organization.admin
      let member = try await world.member(of: organization)
      let (token, digest) = try await world.apiToken(for: admin, in: organization)
      try await world.keep(admin, in: organization, from: .hour(0), to: .hour(1))
      try await world.keep(admin, in: organization, from: .hour(2), to: nil)
      let before = try await Self.contents(world, organization)
      let wrong = PasswordHash(text: "wrong")
      let storage = world.storage
      let newcomer = try world.account()
      let taken = try world.account(email: member.email)
      let newMember = NewMember(
        organization: organization.key, role: .admin, timeZone: nil)
      let refused: [@Sendable () async throws -> Void] = [
        { try await world.keep(admin, in: organization, from: .hour(3), to: nil) },
        { try await world.keep(admin, in: organization, from: .hour(0.5), to: .hour(0.75)) },
        { try await world.keep(member, in: organization, from: .hour(0), to: nil, session: world.id()) },
        { _ = try await world.clockOut(admin, at: .hour(2)) },
        { _ = try await world.clockOut(member, at: .hour(3)) },
        { _ = try await storage.createMember(taken, newMember, context: .test()) },
        {
          // The account is made before the organization is found to be none.
          _ = try await storage.createMember(
            newcomer,
            NewMember(
              organization: OrganizationKey(98_765), role: .member, timeZone: nil), context: .test())
        },
        { _ = try await world.update(admin, in: organization, version: 9) { $0.name = "B" } },
        { _ = try await world.update(admin, in: organization) { $0.isActive = false } },
        {
          _ = try await world.update(member, in: organization) { member in
            member.name = "B"
            throw TimeclockError.lastAdmin
          }
        },
        {
          _ = try await storage.updateOrganization(
            organization.key, expectedVersion: 9, context: .test(at: .hour(1))
          ) {
            $0.name = "B"
          }
        },
        {
          try await storage.changePassword(
            of: admin.key.user, from: wrong, to: wrong, keepingToken: 0, context: .test())
        },
        {
          try await storage.acceptMembership(
            of: admin.key.user, with: world.digest(), from: World.passwordHash, to: wrong,
            context: .test(at: World.start))
        },
        { try await storage.createLogInToken(world.token(), for: admin.key.user, checkedHash: wrong) },
        { try await storage.deleteApiToken(world.id(), in: organization.key, context: .test()) },
        {
          try await storage.createApiToken(
            token, digest: world.digest(), in: OrganizationKey(98_765), context: .test())
        },
      ]
      for (number, write) in refused.enumerated() {
        await #expect(throws: (any Error).self, "\(number)") { try await write() }
        #expect(try await Self.contents(world, organization) == before, "\(number)")
      }
      #expect(try await world.isGood(digest))
      #expect(try await storage.logInAccount(for: newcomer.email) == nil)
    }
  }

  @Test("by a task that is canceled is done whole or not at all", arguments: StorageFactory.all)
  func canceled(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let admin = organization.admin
      for round in 0..<40 {
        let task = Task {
          try await world.keep(
            admin, in: organization, from: .hour(Double(round)), to: .hour(Double(round) + 0.5))
        }
        if round % 2 == 0 { await Task.yield() }
        task.cancel()
        let outcome = await task.result
        let found = try await world.list(organization).elements.first {
          $0.clockInTime == .hour(Double(round))
        }
        if let entry = try? outcome.get() { #expect(found == entry) } else { #expect(found == nil) }
      }
      // And the storage serves others.
      try await world.keep(admin, in: organization, from: .hour(100), to: nil)
    }
  }
}
