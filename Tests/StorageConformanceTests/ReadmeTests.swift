import Foundation
import Testing

@Suite("The README of these tests")
struct ReadmeTests {
  @Test("says what each file proves")
  func names() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let own = URL(filePath: #filePath).lastPathComponent
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix("Tests.swift") && $0 != own
    }
    #expect(files.count > 20)
    for file in files {
      #expect(readme.contains("| `\(file.dropLast(".swift".count))` | "), "\(file) has no row")
    }
  }

  @Test("has tests of every part of the protocol")
  func parts() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let project = folder.deletingLastPathComponent().deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let whole = try String(
      contentsOf: project.appending(path: "Sources/Procedures/Storage.swift"), encoding: .utf8)
    let parts = whole.matches(of: /(\w+)Storage\b/).map { String($0.1) }
    #expect(parts.count > 10)
    for part in parts {
      let isTested = files.contains { $0.hasPrefix(part) && $0.hasSuffix("Tests.swift") }
      #expect(isTested, "nothing tests \(part)Storage")
    }
  }
}
