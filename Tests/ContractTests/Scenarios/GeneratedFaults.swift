import TimeclockDomain

@testable import ContractDocument

extension Scenario {
  /// Operations that know their answer once they know the caller.
  private static let withoutStorage = ["listHolidayPresets"]

  /// The service's answers when its storage is in trouble.
  static func faults(of operation: Operation) -> [Scenario] {
    guard operation.responses[503] != nil else { return [] }
    return [
      Scenario("\(operation.id) says what its storage's fault is to a caller, and works again after") {
        world in
        let call = try await world.baseline(operation)
        let hits = withoutStorage.contains(operation.id) ? [true] : [true, false]
        for hitsAuthentication in hits {
          let unavailable = TimeclockError.unavailable(retryAfterSeconds: 7)
          let reply = try await world.faulty(unavailable, hitsAuthentication: hitsAuthentication) {
            try await world.client.expect(call, 503, code: "unavailable")
          }
          world.check(reply.response.values(of: "retry-after") == ["7"], "Retry-After is another")
        }
        if operation.responses[507] != nil {
          try await world.faulty(TimeclockError.storageFull, hitsAuthentication: false) {
            _ = try await world.client.expect(call, 507, code: "storage_full")
          }
        }
        if operation.codes[503]?.contains("read_only_instance") == true {
          try await world.faulty(TimeclockError.readOnlyInstance, hitsAuthentication: false) {
            _ = try await world.client.expect(call, 503, code: "read_only_instance")
          }
        }
        if operation.codes[421] != nil {
          try await world.faulty(TimeclockError.organizationMoving, hitsAuthentication: false) {
            _ = try await world.client.expect(call, 503, code: "organization_moving")
          }
          let address = "https://two.example"
          try await world.faulty(
            TimeclockError.organizationMoved(address: address), hitsAuthentication: false
          ) {
            let reply = try await world.client.expect(call, 421, code: "organization_moved")
            world.check(reply.json["address"]?.string == address, "the address is another")
          }
        }
        try await world.revealsNothing(of: UnforeseenError(), to: call, operation)
        try await world.accepts(call, operation)
      }
    ]
  }
}

extension World {
  /// Acts while the storage fails.
  fileprivate func faulty<Value>(
    _ error: any Error, hitsAuthentication: Bool, _ act: () async throws -> Value
  ) async throws -> Value {
    service.faults.inject(Faults.Fault(error: error, hitsAuthentication: hitsAuthentication))
    defer { service.faults.inject(nil) }
    return try await act()
  }

  /// An unforeseen error is answered 500, without its text.
  fileprivate func revealsNothing(of error: UnforeseenError, to call: Call, _ operation: Operation)
    async throws
  {
    let response = try await faulty(error, hitsAuthentication: true) {
      try await client.transport.send(call.wireRequest(for: operation))
    }
    check(response.status == 500, "\(operation.id) answered \(response.status), not 500")
    let text = String(decoding: response.body, as: UTF8.self)
    check(!text.contains("canary"), "\(operation.id) tells internal text: \(text)")
    for violation in ResponseCheck(document: client.document).violations(ofServerProblem: response) {
      client.findings.add("\(operation.id) 500: \(violation)")
    }
  }
}

/// An error that no layer knows, with text that must stay inside.
struct UnforeseenError: Error, CustomStringConvertible {
  var description: String { "canary: SELECT secret FROM token" }
}
