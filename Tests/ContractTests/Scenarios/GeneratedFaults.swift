import TimeclockDomain

@testable import ContractDocument

extension Scenario {
  /// Operations that know their answer once they know the caller.
  private static let withoutStorage = ["listHolidayPresets"]

  /// The service's answers when its storage is in trouble.
  static func faults(of operation: Operation) -> [Scenario] {
    guard operation.responses[503] != nil else { return [] }
    var scenarios = [
      Scenario("\(operation.id) answers 503 while the storage is unavailable, and works again after") {
        world in
        let call = try await world.baseline(operation)
        let hits = withoutStorage.contains(operation.id) ? [true] : [true, false]
        for hitsAuthentication in hits {
          world.service.faults.inject(
            Faults.Fault(
              error: TimeclockError.unavailable(retryAfterSeconds: 7), hitsAuthentication: hitsAuthentication)
          )
          let reply = try await world.client.expect(call, 503, code: "unavailable")
          world.check(reply.response.values(of: "retry-after") == ["7"], "Retry-After is another")
          world.service.faults.inject(nil)
        }
        try await world.accepts(call, operation)
      },
      Scenario("\(operation.id) answers 500 to an unforeseen error, and reveals nothing of it") { world in
        let call = try await world.baseline(operation)
        world.service.faults.inject(
          Faults.Fault(error: UnforeseenError(), hitsAuthentication: true))
        let request = call.wireRequest(for: operation)
        let response = try await world.client.transport.send(request)
        world.service.faults.inject(nil)
        world.check(response.status == 500, "\(operation.id) answered \(response.status), not 500")
        let text = String(decoding: response.body, as: UTF8.self)
        world.check(!text.contains("canary"), "\(operation.id) tells internal text: \(text)")
        let check = ResponseCheck(document: world.client.document)
        for violation in check.violations(ofServerProblem: response) {
          world.client.findings.add("\(operation.id) 500: \(violation)")
        }
      },
    ]
    if operation.responses[507] != nil {
      scenarios.append(
        Scenario("\(operation.id) answers 507 when the storage is full") { world in
          let call = try await world.baseline(operation)
          world.service.faults.inject(
            Faults.Fault(error: TimeclockError.storageFull, hitsAuthentication: false))
          try await world.client.expect(call, 507, code: "storage_full")
          world.service.faults.inject(nil)
          try await world.accepts(call, operation)
        })
    }
    return scenarios
  }
}

/// An error that no layer knows, with text that must stay inside.
struct UnforeseenError: Error, CustomStringConvertible {
  var description: String { "canary: SELECT secret FROM token" }
}
