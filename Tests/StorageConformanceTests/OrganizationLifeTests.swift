import Procedures
import Testing
import TimeclockDomain

@Suite("The end of an organization in a storage")
struct OrganizationLifeTests {
  /// An organization with an entry, a session, a token of each kind, and an admin and a member who are at work.
  private static func busy(_ world: World) async throws -> (
    organization: TestOrganization, member: TestMember, logIn: TokenDigest, apiToken: TokenDigest
  ) {
    let organization = try await world.organization()
    let member = try await world.member(of: organization)
    let session = try await world.addSession(in: organization, assignees: [member])
    try await world.keep(member, in: organization, from: .hour(-4), to: .hour(-3), session: session)
    for person in [member, organization.admin] {
      try await world.keep(person, in: organization, from: .hour(-1), to: nil)
    }
    return (
      organization, member, try await world.logIn(member),
      try await world.apiToken(for: member, in: organization).digest
    )
  }

  @Test("is closed to everybody while it is deactivated, and loses nothing", arguments: StorageFactory.all)
  func deactivated(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (organization, member, logIn, apiToken) = try await Self.busy(world)
      let other = try await Self.busy(world)
      let timeclock = Timeclock(storage: world.storage)
      func state(_ digest: TokenDigest) async throws -> Authentication? {
        try await world.storage.authenticate(digest, organizationID: organization.id, at: World.start)
      }
      // All of them are known to be good before.
      for digest in [logIn, apiToken] { #expect(try await state(digest)?.requireMembership() != nil) }
      _ = try await timeclock.setActive(false, organization.key)
      for digest in [logIn, apiToken] {
        let found = try await state(digest)
        #expect(throws: TimeclockError.organizationDeactivated) { try found?.requireMembership() }
      }
      #expect(try await world.list(organization, status: .clockedIn).elements.isEmpty)
      let closed = try await world.list(organization).elements.filter { $0.flags.contains(.autoClosed) }
      #expect(closed.count == 2)
      #expect(
        try await world.storage.profile(of: member.key.user).memberships.map(\.isActive) == [false])
      #expect(try await world.list(other.organization, status: .clockedIn).elements.count == 2)
      #expect(try await world.authenticate(other.logIn, in: other.organization.id).isActive)
      // A second time changes nothing.
      let version = try await world.storage.organization(organization.key).version
      #expect(try await timeclock.setActive(false, organization.key).version == version)

      _ = try await timeclock.setActive(true, organization.key)
      for digest in [logIn, apiToken] { #expect(try await state(digest)?.requireMembership() != nil) }
      let told = try await world.changes(organization).map(\.context.operation)
      #expect(told.contains("deactivateOrganization") && told.last == "reactivateOrganization")
      try await world.expectIntactChain(organization)
    }
  }

  @Test("takes its records, its people and what its log said of them", arguments: StorageFactory.all)
  func deleted(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (organization, member, logIn, apiToken) = try await Self.busy(world)
      let other = try await Self.busy(world)
      let shared = try await world.add(other.member, to: organization)
      try await world.accept(shared, in: organization)
      let kept = try await world.apiToken(for: other.member, in: other.organization).digest
      let timeclock = Timeclock(storage: world.storage)
      await #expect(throws: TimeclockError.organizationActive) {
        _ = try await timeclock.deleteOrganization(organization.key, erasedThrough: 0) { true }
      }
      _ = try await timeclock.setActive(false, organization.key)
      // In as many parts as there can be.
      var (place, count): (Int64?, Int) = (0, 0)
      while let next = place {
        place = try await timeclock.deleteOrganization(organization.key, erasedThrough: next) { false }
        count += 1
        let reopening = try? await timeclock.setActive(true, organization.key)
        #expect(reopening == nil, "after part \(count)")
      }
      #expect(count > 3)
      await #expect(throws: TimeclockError.organizationDeleted) {
        _ = try await timeclock.deleteOrganization(organization.key, erasedThrough: 0) { true }
      }
      #expect(try await world.list(organization).elements.isEmpty)
      #expect(try await world.storage.members(of: organization.key, after: nil, limit: 9).elements.isEmpty)
      for digest in [logIn, apiToken, organization.adminToken] { #expect(try await !world.isGood(digest)) }
      for email in [member.email, organization.admin.email] {
        #expect(try await world.storage.logInAccount(for: EmailAddress(email)) == nil)
      }
      let changes = try await world.storage.storedChanges(of: organization.key, after: 0, limit: 1_000)
      #expect(changes.allSatisfy { $0.content.before == nil && $0.content.after == nil })
      #expect(changes.last?.kind == .deleted && changes.last?.resource == .organization)
      #expect(changes.filter { $0.kind == .deleted && $0.resource == .organization }.count == 1)
      try await world.expectIntactChain(organization)

      // Nothing of another organization is touched, not even of a person of both.
      #expect(try await world.list(other.organization).elements.count == 3)
      #expect(try await world.isGood(kept))
      #expect(try await world.storage.passwordHash(of: other.member.key.user) != nil)
      #expect(try await world.storage.profile(of: other.member.key.user).memberships.count == 1)
      // The addresses are free, and new records get nothing of former ones.
      let next = try await world.organization(
        admin: world.account(email: member.email, passwordHash: World.passwordHash))
      #expect(next.key != organization.key)
      #expect(next.admin.id != member.id && next.admin.key.user != member.key.user)
      try await world.keep(next.admin, in: next, from: .hour(-1), to: nil)
      let entry = try await world.list(next).elements.first
      #expect(entry?.organizationID == next.id && entry?.userID == next.admin.id)
    }
  }
}
