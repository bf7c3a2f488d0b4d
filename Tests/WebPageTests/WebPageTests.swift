import Foundation
import Testing

@testable import WebPage

@Suite("The page's files")
struct WebPageTests {
  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  private func source(_ name: String, _ text: String) -> WebSource {
    WebSource(name) { Array(text.utf8) }
  }

  private func text(_ file: WebFile?) throws -> String {
    String(decoding: try #require(file).plain.bytes, as: UTF8.self)
  }

  @Test("in the program are those of Sources/WebPage/web, byte for byte")
  func areEmbedded() throws {
    let folder = Self.project.appending(path: "Sources/WebPage/web")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let embedded = WebSource.embedded
    #expect(
      Set(names) == Set(embedded.map(\.name)),
      "the program has other files than Sources/WebPage/web: list them by ./scripts/list-web-files")
    for source in embedded where names.contains(source.name) {
      #expect(
        try source.read() == Array(Data(contentsOf: folder.appending(path: source.name))), "\(source.name)")
    }
  }

  @Test("have a media type each")
  func haveTypes() {
    for source in WebSource.embedded {
      #expect(
        WebFile.type(of: source.name) != WebFile.unknownType,
        "\(source.name): add its ending to WebFile.types")
    }
    #expect(WebFile.type(of: "main.js") == "text/javascript; charset=utf-8")
    #expect(WebFile.type(of: "app.webmanifest") == "application/manifest+json")
    #expect(WebFile.type(of: "page") == WebFile.unknownType)
  }

  @Test("are a page, a worker and assets, whose documents have no place left to fill")
  func areComplete() throws {
    let page = WebPage.embedded
    let html = try text(page.document(WebPage.page))
    let worker = try text(page.document(WebPage.worker))
    #expect(html.contains("/assets/\(page.set)/"))
    #expect(worker.contains("\"\(page.set)\""))
    for document in [html, worker] {
      #expect(!document.contains("{{set}}") && !document.contains("{{assets}}"))
    }
    let names = WebSource.embedded.map(\.name).filter { !$0.hasSuffix(".html") && $0 != WebPage.worker }
    for name in names {
      #expect(worker.contains("\"\(name)\"") && page.asset(name, of: page.set) != nil, "\(name)")
    }
    // The files that the page names are there.
    for match in html.matches(of: /\/assets\/([^\/]+)\/([^"]+)"/) {
      #expect(page.asset(String(match.2), of: String(match.1)) != nil, "page.html names \(match.2)")
    }
  }

  @Test("have one name for the set, which is another if any name or byte is")
  func set() {
    let sources = [source("a.js", "one"), source("b.js", "two"), source("page.html", "{{set}}")]
    let set = WebPage(sources).set
    #expect(set.count == 12 && set.allSatisfy { "0123456789abcdef".contains($0) })
    #expect(WebPage(sources.reversed()).set == set, "the order does not count")
    let others = [
      [source("a.js", "onf"), sources[1], sources[2]], [sources[0], source("c.js", "two"), sources[2]],
      [source("a.js", "onet"), source("b.js", "wo"), sources[2]], [sources[0], sources[1]],
      [sources[0], sources[1], source("page.html", "{{set}} ")], sources + [source("d.js", "")],
    ]
    for other in others { #expect(WebPage(other).set != set, "\(other.map(\.name))") }
  }

  @Test("of another set, or by another name, are not there; documents are no assets")
  func unknown() {
    let page = WebPage([source("a.js", "1"), source("page.html", "2"), source("sw.js", "3")])
    #expect(page.asset("a.js", of: page.set) != nil)
    let others = [
      ("a.js", "000000000000"), ("a.js", ""), ("a.js", page.set.uppercased() + " "), ("b.js", page.set),
      ("", page.set),
      ("page.html", page.set), ("sw.js", page.set),
    ]
    for (name, set) in others { #expect(page.asset(name, of: set) == nil, "\(set)/\(name)") }
    #expect(page.document("a.js") == nil && page.document("kiosk.html") == nil)
    #expect(page.document("page.html") != nil && page.document("sw.js") != nil)
  }

  @Test("name the set and the assets where a document has a place for them, and nothing else is touched")
  func places() throws {
    let written = "{{set}} {{assets}}{{set}}{{ set }} {{other}} {{{set}}} {{"
    let page = WebPage([source("b.js", "{{set}}\n"), source("a.css", "x"), source("page.html", written)])
    let filled = "\(page.set) [\"a.css\",\"b.js\"]\(page.set){{ set }} {{other}} {\(page.set)} {{"
    #expect(try text(page.document("page.html")) == filled)
    #expect(try text(page.asset("b.js", of: page.set)) == "{{set}}\n")
  }
}
