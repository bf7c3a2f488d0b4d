import Foundation
import Testing

@Suite("The README's list of documents")
struct DocumentListTests {
  @Test("leads to every document")
  func isComplete() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: project.appending(path: "README.md"), encoding: .utf8)
    let documents = try FileManager.default.contentsOfDirectory(
      atPath: project.appending(path: "docs").path
    ).filter { $0.hasSuffix(".md") }
    #expect(documents.count > 10)
    for document in documents {
      #expect(readme.contains("| [docs/\(document)](docs/\(document)) | "), "\(document) is not in the list")
    }
  }
}
