import Testing

@testable import HTTPMessages

@Suite("Content that is taken while it arrives")
struct TakenBodyTests {
  private static let length = "POST /f HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world"
  private static let chunked =
    "POST /f HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nC: d\r\n\r\n"
  private static let next = "POST /g HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"

  @Test(
    "The same content comes, cut anywhere, and the next request is another", arguments: [length, chunked])
  func cuts(_ wire: String) {
    let bytes = latin1(wire + Self.next)
    let expected = ["POST /f |hello world keep", "POST /g |ok keep"]
    for cut in 0...bytes.count {
      #expect(
        transcript([Array(bytes[..<cut]), Array(bytes[cut...])], takesBody: true) == expected, "\(cut)")
    }
    #expect(transcript(bytes.map { [$0] }, takesBody: true) == expected)
  }

  @Test("The parser holds only what has come since", arguments: [length, chunked])
  func held(_ wire: String) {
    var parser = HTTPRequestParser()
    for byte in latin1(wire).dropLast() {
      var position = 0
      guard case .needsMore = parser.next(in: [byte].span, at: &position) else {
        Issue.record("a byte before the last one ends the request")
        return
      }
      #expect(parser.bodyByteCount <= 1)
      #expect(parser.takeBody().count <= 1)
      #expect(parser.bodyByteCount == 0)
    }
    #expect(parser.receivedBodyByteCount >= 10)
  }

  /// Four bytes for everybody, and nine for files.
  private static let limits = {
    var limits = HTTPRequestLimits()
    limits.bodyByteCount = 4
    limits.longBodyByteCount = 9
    limits.longBodies = [LongBodyTarget(.post, "/{name}/file")]
    return limits
  }()

  @Test(
    "Limits are as exact as without",
    arguments: [
      ("/a/file", 9, true), ("/a/file", 10, false), ("/a/other", 4, true), ("/a/other", 5, false),
    ])
  func limits(_ path: String, _ count: Int, _ passes: Bool) {
    let body = String(repeating: "b", count: count)
    let head = "POST \(path) HTTP/1.1\r\nHost: a\r\n"
    let chunks = body.map { "1\r\n\($0)\r\n" }.joined()
    let wires = [
      head + "Content-Length: \(count)\r\n\r\n" + body,
      head + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n",
      head
        + "Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n\(String(count - 1, radix: 16))\r\n\(body.dropLast())\r\n0\r\n\r\n",
    ]
    for wire in wires {
      let bytes = latin1(wire)
      let expected = [passes ? "POST \(path) |\(body) keep" : "413"]
      #expect(transcript([bytes], limits: Self.limits, takesBody: true) == expected)
      #expect(transcript(bytes.map { [$0] }, limits: Self.limits, takesBody: true) == expected)
      #expect(transcript(bytes.map { [$0] }, limits: Self.limits) == expected)
    }
  }

  @Test("What was taken of a request that is dropped does not count for another")
  func dropped() {
    let refused =
      "POST /a/file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123456789\r\n1\r\n"
    #expect(transcript(latin1(refused).map { [$0] }, limits: Self.limits, takesBody: true) == ["413"])
    let full =
      "POST /a/file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n123456789\r\n0\r\n\r\n"
    let twice = transcript(latin1(full + full).map { [$0] }, limits: Self.limits, takesBody: true)
    #expect(twice == ["POST /a/file |123456789 keep", "POST /a/file |123456789 keep"])
  }

  @Test("The parser says which content may be long", arguments: [("/a/file", true), ("/a/other", false)])
  func mayBeLong(_ path: String, _ expected: Bool) {
    var parser = HTTPRequestParser(limits: Self.limits)
    var position = 0
    let head = latin1("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
    _ = parser.next(in: head.span, at: &position)
    #expect(parser.mayHaveLongBody == expected)
  }
}
