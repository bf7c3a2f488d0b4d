import Procedures
import StorageCalls
import Synchronization
import Testing
import TimeclockDomain

@testable import ContractDocument

/// Snapshots are read only if something may have changed. So it has to be seen that a change by a refused request is
/// found, and that nothing is asked twice.
struct SnapshotControlTests {
  /// The service of the scenarios; their findings do not depend on it.
  private static let kind = ServiceKind(storage: .sqlite, transport: .inProcess)

  @Test("a write by a refused request is found")
  func writesAreFound() async {
    let scenario = Scenario("refuses") { world in
      let call = world.call("createSession", as: world.home.manager, body: ["title": 7])
      try await world.refuses(call, 400, ["invalid_body"], "a number")
    }
    #expect(await ContractRun.run(scenario, Self.kind).findings == [])
    let findings = await ContractRun.run(scenario, Self.kind) {
      TransportThatWrites(base: $0.transport, storage: $0.storage)
    }.findings
    #expect(findings.count == 1 && findings[0].hasPrefix("a number changed something"), "\(findings)")
  }

  @Test("lists are read once between writes, and again after a write, a fault or a while")
  func readsOnce() async throws {
    let scenario = Scenario("reads") { world in
      let counting = try #require(world.client.transport as? CountingTransport)
      func requests(_ body: () async throws -> Void) async throws -> Int {
        let before = counting.count
        try await body()
        return counting.count - before
      }
      let clockOut = world.call("clockOut", as: world.home.member)
      let refused = world.call("createSession", as: world.home.member, body: ["title": "No date"])
      let whole = try await requests { _ = try await Snapshot(of: world.home, in: world) }
      world.check(whole > 20, "a snapshot is \(whole) requests")
      for _ in 0..<3 {
        let count = try await requests { try await world.refuses(refused, 403, ["forbidden"], "a session") }
        world.check(count == 1, "\(count) requests where nothing was written")
      }
      // A refusal by the storage may have written before.
      let count = try await requests {
        try await world.refuses(clockOut, 409, ["not_clocked_in"], "a clock-out")
      }
      world.check(count == whole + 1, "\(count) requests where something may have been written")
      for change in [
        { world.service.clock.advance(seconds: 1) }, { world.service.faults.inject(nil) },
        { world.service.faults.leak(.entries) },
      ] {
        change()
        let count = try await requests { _ = try await Snapshot(of: world.home, in: world) }
        world.check(count == whole, "\(count) requests where something may be another")
      }
    }
    let findings = await ContractRun.run(scenario, Self.kind) { CountingTransport(base: $0.transport) }
      .findings
    #expect(findings == [])
  }

  @Test("a method that nobody has named writes")
  func unknownMethods() {
    #expect(StorageCalls.kind(of: "profile(of:)") == .reads)
    #expect(StorageCalls.kind(of: "clockOut(_:recording:)") == .writes)
    #expect(StorageCalls.kind(of: "brandNew(_:)") == .writes)
  }
}

/// A service that writes when it refuses.
private struct TransportThatWrites: Transport {
  let base: any Transport
  let storage: any Storage

  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse {
    let response = try await base.send(bytes: bytes, isHead: isHead)
    guard response.status == 400 else { return response }
    let context = ChangeContext(
      author: .service, operation: "control", time: Instant(millisecondsSince1970: ManualClock.start))
    for organization in try await storage.organizations() {
      _ = try await storage.updateOrganization(organization.key, expectedVersion: nil, context: context) {
        $0.name += "!"
      }
    }
    return response
  }
}

/// Counts requests.
private final class CountingTransport: Transport {
  private let base: any Transport
  private let requests = Atomic<Int>(0)

  init(base: any Transport) { self.base = base }

  var count: Int { requests.load(ordering: .sequentiallyConsistent) }

  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse {
    requests.add(1, ordering: .sequentiallyConsistent)
    return try await base.send(bytes: bytes, isHead: isHead)
  }
}
