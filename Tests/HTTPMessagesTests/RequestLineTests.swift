import Testing

@Suite("The request line")
struct RequestLineTests {
  @Test("A request line is method, target and version with one space between", arguments: cases)
  func grammar(_ testCase: WireCase) {
    check(testCase)
  }

  static let cases: [WireCase] = [
    WireCase("9112-3: the least request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / keep"),
    WireCase("9110-9.1: every known method", "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n", "PATCH / keep"),
    WireCase("9110-9.1: HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / keep"),
    WireCase("9110-9.1: PUT", "PUT / HTTP/1.1\r\nHost: a\r\n\r\n", "PUT / keep"),
    WireCase("9110-9.1: DELETE", "DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n", "DELETE /a keep"),
    WireCase("9110-9.1: methods are case-sensitive", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "get / keep"),
    WireCase("9110-9.1: a method is any token", "M-S!#$ / HTTP/1.1\r\nHost: a\r\n\r\n", "M-S!#$ / keep"),
    WireCase("9110-9.1: a method is no quoted text", "\"GET\" / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9110-9.1: a method has no brackets", "G[T / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9110-9.1: a method is ASCII", "G\u{C9}T / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9110-9.3.6: CONNECT opens no tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", "501"),
    WireCase("9112-3: no method", " / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: white space before the method", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: two spaces before the target", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: two spaces before the version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: a tab is no space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: a tab before the version", "GET /\tHTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: a space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3: only a method", "GET\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-3.2: a space within the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: HTTP/0.9 has no version", "GET /\r\n", "400"),
    WireCase("9112-2.3: HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET / close"),
    WireCase("9110-2.5: a higher minor version", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET / keep"),
    WireCase("9112-3.2: a higher minor version without Host", "GET / HTTP/1.9\r\n\r\n", "400"),
    WireCase("9112-2.3: HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"),
    WireCase("9113-3.4: the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"),
    WireCase("9112-2.3: HTTP/0.9 spelled out", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", "505"),
    WireCase("9112-2.3: HTTP/9.9", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "505"),
    WireCase("9112-2.3: no minor version", "GET / HTTP/1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: leading zeros", "GET / HTTP/01.01\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: the name is case-sensitive", "GET / http/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: a space within", "GET / HTTP/ 1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: a comma for the dot", "GET / HTTP/1,1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: no digits", "GET / HTTP/x.y\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.3: another protocol", "GET / ICAP/1.0\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: an empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / keep"),
    WireCase(
      "9112-2.2: four empty lines before", "\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / keep"),
    WireCase(
      "9112-2.2: five are too many", "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: a bare LF before", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: a bare CR before", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: LF ends no request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: CR ends no request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: two CR", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "400"),
    WireCase("9112-2.2: only LF", "GET / HTTP/1.1\nHost: a\n\n", "400"),
    WireCase("9112-3: white space alone", "   \r\n\r\n", "400"),
    WireCase("9112-3: a TLS greeting", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{FC}\r\n", "400"),
    WireCase("9112-3: incomplete", "GET / HT", "…"),
    WireCase("9112-3: nothing", ""),
  ]
}
