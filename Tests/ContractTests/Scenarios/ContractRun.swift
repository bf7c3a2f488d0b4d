@testable import ContractDocument

/// Runs each scenario once on each kind of service, for the first test that asks, and keeps its outcome.
///
/// So the check that every documented answer was seen needs no order among the tests.
actor ContractRun {
  /// The outcome of a scenario.
  struct Outcome: Sendable {
    var findings: [String]
    var recorder: Recorder
  }

  private struct Key: Hashable {
    var name: String
    var kind: ServiceKind
  }

  static let shared = ContractRun()

  private var tasks: [Key: Task<Outcome, Never>] = [:]
  private let gate = Gate(width: 4)

  /// Returns the outcome of a scenario; runs it if it has not been run.
  func outcome(of scenario: Scenario, _ kind: ServiceKind) async -> Outcome {
    let key = Key(name: scenario.name, kind: kind)
    if let task = tasks[key] { return await task.value }
    let task = Task { [gate] in
      await gate.enter()
      let outcome = await Self.run(scenario, kind)
      await gate.leave()
      return outcome
    }
    tasks[key] = task
    return await task.value
  }

  /// Runs a scenario in a new world.
  ///
  /// - Parameter transport: The way to the service, for a control that plants a fault in it.
  static func run(
    _ scenario: Scenario, _ kind: ServiceKind, over transport: (Service) -> any Transport = { $0.transport }
  ) async -> Outcome {
    let (findings, recorder) = (Findings(), Recorder())
    do {
      let service = try await Service.start(kind)
      do {
        let client = ContractClient(
          document: try OpenAPIDocument.contract.get(), transport: transport(service), recorder: recorder,
          findings: findings)
        try await scenario.run(World(client: client, service: service))
      } catch {
        findings.add("stopped by \(error)")
      }
      await service.stop()
    } catch {
      findings.add("the service did not start: \(error)")
    }
    return Outcome(findings: findings.all, recorder: recorder)
  }
}
