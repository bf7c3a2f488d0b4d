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
}
