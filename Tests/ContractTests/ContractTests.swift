import Testing

@testable import ContractDocument

/// `openapi.yaml` against the service: the same cases on each storage, one of them in process and the other over a
/// socket (`ServiceKind.allCases`).
struct ContractTests {
  static let scenarios = (try? OpenAPIDocument.contract.get()).map(Scenario.all) ?? []

  @Test("holds", arguments: scenarios, ServiceKind.allCases)
  func holds(_ scenario: Scenario, _ kind: ServiceKind) async {
    let outcome = await ContractRun.shared.outcome(of: scenario, kind)
    for finding in outcome.findings { Issue.record("\(finding)") }
  }

  @Test("every documented answer of every operation is seen", arguments: ServiceKind.allCases)
  func everyDocumentedAnswerIsSeen(_ kind: ServiceKind) async throws {
    let recorder = Recorder()
    for scenario in Self.scenarios {
      recorder.merge(await ContractRun.shared.outcome(of: scenario, kind).recorder)
    }
    let missing = recorder.missing(from: try OpenAPIDocument.contract.get())
    #expect(missing == [], "documented and never seen \(kind.testDescription)")
  }

  @Test("the document calls for as many cases as it should, each with a name of its own")
  func scenariosAreMany() {
    #expect(Self.scenarios.count > 200)
    #expect(Set(Self.scenarios.map(\.name)).count == Self.scenarios.count)
  }
}
