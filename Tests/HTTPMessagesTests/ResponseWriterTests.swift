import Testing

@testable import HTTPMessages

@Suite("A response on the wire")
struct ResponseWriterTests {
  let date = HTTPDate(secondsSince1970: 784_111_777)
  let kept = HTTPResponseContext(version: .http11, answersHead: false, keepsConnectionOpen: true)
  let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

  @Test("A response has status line, Date, fields, length and content")
  func bytes() {
    var fields = HTTPFields()
    fields.append("Content-Type", "application/json")
    fields.append("Empty", "")
    let wire = write(HTTPResponse(status: .ok, fields: fields, body: .bytes(Array("{}".utf8))), kept)
    let expected =
      "HTTP/1.1 200 OK\r\n\(dateLine)Content-Type: application/json\r\nEmpty: \r\n"
      + "Content-Length: 2\r\n\r\n{}"
    #expect(wire == expected)
  }

  @Test("A status line has the code's reason phrase, or only the space before it (RFC 9112, section 4)")
  func reasonPhrase() {
    #expect(write(HTTPResponse(status: .notFound), kept).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(write(HTTPResponse(status: HTTPStatus(299)), kept).hasPrefix("HTTP/1.1 299 \r\n"))
  }

  @Test("A response without content says so if its status allows content")
  func noContent() {
    let wire = write(HTTPResponse(status: .created), kept)
    #expect(wire == "HTTP/1.1 201 Created\r\n\(dateLine)Content-Length: 0\r\n\r\n")
  }

  @Test("A 204 or 304 has neither content nor framing", arguments: [204, 304])
  func statusWithoutContent(_ code: Int) {
    for body in [HTTPResponseBody.none, .bytes([65]), .stream { _ in }] {
      let wire = write(HTTPResponse(status: HTTPStatus(code), body: body), kept)
      #expect(!wire.contains("Content-Length") && !wire.contains("Transfer-Encoding"))
      #expect(wire.hasSuffix("GMT\r\n\r\n"))
    }
  }

  @Test("A response to HEAD has the fields of GET and no content")
  func head() {
    var context = kept
    context.answersHead = true
    for body in [HTTPResponseBody.none, .bytes(Array("hello".utf8)), .stream { _ in }] {
      let response = HTTPResponse(status: .ok, body: body)
      let toGet = write(response, kept)
      let toHead = write(response, context)
      #expect(toHead.hasSuffix("\r\n\r\n"))
      #expect(toGet.hasPrefix(toHead))
    }
    #expect(write(HTTPResponse(status: .ok, body: .bytes([65])), context).contains("Content-Length: 1\r\n"))
  }

  @Test("A response is chunked if its content is made while it is sent")
  func stream() {
    var output: [UInt8] = []
    let response = HTTPResponse(status: .ok, body: .stream { _ in })
    let framing = HTTPResponseWriter.append(response, in: kept, date: date, to: &output)
    guard case .chunks = framing else {
      Issue.record("\(framing)")
      return
    }
    HTTPResponseWriter.appendChunk(Array(repeating: 97, count: 26), to: &output)
    HTTPResponseWriter.appendChunk([], to: &output)
    HTTPResponseWriter.appendChunk([98], to: &output)
    HTTPResponseWriter.appendLastChunk(to: &output)
    let head = "HTTP/1.1 200 OK\r\n\(dateLine)Transfer-Encoding: chunked\r\n\r\n"
    let chunks = "1a\r\n" + String(repeating: "a", count: 26) + "\r\n1\r\nb\r\n0\r\n\r\n"
    #expect(String(decoding: output, as: UTF8.self) == head + chunks)
  }

  @Test("A response to HTTP/1.0 is not chunked, and ends with the connection")
  func streamToHTTP10() {
    var output: [UInt8] = []
    let context = HTTPResponseContext(version: .http10, answersHead: false, keepsConnectionOpen: true)
    let response = HTTPResponse(status: .ok, body: .stream { _ in })
    let framing = HTTPResponseWriter.append(response, in: context, date: date, to: &output)
    guard case .untilClose = framing else {
      Issue.record("\(framing)")
      return
    }
    let wire = String(decoding: output, as: UTF8.self)
    #expect(wire == "HTTP/1.1 200 OK\r\n\(dateLine)Connection: close\r\n\r\n")
    #expect(HTTPResponseWriter.endsByClosing(response, in: context))
    #expect(!HTTPResponseWriter.endsByClosing(response, in: kept))
  }

  @Test("A response says whether the connection stays open if that is not the default")
  func connection() {
    for (version, keeps, line) in [
      (HTTPVersion.http11, true, ""), (.http11, false, "Connection: close\r\n"),
      (.http10, true, "Connection: keep-alive\r\n"), (.http10, false, "Connection: close\r\n"),
    ] {
      let context = HTTPResponseContext(version: version, answersHead: false, keepsConnectionOpen: keeps)
      let wire = write(HTTPResponse(status: .ok), context)
      #expect(wire == "HTTP/1.1 200 OK\r\n\(dateLine)\(line)Content-Length: 0\r\n\r\n")
    }
  }

  @Test(
    "A response that would inject something becomes a 500",
    arguments: [
      ("A", "b\r\nSet-Cookie: c"), ("A", "b\n"), ("A", "b\r"), ("A", "b\0"), ("A", "b\u{1B}"),
      ("A\r\nB", "c"),
      ("A:", "b"), ("A B", "c"), ("", "b"), ("Ä", "b"),
    ])
  func injection(_ name: String, _ value: String) {
    var fields = HTTPFields()
    fields.append("Before", "x")
    fields.append(name, value)
    let wire = write(HTTPResponse(status: .ok, fields: fields, body: .bytes([65])), kept)
    let expected =
      "HTTP/1.1 500 Internal Server Error\r\n\(dateLine)Cache-Control: no-store\r\n"
      + "X-Content-Type-Options: nosniff\r\n"
      + "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nContent-Length: 0\r\n\r\n"
    #expect(wire == expected)
  }

  @Test(
    "A response with a status that is not final becomes a 500",
    arguments: [-1, 0, 99, 100, 101, 199, 600, 1000])
  func status(_ code: Int) {
    #expect(write(HTTPResponse(status: HTTPStatus(code)), kept).hasPrefix("HTTP/1.1 500 "))
  }

  @Test("Only the writer frames a response")
  func reservedFields() {
    var fields = HTTPFields()
    for name in ["content-length", "TRANSFER-encoding", "Connection", "Keep-Alive", "DATE"] {
      fields.append(name, "9")
    }
    fields.append("Content-Lengths", "9")
    let wire = write(HTTPResponse(status: .ok, fields: fields), kept)
    #expect(wire == "HTTP/1.1 200 OK\r\n\(dateLine)Content-Lengths: 9\r\nContent-Length: 0\r\n\r\n")
  }

  @Test("A response follows the bytes already in the buffer, even as a 500")
  func appends() {
    var output = Array("before".utf8)
    var fields = HTTPFields()
    fields.append("A", "\n")
    _ = HTTPResponseWriter.append(
      HTTPResponse(status: .ok, fields: fields), in: kept, date: date, to: &output)
    #expect(String(decoding: output, as: UTF8.self).hasPrefix("beforeHTTP/1.1 500 "))
  }

  @Test(
    "A response has its date as an IMF-fixdate",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (Int64.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ] as [(Int64, String)])
  func imfFixdate(_ seconds: Int64, _ text: String) {
    var date = HTTPDate(secondsSince1970: 1)
    date.update(secondsSince1970: seconds)
    #expect(date.text == text)
  }

  private func write(_ response: HTTPResponse, _ context: HTTPResponseContext) -> String {
    var output: [UInt8] = []
    _ = HTTPResponseWriter.append(response, in: context, date: date, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
