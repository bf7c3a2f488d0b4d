/// The facts about a request that the form of its response depends on.
package struct HTTPResponseContext: Sendable {
  package var version: HTTPVersion
  /// Whether the request was a HEAD, whose answer carries no content (RFC 9110, section 9.3.2).
  package var answersHead: Bool
  /// Whether the connection is meant to stay open after the response.
  package var keepsConnectionOpen: Bool

  package init(version: HTTPVersion, answersHead: Bool, keepsConnectionOpen: Bool) {
    self.version = version
    self.answersHead = answersHead
    self.keepsConnectionOpen = keepsConnectionOpen
  }
}

/// The content that has to follow a response's head.
package enum HTTPStreamFraming: Sendable {
  /// No content follows: the response is complete.
  case complete
  /// The stream's content, in chunks.
  case chunks
  /// The stream's content as it is; the connection's end ends it (RFC 9112, section 6.3).
  case untilClose
  /// Another protocol.
  case upgraded
}

/// Writes responses as bytes (RFC 9112, sections 4, 6 and 7).
package enum HTTPResponseWriter {
  /// The interim response to `Expect: 100-continue` (RFC 9110, section 15.2.1).
  package static let continueResponse: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Appends the response's head and its complete content.
  ///
  /// Only the writer makes the framing fields, `Connection` and `Date`: the response's own are left out. A response that
  /// cannot be sent (a field that holds CR, LF, NUL or another control character, a status that is not final) becomes an
  /// empty 500, so that nothing is ever injected.
  ///
  /// - Returns: The content that is still to be written.
  package static func append(
    _ response: HTTPResponse, in context: HTTPResponseContext, date: HTTPDate, to output: inout [UInt8]
  ) -> HTTPStreamFraming {
    let start = output.count
    guard isWritable(response, in: context), appendHead(response, date, to: &output) else {
      output.removeSubrange(start...)
      return append(unwritable, in: context, date: date, to: &output)
    }
    return appendBody(response, in: context, to: &output)
  }

  /// Whether the status is final, or that of an upgrade if there can be one.
  private static func isWritable(_ response: HTTPResponse, in context: HTTPResponseContext) -> Bool {
    guard case .upgrade = response.body else { return 200...599 ~= response.status.code }
    return response.status.code == 101 && context.version == .http11 && !context.answersHead
  }

  /// Whether the connection has to close after the response, because its end is the content's end.
  package static func endsByClosing(_ response: HTTPResponse, in context: HTTPResponseContext) -> Bool {
    guard case .stream = response.body, context.version == .http10, !context.answersHead
    else { return false }
    return !response.status.forbidsContent
  }

  /// Appends one chunk (RFC 9112, section 7.1). Without bytes it appends nothing, because an empty chunk would end the
  /// content.
  package static func appendChunk(_ bytes: [UInt8], to output: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    output.appendHexadecimal(bytes.count)
    output.append("\r\n")
    output.append(contentsOf: bytes)
    output.append("\r\n")
  }

  /// Appends the last chunk and an empty trailer section.
  package static func appendLastChunk(to output: inout [UInt8]) {
    output.append("0\r\n\r\n")
  }

  /// Appends the status line, `Date` and the response's fields; false if one of them must not be written.
  private static func appendHead(
    _ response: HTTPResponse, _ date: HTTPDate, to output: inout [UInt8]
  ) -> Bool {
    appendStatusLine(response.status, to: &output)
    output.append(contentsOf: date.field)
    return response.fields.appendLines(to: &output)
  }

  private static func appendStatusLine(_ status: HTTPStatus, to output: inout [UInt8]) {
    if status.code == 200 {
      output.append("HTTP/1.1 200 OK\r\n")
      return
    }
    output.append("HTTP/1.1 ")
    output.appendDecimal(status.code)
    output.append(ASCII.space)
    output.append(contentsOf: status.reasonPhrase.utf8)
    output.append("\r\n")
  }

  /// Appends the framing fields, the end of the head, and the complete content.
  private static func appendBody(
    _ response: HTTPResponse, in context: HTTPResponseContext, to output: inout [UInt8]
  ) -> HTTPStreamFraming {
    if case .upgrade = response.body {
      output.append("Connection: upgrade\r\n\r\n")
      return .upgraded
    }
    appendConnection(response, in: context, to: &output)
    if response.status.forbidsContent {
      output.append("\r\n")
      return .complete
    }
    switch response.body {
    case .none:
      output.append("Content-Length: 0\r\n\r\n")
      return .complete
    case .bytes(let bytes):
      output.append("Content-Length: ")
      output.appendDecimal(bytes.count)
      output.append("\r\n\r\n")
      if !context.answersHead { output.append(contentsOf: bytes) }
      return .complete
    case .stream:
      let isChunked = context.version == .http11
      output.append(isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
      if context.answersHead { return .complete }
      return isChunked ? .chunks : .untilClose
    case .upgrade: return .upgraded
    }
  }

  private static func appendConnection(
    _ response: HTTPResponse, in context: HTTPResponseContext, to output: inout [UInt8]
  ) {
    if !context.keepsConnectionOpen || endsByClosing(response, in: context) {
      output.append("Connection: close\r\n")
    } else if context.version == .http10 {
      output.append("Connection: keep-alive\r\n")
    }
  }

  /// The response that is sent instead of one that cannot be written.
  private static let unwritable: HTTPResponse = {
    var fields = HTTPFields()
    fields.append("Cache-Control", "no-store")
    fields.append("X-Content-Type-Options", "nosniff")
    fields.append("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    return HTTPResponse(status: .internalServerError, fields: fields)
  }()
}

extension HTTPStatus {
  /// Whether a response with this status ends with its head (RFC 9110, sections 15.3.5 and 15.4.5).
  var forbidsContent: Bool { code == 204 || code == 304 }
}
