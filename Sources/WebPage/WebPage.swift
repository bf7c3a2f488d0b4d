import Cryptography

/// The page that people use: its files, ready to be sent.
///
/// All files are one set under one name, which every address of an asset has in it. So a file of one version never meets one
/// of another, and an asset may be kept for ever. Pages (`*.html`) and the service worker have addresses of their own, and
/// name the set.
package struct WebPage: Sendable {
  /// The set's name: 12 hexadecimal digits of the SHA-256 over the names and bytes of all sources.
  package let set: String
  private let assets: [String: WebFile]
  private let documents: [String: WebFile]

  /// The page of this program. It is made once, at the first use: about 100 kB stay in memory.
  package static let embedded = WebPage(WebSource.embedded)

  /// Makes a page of its sources, whose names differ.
  ///
  /// Scripts and styles are sent without comments and indentation. In documents, `{{set}}` becomes the set's name, and `{{assets}}` the names of all assets as an array of JSON.
  package init(_ sources: [WebSource]) {
    let sources = sources.sorted { $0.name < $1.name }
    set = Self.set(of: sources)
    let isDocument = { (source: WebSource) in source.name == Self.worker || source.name.hasSuffix(".html") }
    let names = sources.filter { !isDocument($0) }.map(\.name)
    // Names are plain: scripts/list-web-files takes no other.
    let values = ["set": set, "assets": "[\(names.map { "\"\($0)\"" }.joined(separator: ","))]"]
    var assets: [String: WebFile] = [:]
    var documents: [String: WebFile] = [:]
    for source in sources {
      if isDocument(source) {
        documents[source.name] = WebFile(source, sending: Self.filled(source.read(), values))
      } else {
        assets[source.name] = WebFile(source.sent)
      }
    }
    self.assets = assets
    self.documents = documents
  }

  /// The service worker's file.
  package static let worker = "sw.js"
  /// The file of the page itself.
  package static let page = "page.html"

  /// Returns an asset; nil for a name or a set that this program does not have.
  package func asset(_ name: String, of set: String) -> WebFile? {
    set == self.set ? assets[name] : nil
  }

  /// Returns a page or the worker by the name of its file.
  package func document(_ name: String) -> WebFile? { documents[name] }

  /// The name of the sources' set. Lengths are hashed too, so that no bytes can pass from one file to the next.
  private static func set(of sources: [WebSource]) -> String {
    var hash = SHA256()
    for source in sources {
      let bytes = source.read()
      hash.update(Array("\(source.name) \(bytes.count)\n".utf8))
      hash.update(bytes)
    }
    return Hexadecimal.text(of: hash.finalize().prefix(6))
  }

  /// Puts values into the places that are named for them. Other text in braces stays.
  private static func filled(_ bytes: [UInt8], _ values: [String: String]) -> [UInt8] {
    var text = String(decoding: bytes, as: UTF8.self)[...]
    var result = ""
    while let open = text.firstRange(of: "{{") {
      result += text[..<open.lowerBound]
      let rest = text[open.upperBound...]
      guard let close = rest.firstRange(of: "}}"), let value = values[String(rest[..<close.lowerBound])]
      else {
        result += "{"
        text = text[open.lowerBound...].dropFirst()
        continue
      }
      result += value
      text = rest[close.upperBound...]
    }
    return Array((result + text).utf8)
  }
}
