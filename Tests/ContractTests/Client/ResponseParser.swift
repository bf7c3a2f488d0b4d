@testable import ContractDocument

/// Reads one HTTP/1.1 response from all the bytes of a connection, and refuses anything but exactly one.
enum ResponseParser {
  /// The response; the bytes must end where it ends.
  static func parse(_ bytes: [UInt8], hasContent: Bool) throws -> WireResponse {
    guard let headEnd = end(of: "\r\n\r\n", in: bytes[...]) else {
      throw SocketTransport.Failure(description: "no whole head in \(bytes.count) bytes")
    }
    var lines = String(decoding: bytes[..<(headEnd - 4)], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let statusLine = lines.removeFirst().split(separator: " ", maxSplits: 2)
    guard statusLine.count >= 2, statusLine[0] == "HTTP/1.1", let status = Int(statusLine[1]) else {
      throw SocketTransport.Failure(description: "no status line")
    }
    let headers = try lines.map { line in
      guard let colon = line.firstIndex(of: ":") else {
        throw SocketTransport.Failure(description: "a field without colon")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (name: String(line[..<colon]), value: String(value))
    }
    var response = WireResponse(status: status, headers: headers, body: [])
    let rest = bytes[headEnd...]
    if !hasContent || status == 204 || status == 304 {
      guard rest.isEmpty else { throw SocketTransport.Failure(description: "content where none may be") }
    } else if response.values(of: "transfer-encoding") == ["chunked"] {
      response.body = try chunks(rest)
    } else {
      guard let length = response.values(of: "content-length").first, Int(length) == rest.count else {
        throw SocketTransport.Failure(description: "\(rest.count) bytes of content, not as announced")
      }
      response.body = Array(rest)
    }
    return response
  }

  private static func chunks(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
    var rest = bytes
    var content: [UInt8] = []
    while let lineEnd = end(of: "\r\n", in: rest) {
      let line = String(decoding: rest[rest.startIndex..<(lineEnd - 2)], as: UTF8.self)
      guard let size = Int(line, radix: 16), rest.endIndex - lineEnd >= size + 2 else { break }
      content += rest[lineEnd..<(lineEnd + size)]
      rest = rest[(lineEnd + size + 2)...]
      if size == 0 && rest.isEmpty { return content }
    }
    throw SocketTransport.Failure(description: "the chunks do not end")
  }

  private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let mark = Array(mark.utf8)
    var index = bytes.startIndex
    while index + mark.count <= bytes.endIndex {
      if bytes[index..<(index + mark.count)].elementsEqual(mark) { return index + mark.count }
      index += 1
    }
    return nil
  }
}
