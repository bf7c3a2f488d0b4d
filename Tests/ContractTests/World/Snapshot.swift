import Synchronization
import TimeclockDomain

@testable import ContractDocument

/// The whole content of an organization, as its admin sees it, for comparison before and after a refused request. Data
/// that only their owner sees are the admin's and the member's.
struct Snapshot: Equatable, Sendable, CustomStringConvertible {
  private var parts: [String]

  var description: String { parts.joined(separator: "\n") }

  /// Everything that the contract lets be read of an organization without asking for anything in particular: the
  /// organization itself, and every list of it to the last page.
  ///
  /// It is read again only if it may be another: most refused requests never reach a writing method of the storage, and
  /// reading all lists behind each of them would be nine of ten requests of the contract tests.
  init(of tenant: Tenant, in world: World) async throws {
    // Before reading: writes meanwhile may be in it or not.
    let moment = Moment(of: world.service)
    if let known = world.snapshots.of(tenant, at: moment) {
      self = known
    } else {
      try await self.init(reading: tenant, in: world)
      world.snapshots.keep(self, of: tenant, at: moment)
    }
  }

  private init(reading tenant: Tenant, in world: World) async throws {
    parts = []
    for operation in world.client.document.operations where operation.showsOrganization {
      parts += try await Self.whole(operation, in: tenant, of: world) { call in
        try await world.client.expect(call.with { $0.token = tenant.admin.token }, 200, comment: "snapshot")
      }
      guard operation.isAboutOneself else { continue }
      // The member may be gone by now.
      parts += try await Self.whole(operation, in: tenant, of: world) { call in
        try await world.client.send(call.with { $0.token = tenant.member.token }, "snapshot")
      }
    }
  }

  /// An operation's answer, to its last page.
  private static func whole(
    _ operation: Operation, in tenant: Tenant, of world: World,
    _ answer: (Call) async throws -> ContractClient.Reply
  ) async throws -> [String] {
    var parts: [String] = []
    var cursor: JSONValue?
    repeat {
      let query = cursor?.string.map { [(name: "cursor", value: $0)] } ?? []
      let reply = try await answer(world.call(operation.id, as: nil, in: tenant, query: query))
      parts.append(withoutTimes(reply.json).text)
      cursor = reply.json["nextCursor"]
    } while cursor?.string != nil
    return parts
  }

  /// Without the times of reading, and of last use, which reading itself changes.
  private static func withoutTimes(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutTimes))
    case .object(let members):
      .object(
        members.filter { !["lastUsedAt", "serverTime"].contains($0.name) }
          .map { .init($0.name, withoutTimes($0.value)) })
    default: value
    }
  }
}

/// While it is the same, every read is answered as before.
struct Moment: Equatable, Sendable {
  private var changeCount: Int
  private var time: Instant

  init(of service: Service) {
    changeCount = service.faults.changeCount
    time = service.clock.wallClock.now
  }
}

/// The newest snapshot of each organization of a world.
final class KnownSnapshots: Sendable {
  private let all = Mutex<[String: (moment: Moment, snapshot: Snapshot)]>([:])

  /// The snapshot of an organization at a moment; nil if it is not known.
  func of(_ tenant: Tenant, at moment: Moment) -> Snapshot? {
    all.withLock { all in
      all[tenant.organizationID].flatMap { $0.moment == moment ? $0.snapshot : nil }
    }
  }

  /// Keeps the snapshot, in place of an older one.
  func keep(_ snapshot: Snapshot, of tenant: Tenant, at moment: Moment) {
    all.withLock { $0[tenant.organizationID] = (moment, snapshot) }
  }
}

extension Operation {
  /// Whether the operation answers JSON about an organization to a request that names only the organization. A report has to
  /// be asked for dates, one way or another; the presets of holidays are the same for all.
  fileprivate var showsOrganization: Bool {
    method == "GET" && isInOrganization && responses[200]?.content["application/json"] != nil
      && !["reportHours", "listHolidayPresets"].contains(id)
      && parameters.allSatisfy { !$0.isRequired || $0.name == "organizationID" }
  }

  /// Whether it shows only the caller's own records: timers and phones.
  fileprivate var isAboutOneself: Bool { ["/timer", "/pushTargets"].contains(where: pathTemplate.contains) }
}
