import Testing

@testable import HTTPMessages

@Suite("Field lines")
struct FieldLineTests {
  @Test("A field line is a name, a colon and a value", arguments: cases)
  func grammar(_ testCase: WireCase) {
    check(testCase)
  }

  @Test("Field lines keep their order, case and inner space, and lose the space around a value")
  func values() {
    var parser = HTTPRequestParser()
    var position = 0
    let wire = "GET / HTTP/1.1\r\nHost: a\r\nX-One: \t b  c \t\r\nx-ONE:\r\nUtf: \u{C3}\u{A9}\r\n\r\n"
    guard case .request(let received) = parser.next(in: latin1(wire).span, at: &position) else {
      Issue.record("no request")
      return
    }
    let fields = received.request.fields
    #expect(fields.lines.map(\.name) == ["Host", "X-One", "x-ONE", "Utf"])
    #expect(fields.values(of: "x-one") == ["b  c", ""])
    #expect(fields["utf"] == "é")
    #expect(fields["absent"] == nil)
  }

  @Test(
    "A byte is allowed in any place of a value, or in none",
    arguments: [0x61, 0x00, 0x0C, 0x1F, 0x20, 0x7E, 0x80, 0xFF])
  func everyByte(besides neighbor: UInt8) {
    let head = latin1("GET / HTTP/1.1\r\nHost: a\r\nA: b")
    let end = latin1("c\r\n\r\n")
    for byte in UInt8.min...UInt8.max {
      for position in 0..<20 {
        var value = [UInt8](repeating: neighbor, count: 20)
        value[position] = byte
        let isAllowed = value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
        var parser = HTTPRequestParser()
        var start = 0
        let wire = head + value + end
        guard case .request(let received) = parser.next(in: wire.span, at: &start) else {
          #expect(!isAllowed, "\(byte) at \(position) is refused")
          continue
        }
        #expect(isAllowed, "\(byte) at \(position) is taken")
        let entry = received.request.fields.entries[1]
        #expect(entry.valueEnd - entry.valueStart == 22)
      }
    }
  }

  static let cases: [WireCase] = [
    field("9112-5: a name is any token", "!#$%&'*+-.^_`|~09aZ: b", "GET / keep"),
    field("9112-5: an empty value", "A:", "GET / keep"),
    field("9112-5: no space after the colon", "A:b", "GET / keep"),
    field("9110-5.5: tabs and spaces around", "A: \t b \t ", "GET / keep"),
    field("9110-5.5: obs-text", "A: \u{80}\u{FF}", "GET / keep"),
    field("9110-5.5: a colon in the value", "A: b:c", "GET / keep"),
    field("9112-5.1: space before the colon", "A : b", "400"),
    field("9112-5.1: a tab before the colon", "A\t: b", "400"),
    field("9112-5: no name", ": b", "400"),
    field("9112-5: no colon", "A", "400"),
    field("9112-5: space in the name", "A b: c", "400"),
    field("9112-5: a bracket in the name", "A[: c", "400"),
    field("9112-5: a NUL in the name", "A\0: c", "400"),
    field("9112-5: a name beyond ASCII", "\u{C3}\u{A9}: c", "400"),
    field("9112-5: a slash in the name", "A/b: c", "400"),
    field("9110-8.3: one Content-Type", "Content-Type: a/b", "GET / keep"),
    field("9110-8.3: two Content-Types", "Content-Type: a/b\r\nA: b\r\ncontent-TYPE: a/b", "400"),
    field("9112-5.2: obs-fold", "A: b\r\n c", "400"),
    field("9112-5.2: obs-fold with a tab", "A: b\r\n\tc", "400"),
    field("9112-5.2: obs-fold to an empty line", "A: b\r\n ", "400"),
    field("9110-5.5: NUL in a value", "A: b\0c", "400"),
    field("9110-5.5: BEL in a value", "A: b\u{7}c", "400"),
    field("9110-5.5: a vertical tab in a value", "A: \u{B}b", "400"),
    field("9110-5.5: a form feed in a value", "A: \u{C}b", "400"),
    field("9110-5.5: ESC in a value", "A: \u{1B}b", "400"),
    field("9110-5.5: DEL in a value", "A: b\u{7F}", "400"),
    field("9112-2.2: a bare CR in a value", "A: b\rc", "400"),
    field("9112-2.2: a bare LF in a value", "A: b\nc: d", "400"),
    field("9112-2.2: CR CR LF", "A: b\r", "400"),
    WireCase("9112-2.2: white space before the fields", "GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: a folded first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400"),
    WireCase("9112-2.2: LF ends no head", "GET / HTTP/1.1\r\nHost: a\r\n\n", "400"),
    WireCase("9112-2.1: an incomplete head", "GET / HTTP/1.1\r\nHost: a\r\nA: b", "…"),
    WireCase("9112-2.1: an incomplete last line end", "GET / HTTP/1.1\r\nHost: a\r\n\r", "…"),
    WireCase("9112-3.2: no Host", "GET / HTTP/1.1\r\n\r\n", "400"),
    WireCase("9112-3.2: no Host, other fields", "GET / HTTP/1.1\r\nHosts: a\r\n\r\n", "400"),
    WireCase("9112-3.2: no Host, absolute form", "GET http://a/ HTTP/1.1\r\n\r\n", "400"),
    WireCase("9112-3.2: two", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    WireCase("9112-3.2: the same twice", "GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n", "400"),
    WireCase("9112-3.2: two in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3.2: invalid in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", "400"),
    host("9110-7.2: a name", "a.example", "GET / keep"),
    host("9110-7.2: a name and a port", "a.example:8080", "GET / keep"),
    host("3986-3.2.3: an empty port", "a.example:", "GET / keep"),
    host("3986-3.2.3: the last port", "a.example:65535", "GET / keep"),
    host("3986-3.2.3: behind the last port", "a.example:65536", "400"),
    host("3986-3.2.3: a long port", "a.example:99999999999999999999", "400"),
    host("3986-3.2.3: a port that is no number", "a.example:http", "400"),
    host("3986-3.2.3: two ports", "a.example:80:80", "400"),
    host("3986-3.2.2: IPv4", "192.0.2.1:80", "GET / keep"),
    host("3986-3.2.2: percent-encoding", "%61.example", "GET / keep"),
    host("3986-3.2.2: sub-delims", "a!$&'()*+,;=b", "GET / keep"),
    host("3986-3.2.2: broken percent-encoding", "a%6.example", "400"),
    host("3986-3.2.2: IPv6", "[2001:db8:0:0:0:0:0:1]", "GET / keep"),
    host("3986-3.2.2: IPv6, compressed, with a port", "[2001:db8::1]:80", "GET / keep"),
    host("3986-3.2.2: IPv6 of nothing", "[::]", "GET / keep"),
    host("3986-3.2.2: IPv6, compressed at the end", "[1::]", "GET / keep"),
    host("3986-3.2.2: IPv6 with IPv4", "[::ffff:192.0.2.1]", "GET / keep"),
    host("3986-3.2.2: IPvFuture", "[v1.a:b]", "GET / keep"),
    host("3986-3.2.2: IPvFuture without a version", "[v.a]", "400"),
    host("3986-3.2.2: IPvFuture without an address", "[v1.]", "400"),
    host("3986-3.2.2: IPv6, nine groups", "[1:2:3:4:5:6:7:8:9]", "400"),
    host("3986-3.2.2: IPv6, seven groups", "[1:2:3:4:5:6:7]", "400"),
    host("3986-3.2.2: IPv6, compressed twice", "[1::2::3]", "400"),
    host("3986-3.2.2: IPv6, three colons", "[1:::2]", "400"),
    host("3986-3.2.2: IPv6, one colon first", "[:1:2:3:4:5:6:7]", "400"),
    host("3986-3.2.2: IPv6, one colon last", "[1:2:3:4:5:6:7:]", "400"),
    host("3986-3.2.2: IPv6, five digits", "[12345::]", "400"),
    host("3986-3.2.2: IPv6 with a bad IPv4", "[::192.0.2.256]", "400"),
    host("3986-3.2.2: IPv6 with three octets", "[::192.0.2]", "400"),
    host("6874: IPv6 with a zone", "[fe80::1%25eth0]", "400"),
    host("3986-3.2.2: an open bracket", "[::1", "400"),
    host("3986-3.2.2: text behind the bracket", "[::1]a", "400"),
    host("3986-3.2.2: empty brackets", "[]", "400"),
    host("3986-3.2.2: IPv6 without brackets", "::1", "400"),
    host("9112-3.2: empty", "", "400"),
    host("9112-3.2: a port alone", ":80", "400"),
    host("9112-3.2: user information", "me@a.example", "400"),
    host("9112-3.2: a path", "a.example/b", "400"),
    host("9112-3.2: a scheme", "http://a.example", "400"),
    host("9112-3.2: a list", "a.example, b.example", "400"),
    host("9112-3.2: bytes beyond ASCII", "\u{E9}.example", "400"),
  ]

  private static func field(_ rule: String, _ line: String, _ expected: String) -> WireCase {
    WireCase(rule, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", expected)
  }

  private static func host(_ rule: String, _ value: String, _ expected: String) -> WireCase {
    WireCase(rule, "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n", expected)
  }
}
