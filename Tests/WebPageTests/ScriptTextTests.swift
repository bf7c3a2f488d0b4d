import Testing

@testable import WebPage

@Suite("Scripts and styles as they are sent")
struct ScriptTextTests {
  @Test(
    "have no indentation, no empty lines, and no comments on lines of their own",
    arguments: [
      ("a;\n", "a;\n"), ("a;", "a;\n"), ("  a;\n\n  b;\n", "a;\nb;\n"),
      ("// one\na; // two\n", "a; // two\n"),
      ("/* one */\na;\n", "a;\n"), ("/**\n * One.\n */\na;\n", "a;\n"), ("  /* one\n two */\nb;\n", "b;\n"),
      ("a / b;\n", "a / b;\n"), ("", ""),
    ])
  func text(_ written: String, _ sent: String) {
    #expect(String(decoding: ScriptText.withoutComments(Array(written.utf8)), as: UTF8.self) == sent)
  }

  @Test("of the program have no text over several lines, and nothing behind the end of a comment")
  func embedded() {
    for source in WebSource.embedded where source.name.hasSuffix(".js") || source.name.hasSuffix(".css") {
      for line in lines(of: source.sent) {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        #expect(parts.count % 2 == 1, "\(source.name): \(line)")
      }
      for line in lines(of: source) {
        guard let end = line.firstRange(of: "*/") else { continue }
        #expect(line[end.upperBound...].allSatisfy { $0 == " " }, "\(source.name): \(line)")
      }
    }
  }

  private func lines(of source: WebSource) -> [String] {
    String(decoding: source.read(), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
