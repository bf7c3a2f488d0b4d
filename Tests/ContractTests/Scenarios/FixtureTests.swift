import Foundation
import Testing

@testable import ContractDocument

@Suite("The fixtures of the contract")
struct FixtureTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The other files of the folder, by their names.
  private static func sources() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let others = names.filter { !["Fixture.swift", "FixtureTests.swift"].contains($0) }
    return try Dictionary(
      uniqueKeysWithValues: others.map {
        ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
      })
  }

  @Test("stand each in a file of its own, and in the list")
  func list() throws {
    let files = try Self.sources().flatMap { name, text in
      text.matches(of: #/static let \w+ = Fixture\(/#).map { _ in "ContractTests/\(name)" }
    }
    #expect(files.sorted() == Fixture.all.map(\.file).sorted(), "add it to Fixture.all")
    #expect(Set(files).count == files.count)
  }

  @Test("have every list of cases")
  func cases() throws {
    for (file, text) in try Self.sources() {
      for list in text.matches(of: #/static let (\w+): \[Scenario\]/#) {
        #expect(text.contains("scenarios: Scenario.\(list.output.1)"), "\(file) has cases that nothing runs")
      }
    }
  }

  @Test("prepare calls of operations that there are, each in one place")
  func operations() throws {
    let operations = Set(try OpenAPIDocument.contract.get().operations.map(\.id))
    let prepared = Fixture.all.flatMap { $0.baselines.keys }
    #expect(Set(prepared).subtracting(operations) == [])
    #expect(Set(prepared).count == prepared.count)
  }
}
