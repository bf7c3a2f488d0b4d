import Testing

@Suite("Chunked content")
struct ChunkedBodyTests {
  @Test("Chunked content is chunks, a last chunk and trailers", arguments: cases)
  func grammar(_ testCase: WireCase) {
    check(testCase)
  }

  static let cases: [WireCase] = [
    chunked("9112-7.1: one chunk", "5\r\nhello\r\n0\r\n\r\n", "POST / |hello keep"),
    chunked("9112-7.1: two chunks", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "POST / |hello world keep"),
    chunked("9112-7.1: no chunk", "0\r\n\r\n", "POST / keep"),
    chunked("9112-7.1: upper-case digits", "A\r\nhelloworld\r\n0\r\n\r\n", "POST / |helloworld keep"),
    chunked("9112-7.1: lower-case digits", "a\r\nhelloworld\r\n0\r\n\r\n", "POST / |helloworld keep"),
    chunked("9112-7.1: leading zeros", "00000002\r\nhi\r\n000\r\n\r\n", "POST / |hi keep"),
    chunked("9112-7.1: nine digits", "000000002\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: a size beyond 64 bits", "FFFFFFFFFFFFFFFF0\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9110-15.5.14: the largest size", "FFFFFFFF\r\nhi\r\n0\r\n\r\n", "413"),
    chunked("9112-7.1: a prefix", "0x2\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: a plus sign", "+2\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: a minus sign", "-2\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: an underscore", "1_0\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: a letter that is no digit", "g\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: no size", "\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: space before the size", " 2\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: space behind the size", "2 \r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: a NUL behind the size", "2\0\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: data too long", "2\r\nhi!\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: data too short", "3\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1: no line end behind the data", "2\r\nhi0\r\n\r\n", "400"),
    chunked("9112-2.2: LF behind the data", "2\r\nhi\n0\r\n\r\n", "400"),
    chunked("9112-2.2: CR behind the data", "2\r\nhi\r0\r\n\r\n", "400"),
    chunked("9112-2.2: LF behind the size", "2\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-2.2: CR behind the size", "2\rhi\r\n0\r\n\r\n", "400"),
    chunked("9112-2.2: LF behind the last chunk", "2\r\nhi\r\n0\n\r\n", "400"),
    chunked("9112-2.2: LF behind the trailers", "2\r\nhi\r\n0\r\n\n", "400"),
    chunked("9112-7.1: no last chunk", "2\r\nhi\r\n", "…"),
    chunked("9112-7.1: no end of the trailers", "2\r\nhi\r\n0\r\n", "…"),
    chunked("9112-7.1.1: an extension", "2;a\r\nhi\r\n0\r\n\r\n", "POST / |hi keep"),
    chunked("9112-7.1.1: an extension with a value", "2;a=b\r\nhi\r\n0;c=d\r\n\r\n", "POST / |hi keep"),
    chunked("9112-7.1.1: a quoted value", "2;a=\"b;\\\"c\"\r\nhi\r\n0\r\n\r\n", "POST / |hi keep"),
    chunked("9112-7.1.1: white space", "2 ; a = b ;c\r\nhi\r\n0\r\n\r\n", "POST / |hi keep"),
    chunked("9112-7.1.1: no name", "2;\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: no name, a value", "2;=b\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: no value", "2;a=\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: an open quote", "2;a=\"b\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: an open escape", "2;a=\"b\\\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: a name that is no token", "2;a[=b\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: space at the end", "2;a=b \r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: NUL", "2;a\0\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: LF", "2;\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.1: CR", "2;a\rb\r\nhi\r\n0\r\n\r\n", "400"),
    chunked("9112-7.1.2: trailers", "2\r\nhi\r\n0\r\nA: b\r\nC: d\r\n\r\n", "POST / |hi keep"),
    chunked(
      "9110-6.5.1: trailers frame nothing", "2\r\nhi\r\n0\r\nContent-Length: 9\r\nHost: b\r\n\r\n",
      "POST / |hi keep"),
    chunked("9112-7.1.2: a trailer without a colon", "2\r\nhi\r\n0\r\nA\r\n\r\n", "400"),
    chunked("9112-7.1.2: space before the colon", "2\r\nhi\r\n0\r\nA : b\r\n\r\n", "400"),
    chunked("9112-7.1.2: obs-fold", "2\r\nhi\r\n0\r\nA: b\r\n c\r\n\r\n", "400"),
    chunked("9112-7.1.2: NUL in a trailer", "2\r\nhi\r\n0\r\nA: \0\r\n\r\n", "400"),
    WireCase(
      "9112-9.3.2: a request behind it",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n", "POST / |hi keep", "GET /2 keep"),
  ]

  private static func chunked(_ rule: String, _ content: String, _ expected: String) -> WireCase {
    WireCase(
      rule, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(content)", expected)
  }
}
