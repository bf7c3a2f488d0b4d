import Testing

@testable import HTTPMessages

@Suite("Limits pass exactly at the limit and refuse one more")
struct LimitTests {
  @Test("The request line may have 8 KiB", arguments: [(-1, true), (0, true), (1, false), (50_000, false)])
  func requestLine(_ excess: Int, _ passes: Bool) {
    let target = "/" + String(repeating: "a", count: 8192 - "GET / HTTP/1.1".count + excess)
    let wire = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    expect(wire, passes ? "GET \(target) keep" : "414")
  }

  @Test("A long request line without a target is malformed, not too long")
  func method() {
    expect(String(repeating: "A", count: 100_000) + " / HTTP/1.1\r\nHost: a\r\n\r\n", "400")
  }

  @Test(
    "The head may have 32 KiB", arguments: [(-1, true), (0, true), (1, false), (2, false), (90_000, false)])
  func head(_ excess: Int, _ passes: Bool) {
    let rest = "GET / HTTP/1.1\r\nHost: a\r\nA: \r\n\r\n"
    let value = String(repeating: "b", count: 32_768 - rest.utf8.count + excess)
    expect("GET / HTTP/1.1\r\nHost: a\r\nA: \(value)\r\n\r\n", passes ? "GET / keep" : "431")
  }

  @Test(
    "The head may have 32 KiB in short lines", arguments: [(0, true), (1, false), (2, false), (3, false)])
  func headOfLines(_ excess: Int, _ passes: Bool) {
    let line = "A: " + String(repeating: "b", count: 395) + "\r\n"
    let start = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: line, count: 81)
    let rest = 32_768 - start.utf8.count - "C: \r\n\r\n".utf8.count + excess
    expect(start + "C: " + String(repeating: "d", count: rest) + "\r\n\r\n", passes ? "GET / keep" : "431")
  }

  @Test("A head may have 100 fields", arguments: [(99, true), (100, true), (101, false), (10_000, false)])
  func fields(_ count: Int, _ passes: Bool) {
    let lines = String(repeating: "A: b\r\n", count: count - 1)
    expect("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n", passes ? "GET / keep" : "431")
  }

  @Test("Content with a length may have 256 KiB", arguments: [(-1, true), (0, true), (1, false)])
  func content(_ excess: Int, _ passes: Bool) {
    let body = String(repeating: "b", count: 262_144 + excess)
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    expect(head + body, passes ? "POST / |\(body) keep" : "413")
  }

  @Test("Chunked content may have 256 KiB", arguments: [(-1, true), (0, true), (1, false)])
  func chunkedContent(_ excess: Int, _ passes: Bool) {
    let body = String(repeating: "b", count: 262_143 + excess)
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n"
    let wire = head + String(body.utf8.count, radix: 16) + "\r\n" + body + "\r\n0\r\n\r\n"
    expect(wire, passes ? "POST / |b\(body) keep" : "413")
  }

  @Test("Chunk extensions may have 4 KiB over all chunks", arguments: [(-1, true), (0, true), (1, false)])
  func chunkExtensions(_ excess: Int, _ passes: Bool) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    let first = "1;" + String(repeating: "a", count: 1999) + "\r\nb\r\n"
    let second = "00000001;" + String(repeating: "a", count: 2095 + excess) + "\r\nc\r\n"
    expect(head + first + second + "0\r\n\r\n", passes ? "POST / |bc keep" : "400")
  }

  @Test(
    "Chunk extensions count however few digits a size has",
    arguments: [("1", 0, true), ("1", 1, false), ("0001", 1, false), ("00000001", 1, false)])
  func chunkExtensionsAlone(_ size: String, _ excess: Int, _ passes: Bool) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = size + ";" + String(repeating: "a", count: 4095 + excess) + "\r\nb\r\n"
    expect(head + chunk + "0\r\n\r\n", passes ? "POST / |b keep" : "400")
  }

  @Test("Trailers may have 8 KiB", arguments: [(-1, true), (0, true), (1, false)])
  func trailerBytes(_ excess: Int, _ passes: Bool) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    let value = String(repeating: "b", count: 8192 - "A: \r\n\r\n".utf8.count + excess)
    expect(head + "A: \(value)\r\n\r\n", passes ? "POST / keep" : "431")
  }

  @Test("A request may have 100 trailers", arguments: [(100, true), (101, false)])
  func trailers(_ count: Int, _ passes: Bool) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    expect(head + String(repeating: "A: b\r\n", count: count) + "\r\n", passes ? "POST / keep" : "431")
  }

  @Test("The server can choose other limits")
  func chosen() {
    var limits = HTTPRequestLimits()
    limits.bodyByteCount = 4
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
    #expect(transcript([latin1(head + "4\r\n\r\nfour")], limits: limits) == ["POST / |four keep"])
    #expect(transcript([latin1(head + "5\r\n\r\nfives")], limits: limits) == ["413"])
  }

  private func expect(_ wire: String, _ expected: String) {
    let bytes = Array(wire.utf8)
    // The comparison is outside the macro, so that a failure does not print a quarter of a mebibyte.
    let isSameWhole = transcript([bytes]) == [expected]
    let isSameByteByByte = transcript(bytes.map { [$0] }) == [expected]
    #expect(isSameWhole)
    #expect(isSameByteByByte)
  }
}
