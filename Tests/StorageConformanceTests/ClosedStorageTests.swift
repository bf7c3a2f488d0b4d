import StorageCalls
import Testing
import TimeclockDomain

@Suite("A closed storage")
struct ClosedStorageTests {
  @Test("refuses every method, with the error that says it may work elsewhere", arguments: StorageFactory.all)
  func everyMethod(_ factory: StorageFactory) async throws {
    let underTest = try await factory.open()
    let organization = try await PreparedOrganization.make("Acme", in: underTest.storage)
    await underTest.close()
    for method in StorageCalls.whileOpen {
      for call in method.calls {
        var thrown: TimeclockError?
        do {
          _ = try await call.answer(organization, in: underTest.storage)
        } catch let error as TimeclockError {
          thrown = error
        }
        // A note of a token's use promises nothing, nor does listening or a turn, and none is ever refused.
        let refusal: TimeclockError? =
          [
            "noteTokenUse(_:at:)", "listen(to:_:)", "listen(toTimerOf:_:)", "listenToDueTimers(_:)",
            "takesTurn(at:)",
          ].contains(method.name)
          ? nil : .unavailable(retryAfterSeconds: 1)
        #expect(thrown == refusal, "\(call.name)")
      }
    }
  }
}
