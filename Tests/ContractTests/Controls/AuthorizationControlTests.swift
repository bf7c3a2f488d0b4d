import Testing

@testable import ContractDocument

/// Roles that the contract does not state, planted in it: to the matrix it is then the service that lets too many in, or
/// too few.
struct AuthorizationControlTests {
  /// A changed role of an operation in the contract, and the finding that it must cause.
  struct Fault: Sendable, CustomTestStringConvertible {
    var operationID: String
    var finding: String
    var plant: @Sendable (inout Operation) -> Void

    init(_ operationID: String, finds finding: String, _ plant: @escaping @Sendable (inout Operation) -> Void)
    {
      self.operationID = operationID
      self.finding = finding
      self.plant = plant
    }

    var testDescription: String { finding }
  }

  static let faults = [
    // The service asks for less than the contract.
    Fault("listMembers", finds: "listMembers by manager: answered 200") { $0.requiredRole = .admin },
    Fault("getOrganization", finds: "getOrganization by member: answered 200") { $0.requiredRole = .manager },
    Fault("getMe", finds: "getMe by member: answered 200") { $0.requiredRole = .operator },
    Fault("getLiveness", finds: "getLiveness by nobody: answered 200") {
      $0.isSecured = true
      $0.requiredRole = .user
    },
    Fault("getTimeEntry", finds: "getTimeEntry by manager for another's path timeEntryId: answered 200") {
      $0.requiredRoleForOthers = .admin
    },
    // It asks for more.
    Fault("listApiTokens", finds: "listApiTokens by manager: refused 403 forbidden") {
      $0.requiredRole = .manager
    },
    Fault("getMe", finds: "getMe by nobody: refused 401 missing_token") { $0.isSecured = false },
    Fault(
      "exportPersonalData",
      finds: "exportPersonalData by manager for another's path userId: refused 403 forbidden"
    ) { $0.requiredRoleForOthers = .manager },
    Fault("createOrganization", finds: "createOrganization by admin: refused 403 forbidden") {
      $0.requiredRole = .user
    },
  ]

  /// The service of the scenarios; their findings do not depend on it.
  private static let kind = ServiceKind(storage: .sqlite, transport: .inProcess)

  @Test("a role that differs from the contract's is found", arguments: faults)
  func faultsAreFound(_ fault: Fault) async throws {
    var operation = try OpenAPIDocument.contract.get().operation(fault.operationID)
    let unplanted = await Self.findings(operation)
    #expect(unplanted == [], "\(unplanted)")
    fault.plant(&operation)
    let findings = await Self.findings(operation)
    #expect(findings.contains { $0.hasPrefix(fault.finding) }, "\(findings)")
  }

  @Test("an operation that does not say who may call it is nobody's")
  func defaultIsDenied() throws {
    var operation = try OpenAPIDocument.contract.get().operation("getMe")
    operation.requiredRole = nil
    for caller in Caller.allCases { #expect(operation.verdict(on: caller) != .allowed, "\(caller)") }
  }

  private static func findings(_ operation: Operation) async -> [String] {
    var findings: [String] = []
    for scenario in Scenario.authorization(of: operation) {
      findings += await ContractRun.run(scenario, kind).findings
    }
    return findings
  }
}
