import FoundationEssentials
import Testing
import Yams

@testable import TimeclockAPI

@Suite("Operations")
struct OperationTests {
  private let project = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The operations are those of the contract and no others, each with its role")
  func areTheContracts() throws {
    let served = Operation.all.map { "\($0.id) \($0.method.name) \($0.path) \(Self.role($0.access))" }
    let documented = try documentedOperations()
    #expect(documented.count > 40)
    #expect(Set(served).count == served.count)
    #expect(Set(served).subtracting(documented) == [], "served, and not in the contract")
    #expect(documented.subtracting(served) == [], "in the contract, and not served")
  }

  @Test("The log can be asked for every operation that may change something, and the contract has them all")
  func namesOfChanges() throws {
    let text = try String(contentsOf: project.appending(path: "openapi.yaml"), encoding: .utf8)
    let document = try #require(try Yams.load(yaml: text) as? [String: Any])
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
    let documented = try #require(schemas?["ChangeOperationFilter"]?["enum"] as? [String])
    #expect(documented.sorted() == Operation.namesOfChanges.sorted())
    #expect(Set(documented).count == documented.count && documented.contains("autoClockOut"))
  }

  @Test("The page's routes are everybody's, and only to be read")
  func routesOfPage() {
    #expect(Operation.ofPage.allSatisfy { $0.method == .get && $0.access == .open })
  }

  /// `id METHOD path role`.
  private func documentedOperations() throws -> Set<String> {
    let text = try String(contentsOf: project.appending(path: "openapi.yaml"), encoding: .utf8)
    let document = try #require(try Yams.load(yaml: text) as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    var operations: Set<String> = []
    for (path, item) in paths {
      for (method, value) in item where ["get", "put", "post", "patch", "delete"].contains(method) {
        let operation = try #require(value as? [String: Any])
        let id = try #require(operation["operationId"] as? String)
        let isOpen = (operation["security"] as? [Any])?.isEmpty == true
        let role = operation["x-required-role"] as? String
        operations.insert("\(id) \(method.uppercased()) \(path) \(isOpen ? "open" : role ?? "nobody")")
      }
    }
    return operations
  }

  private static func role(_ access: Operation.Access) -> String {
    switch access {
    case .open: "open"
    case .operator: "operator"
    case .user: "user"
    case .role(let role): role.rawValue
    }
  }
}
