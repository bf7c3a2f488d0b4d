import Testing
import TimeclockDomain

@Suite("The life of a storage")
struct ReadinessTests {
  @Test("is ready from its opening, and serves nothing once closed", arguments: StorageFactory.all)
  func closing(_ factory: StorageFactory) async throws {
    let underTest = try await factory.open()
    let world = World(underTest)
    try await world.storage.checkReadiness()
    let organization = try await world.organization()
    #expect(try await world.isGood(organization.adminToken))
    await underTest.close()
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
      try await world.storage.checkReadiness()
    }
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
      try await world.isGood(organization.adminToken)
    }
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
      try await world.keep(organization.admin, in: organization, from: .hour(0), to: nil)
    }
    world.storage.noteTokenUse(1, at: World.start)
  }

  @Test("closes after what is under way", arguments: StorageFactory.all)
  func closingUnderLoad(_ factory: StorageFactory) async throws {
    let underTest = try await factory.open()
    let world = World(underTest)
    let organization = try await world.organization()
    async let outcomes = concurrently(32) { number in
      try await world.keep(
        organization.admin, in: organization, from: .hour(Double(number)), to: .hour(Double(number) + 1))
    }
    await underTest.close()
    for outcome in await outcomes {
      if case .failure(let error) = outcome {
        #expect(error as? TimeclockError == .unavailable(retryAfterSeconds: 1))
      }
    }
  }
}
