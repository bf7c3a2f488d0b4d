import Testing
import TimeclockDomain

@Suite("API tokens in a storage")
struct ApiTokenStorageTests {
  @Test("come back as they were kept", arguments: StorageFactory.all)
  func roundTrip(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let token = ApiToken(
        id: world.id(), name: "Lohnbüro 🧾", userID: member.id, scope: .read, createdAt: .hour(-1),
        expiresAt: .latest, lastUsedAt: .hour(-0.5))
      try await world.storage.createApiToken(
        token, digest: world.digest(), in: organization.key, context: .test())
      _ = try await world.logIn(member)
      let page = try await world.storage.apiTokens(of: organization.key, after: nil, limit: 10)
      #expect(page.elements == [token])
      #expect(page.next == nil)
    }
  }

  @Test("are listed in the order in which they were made", arguments: StorageFactory.all)
  func paging(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      var expected: [ApiTokenID] = []
      for _ in 0..<5 {
        expected.append(try await world.apiToken(for: organization.admin, in: organization).token.id)
        _ = try await world.apiToken(for: other.admin, in: other)
      }
      let first = try await world.storage.apiTokens(of: organization.key, after: nil, limit: 3)
      #expect(first.elements.map(\.id) == Array(expected.prefix(3)))
      // The last one that was shown goes, and one more comes.
      try await world.storage.deleteApiToken(expected[2], in: organization.key, context: .test())
      let added = try await world.apiToken(for: organization.admin, in: organization).token.id
      let second = try await world.storage.apiTokens(of: organization.key, after: first.next, limit: 3)
      #expect(second.elements.map(\.id) == [expected[3], expected[4], added])
      #expect(second.next == nil)
    }
  }

  @Test("need an active member", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization)
      try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.apiToken(for: member, in: organization)
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.apiToken(for: other.admin, in: organization)
      }
      #expect(
        try await world.storage.apiTokens(of: organization.key, after: nil, limit: 9).elements.isEmpty)
    }
  }

  @Test("are refused from the moment they are revoked", arguments: StorageFactory.all)
  func revocation(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (token, digest) = try await world.apiToken(for: organization.admin, in: organization)
      #expect(try await world.isGood(digest))
      try await world.storage.deleteApiToken(token.id, in: organization.key, context: .test())
      #expect(try await !world.isGood(digest))
      await #expect(throws: TimeclockError.notFound(.apiToken)) {
        try await world.storage.deleteApiToken(token.id, in: organization.key, context: .test())
      }
      #expect(
        try await world.storage.apiTokens(of: organization.key, after: nil, limit: 9).elements.isEmpty)
    }
  }
}
