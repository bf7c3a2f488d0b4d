import Testing

@testable import HTTPMessages

@Suite("The request target")
struct RequestTargetTests {
  @Test("A request target is a path, an http URI or *", arguments: cases)
  func grammar(_ testCase: WireCase) {
    check(testCase)
  }

  @Test("The authority of an absolute form replaces Host (RFC 9112, section 3.2.2)")
  func authorityReplacesHost() throws {
    var parser = HTTPRequestParser()
    for (wire, host) in [
      ("GET http://right.example:81/ HTTP/1.1\r\nHost: wrong.example\r\nA: b\r\n\r\n", "right.example:81"),
      ("GET http://right.example/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "right.example"),
      ("GET / HTTP/1.1\r\nHost: wrong.example\r\n\r\n", "wrong.example"),
    ] {
      var position = 0
      guard case .request(let received) = parser.next(in: latin1(wire).span, at: &position) else {
        Issue.record("no request")
        return
      }
      #expect(received.request.fields.values(of: "Host") == [host])
    }
  }

  @Test("Targets and field names hold exactly the characters that the RFCs list")
  func byteSets() {
    let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let registeredName = alphanumeric + "-._~" + "!$&'()*+,;="
    for (set, characters) in [
      (ByteSet.token, alphanumeric + "!#$%&'*+-.^_`|~"), (ByteSet.registeredName, registeredName),
      (ByteSet.path, registeredName + ":@/"),
    ] {
      for byte in UInt8.min...UInt8.max {
        #expect(set.contains(byte) == characters.utf8.contains(byte), "\(byte)")
      }
    }
  }

  static let cases: [WireCase] = [
    target("3986-3.3: every pchar", "/aZ09-._~!$&'()*+,;=:@", "GET /aZ09-._~!$&'()*+,;=:@ keep"),
    target("3986-3.3: empty segments", "//a//", "GET //a// keep"),
    target("3986-3.4: a query", "/a?b=c&d=/?e", "GET /a?b=c&d=/?e keep"),
    target("3986-3.4: an empty query", "/a?", "GET /a? keep"),
    target("3986-2.1: percent-encoding", "/%41%c3%A9", "GET /%41%c3%A9 keep"),
    target("3986-2.1: percent-encoding in the query", "/?%20", "GET /?%20 keep"),
    target("3986-2.1: no digits", "/%zz", "400"),
    target("3986-2.1: one digit", "/%4", "400"),
    target("3986-2.1: a percent sign at the end", "/%", "400"),
    target("3986-2.1: one digit in the query", "/?a=%4&", "400"),
    target("9112-3.2: a fragment", "/a#b", "400"),
    target("3986-2: a double quote", "/\"", "400"),
    target("3986-2: an angle bracket", "/<a>", "400"),
    target("3986-2: a backslash", "/a\\b", "400"),
    target("3986-2: a caret", "/^", "400"),
    target("3986-2: a backtick", "/`", "400"),
    target("3986-2: braces", "/{a}", "400"),
    target("3986-2: a bar", "/a|b", "400"),
    target("3986-2: brackets", "/a[0]", "400"),
    target("3986-2: brackets in the query", "/?a[0]=1", "400"),
    target("3986-2: NUL", "/a\0b", "400"),
    target("3986-2: DEL", "/a\u{7F}", "400"),
    target("3986-2: a tab", "/a\tb", "400"),
    target("3986-2: bytes beyond ASCII", "/\u{C3}\u{A9}", "400"),
    target("3986-2: an overlong slash", "/\u{C0}\u{AF}", "400"),
    target("9112-3.2: no form at all", "a", "400"),
    target("9112-3.2: a relative path", "a/b", "400"),
    target("9112-3.2: a query alone", "?a", "400"),
    target("9112-3.2.4: * is for OPTIONS", "*", "400"),
    target("9112-3.2.3: a host alone is for CONNECT", "a.example:80", "400"),
    target("9112-3.2.2: the absolute form", "http://a.example/b?c", "GET /b?c keep"),
    target("9112-3.2.2: without a path", "http://a.example", "GET / keep"),
    target("9112-3.2.2: without a path, with a query", "http://a.example?q", "GET /?q keep"),
    target("9112-3.2.2: with a port", "http://a.example:8080/", "GET / keep"),
    target("9112-3.2.2: schemes have no case", "HTTPS://a.example/", "GET / keep"),
    target("9112-3.2.2: an address", "http://[2001:db8::1]:80/", "GET / keep"),
    target("9110-4.2.1: no host", "http:///a", "400"),
    target("9110-4.2.1: a port without a host", "http://:80/a", "400"),
    target("9110-4.2.4: user information", "http://me@a.example/", "400"),
    target("9110-4.2: another scheme", "ftp://a.example/", "400"),
    target("9110-4.2: one slash", "http:/a.example/", "400"),
    target("9110-4.2: a scheme alone", "http:", "400"),
    target("9112-3.2.2: a bad port", "http://a.example:8a/", "400"),
    target("9112-3.2.2: a fragment", "http://a.example/#b", "400"),
    WireCase("9112-3.2.4: OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * keep"),
    WireCase("9112-3.2.4: OPTIONS /", "OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS / keep"),
    WireCase(
      "9112-3.2.4: OPTIONS of a whole server", "OPTIONS http://a.example HTTP/1.1\r\nHost: a\r\n\r\n",
      "OPTIONS * keep"),
    WireCase("9112-3.2.4: OPTIONS **", "OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
  ]

  private static func target(_ rule: String, _ target: String, _ expected: String) -> WireCase {
    WireCase(rule, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", expected)
  }
}
