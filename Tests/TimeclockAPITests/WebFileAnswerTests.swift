import HTTPMessages
import Testing

@testable import TimeclockAPI
@testable import WebPage

@Suite("The answer with a file of the page")
struct WebFileAnswerTests {
  private static let content = Array(String(repeating: "const a = 1;\n", count: 100).utf8)
  private let file = WebFile(WebSource("a.js") { Self.content })
  private let small = WebFile(WebSource("b.svg") { [0x61] })

  private func answer(_ file: WebFile, _ fields: (String, String)...) -> HTTPResponse {
    var request = HTTPRequest(method: .get, path: "/assets/x/a.js")
    for (name, value) in fields { request.fields.append(name, value) }
    return .file(file, caching: "no-cache", varyingBy: "Accept-Encoding", for: request)
  }

  private func bytes(_ response: HTTPResponse) -> [UInt8]? {
    if case .bytes(let bytes) = response.body { bytes } else { nil }
  }

  @Test("is the file as it is, with its type and tag")
  func plain() {
    for response in [
      answer(file), answer(file, ("Accept-Encoding", "br")), answer(file, ("Accept-Encoding", "gzip;q=0")),
    ] {
      #expect(response.status == .ok && bytes(response) == Self.content)
      #expect(response.fields["Content-Type"] == "text/javascript; charset=utf-8")
      #expect(response.fields["ETag"] == file.plain.tag && response.fields["Cache-Control"] == "no-cache")
      #expect(response.fields["Content-Encoding"] == nil && response.fields["Vary"] == "Accept-Encoding")
    }
  }

  @Test("is compressed for a client that takes gzip, under a tag of its own, if that is smaller")
  func compressed() throws {
    let gzip = try #require(file.gzip)
    let response = answer(file, ("Accept-Encoding", "br"), ("Accept-Encoding", "gzip"))
    #expect(response.status == .ok && bytes(response) == gzip.bytes && gzip.bytes.count < Self.content.count)
    #expect(response.fields["Content-Encoding"] == "gzip" && response.fields["ETag"] == gzip.tag)
    #expect(response.fields["Content-Type"] == "text/javascript; charset=utf-8")
    let short = answer(small, ("Accept-Encoding", "gzip"))
    #expect(bytes(short) == [0x61] && short.fields["Content-Encoding"] == nil)
    #expect(short.fields["Vary"] == "Accept-Encoding" && short.fields["ETag"] == small.plain.tag)
  }

  @Test("is 304 with the fields that caches keep, if the client names the tag of the form that it gets")
  func notModified() throws {
    let gzip = try #require(file.gzip).tag
    let plain = file.plain.tag
    for (encoding, tag) in [("identity", plain), ("gzip", gzip), ("gzip", "\"x\", W/\(gzip)"), ("gzip", "*")]
    {
      let response = answer(file, ("Accept-Encoding", encoding), ("If-None-Match", tag))
      #expect(response.status == .notModified && bytes(response) == nil, "\(encoding) \(tag)")
      #expect(response.fields["ETag"] == (encoding == "gzip" ? gzip : plain))
      let whole = answer(file, ("Accept-Encoding", encoding))
      for name in ["Cache-Control", "Vary", "Content-Security-Policy"] as [StaticString] {
        #expect(
          response.fields[name] != nil && response.fields.values(of: name) == whole.fields.values(of: name))
      }
      #expect(response.fields["Content-Type"] == nil && response.fields["Content-Encoding"] == nil)
    }
    for (encoding, tag) in [
      ("identity", gzip), ("gzip", plain), ("gzip", "\"\""), ("gzip", gzip + "x"), ("gzip", ""),
    ] {
      let response = answer(file, ("Accept-Encoding", encoding), ("If-None-Match", tag))
      #expect(response.status == .ok, "\(encoding) \(tag)")
    }
  }

  @Test("has the fields that keep the page to itself, one of each")
  func security() {
    let fields = answer(file).fields
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
      "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'", "trusted-types timeclock",
    ]
    #expect(fields.values(of: "Content-Security-Policy") == [policy.joined(separator: "; ")])
    #expect(fields.values(of: "X-Content-Type-Options") == ["nosniff"])
    #expect(fields.values(of: "Referrer-Policy") == ["no-referrer"])
    #expect(fields.values(of: "Cross-Origin-Opener-Policy") == ["same-origin"])
    #expect(fields.values(of: "Permissions-Policy") == ["camera=(), microphone=(), geolocation=()"])
    let names = fields.lines.map { $0.name.lowercased() }
    #expect(Set(names).count == names.count)
  }
}
