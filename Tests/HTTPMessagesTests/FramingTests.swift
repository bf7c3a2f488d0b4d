import Testing

@Suite("The end of a request")
struct FramingTests {
  @Test("A request ends where Content-Length says", arguments: lengthCases)
  func contentLength(_ testCase: WireCase) {
    check(testCase)
  }

  @Test("The end of a request is known only if chunked is there once, and last", arguments: codingCases)
  func transferCodings(_ testCase: WireCase) {
    check(testCase)
  }

  @Test("Connection and Expect are read as the RFCs say", arguments: connectionCases)
  func connection(_ testCase: WireCase) {
    check(testCase)
  }

  static let lengthCases: [WireCase] = [
    length("9112-6.3: content", "5", "hello", "POST / |hello keep"),
    length("9112-6.3: no content", "0", "", "POST / keep"),
    length("9110-8.6: leading zeros are digits", "005", "hello", "POST / |hello keep"),
    length("9110-8.6: many zeros", "00", "", "POST / keep"),
    length("9110-5.5: a tab before it", "\t5", "hello", "POST / |hello keep"),
    length("9110-5.5: space around it", "  5  ", "hello", "POST / |hello keep"),
    length("9112-6.3: content too short", "10", "hello", "…"),
    length("9110-8.6: empty", "", "", "400"),
    length("9110-8.6: a plus sign", "+5", "hello", "400"),
    length("9110-8.6: a minus sign", "-5", "hello", "400"),
    length("9110-8.6: minus nought", "-0", "", "400"),
    length("9110-8.6: a hexadecimal number", "0x5", "hello", "400"),
    length("9110-8.6: an octal number", "0o5", "hello", "400"),
    length("9110-8.6: a fraction", "5.0", "hello", "400"),
    length("9110-8.6: an exponent", "5e0", "hello", "400"),
    length("9110-8.6: an underscore", "1_0", "helloworld", "400"),
    length("9110-8.6: a space within", "1 0", "helloworld", "400"),
    length("9110-8.6: letters", "abc", "", "400"),
    length("9110-8.6: digits beyond ASCII", "\u{B2}", "hi", "400"),
    length("9110-8.6: quotes", "\"5\"", "hello", "400"),
    length("9110-8.6: a list of the same", "5, 5", "hello", "400"),
    length("9110-8.6: a list of others", "5, 6", "hello", "400"),
    length("9110-8.6: a comma at the end", "5,", "hello", "400"),
    length("9110-8.6: a control character", "5\u{B}", "hello", "400"),
    length("9110-8.6: 2^64 + 5", "18446744073709551621", "hello", "400"),
    length("9110-8.6: 2^63", "9223372036854775808", "hello", "400"),
    length("9110-15.5.14: 2^63 - 1", "9223372036854775807", "hello", "413"),
    length("9110-15.5.14: one over the limit", "262145", "", "413"),
    length("9112-6.3: the same twice", "5\r\nContent-Length: 5", "hello", "400"),
    length("9112-6.3: two that differ", "5\r\ncontent-length: 6", "hello", "400"),
    WireCase(
      "9110-8.6: another name", "POST / HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\n\r\n", "POST / keep"),
    WireCase(
      "9110-9.3.1: GET may have content", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
      "GET / |hi keep"),
    WireCase(
      "9112-9.3.2: requests in one go",
      "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nGET"
        + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\nGE",
      "POST /1 |GET keep", "GET /2 keep", "GET /3 keep", "…"),
    WireCase(
      "9112-6.3: what follows a refused request is no request",
      "GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
  ]

  static let codingCases: [WireCase] = [
    coding("9112-7.1: chunked", "chunked", "POST / |hi keep"),
    coding("9112-7: codings have no case", "CHUNKed", "POST / |hi keep"),
    coding("9110-5.5: space around it", " \tchunked \t", "POST / |hi keep"),
    coding("9110-5.6.1: an empty element before", ", chunked", "POST / |hi keep"),
    coding("9110-5.6.1: an empty element behind", "chunked,", "POST / |hi keep"),
    coding("9112-6.3: empty", "", "400"),
    coding("9112-6.3: only empty elements", ",,", "400"),
    coding("9112-6.3: not chunked", "gzip", "400"),
    coding("9112-6.3: identity", "identity", "400"),
    coding("9112-6.3: chunked is not last", "chunked, gzip", "400"),
    coding("9112-6.3: chunked is not last, two fields", "chunked\r\nTransfer-Encoding: identity", "400"),
    coding("9112-7.1: chunked twice", "chunked, chunked", "400"),
    coding("9112-7.1: chunked twice, two fields", "chunked\r\nTransfer-Encoding: chunked", "400"),
    coding("9112-6.1: an unknown coding first", "gzip, chunked", "501"),
    coding("9112-6.1: an unknown coding, two fields", "br\r\nTransfer-Encoding: chunked", "501"),
    coding("9112-6.1: an unknown coding with a parameter", "x;q=1, chunked", "501"),
    coding("9112-7.1: chunked has no parameters", "chunked;q=1", "400"),
    coding("9112-7.1: chunked has no parameters, after space", "chunked ;q=1", "400"),
    coding("9112-7: another name", "xchunked", "400"),
    coding("9112-7: quotes", "\"chunked\"", "400"),
    coding("9112-7: a space instead of a comma", "gzip chunked", "400"),
    coding("9112-7: a slash", "a/b, chunked", "400"),
    coding("9110-5.5: a vertical tab", "\u{B}chunked", "400"),
    coding("9110-5.5: a NUL", "chunked\0", "400"),
    coding("9112-5.2: obs-fold", "\r\n chunked", "400"),
    coding("9112-6.1: Content-Length after it", "chunked\r\nContent-Length: 5", "400"),
    coding("9112-6.1: Content-Length before it", "chunked\r\nContent-Length: 12", "400"),
    coding("9112-6.1: a Content-Length of nought", "chunked\r\nContent-Length: 0", "400"),
    WireCase(
      "9112-6.1: not in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    WireCase(
      "9112-5.1: a space before the colon",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "400"),
    WireCase(
      "9110-5.1: another name", "POST / HTTP/1.1\r\nHost: a\r\nTransfer_Encoding: chunked\r\n\r\n",
      "POST / keep"),
  ]

  static let connectionCases: [WireCase] = [
    connection("9112-9.3: stays open", "1.1", "keep-alive", "GET / keep"),
    connection("9112-9.3: closes", "1.1", "close", "GET / close"),
    connection("9112-9.6: options have no case", "1.1", "Close", "GET / close"),
    connection("9112-9.6: close in a list", "1.1", "a, ,close", "GET / close"),
    connection("9112-9.6: close in another field", "1.1", "a\r\nConnection: close", "GET / close"),
    connection("9112-9.6: close wins", "1.1", "keep-alive, close", "GET / close"),
    connection("9112-9.6: another option", "1.1", "closed", "GET / keep"),
    connection("9112-9.3: HTTP/1.0 closes", "1.0", "a", "GET / close"),
    connection("9112-9.3: HTTP/1.0 stays open when asked", "1.0", "Keep-Alive", "GET / keep"),
    connection("9112-9.3: HTTP/1.0, close wins", "1.0", "keep-alive, close", "GET / close"),
    WireCase(
      "9112-9.6: nothing after close is a request",
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / close"),
    WireCase(
      "9112-9.3: nothing after HTTP/1.0 is a request",
      "GET / HTTP/1.0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET / close"),
    expect("9110-10.1.1: 100-continue", "100-continue", "2", "hi", "100", "POST / |hi keep"),
    expect("9110-10.1.1: expectations have no case", "100-Continue", "2", "hi", "100", "POST / |hi keep"),
    expect("9110-10.1.1: nothing to wait for", "100-continue", "0", "", "POST / keep"),
    expect("9110-10.1.1: the answer comes before the content", "100-continue", "2", "", "100", "…"),
    expect("9110-10.1.1: a final answer instead", "100-continue", "262145", "", "413"),
    expect("9110-10.1.1: an unknown expectation", "200-ok", "2", "hi", "417"),
    expect("9110-10.1.1: one unknown among two", "100-continue, a", "2", "hi", "417"),
    WireCase(
      "9110-10.1.1: chunked content",
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nhi\r\n0\r\n\r\n", "100", "POST / |hi keep"),
    WireCase(
      "9110-10.1.1: HTTP/1.0 knows no 100",
      "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi", "POST / |hi close"),
  ]

  private static func length(
    _ rule: String, _ value: String, _ body: String, _ expected: String
  ) -> WireCase {
    WireCase(rule, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(value)\r\n\r\n\(body)", expected)
  }

  private static func coding(_ rule: String, _ value: String, _ expected: String) -> WireCase {
    WireCase(
      rule,
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n2\r\nhi\r\n0\r\n\r\n", expected)
  }

  private static func connection(
    _ rule: String, _ version: String, _ value: String, _ expected: String
  ) -> WireCase {
    WireCase(rule, "GET / HTTP/\(version)\r\nHost: a\r\nConnection: \(value)\r\n\r\n", expected)
  }

  private static func expect(
    _ rule: String, _ value: String, _ length: String, _ body: String, _ expected: String...
  ) -> WireCase {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\nContent-Length: \(length)\r\n\r\n"
    switch expected.count {
    case 1: return WireCase(rule, head + body, expected[0])
    default: return WireCase(rule, head + body, expected[0], expected[1])
    }
  }
}
