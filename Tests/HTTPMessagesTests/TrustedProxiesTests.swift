import Testing

@testable import HTTPMessages

@Suite("The client's address")
struct TrustedProxiesTests {
  private static let ranges = ["10.0.0.0/8", "fd00::/8"]

  private func address(
    from peer: String? = "10.0.0.1", in field: TrustedProxies.Field = .xForwardedFor,
    trusting ranges: [String] = ranges,
    _ fields: [(String, String)]
  ) throws -> String? {
    let proxies = TrustedProxies(try ranges.map { try AddressRange($0) }, field: field)
    var request = HTTPRequest(method: .get, path: "/", remoteAddress: peer)
    for (name, value) in fields { request.fields.append(name, value) }
    return proxies.clientAddress(of: request)
  }

  @Test(
    "The client's address is the one that the trusted proxy saw",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1\t", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"),
      ("2001:DB8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:4711", "2001:db8::1"),
      ("::ffff:192.0.2.1", "192.0.2.1"), ("192.0.2.1,", "192.0.2.1"), (",192.0.2.1 , ,\t,", "192.0.2.1"),
      // Text that a client sent is to the left of the part that its proxy added.
      ("198.51.100.9, 192.0.2.1", "192.0.2.1"), ("unknown, 192.0.2.1", "192.0.2.1"),
      ("\"<script>, 192.0.2.1", "192.0.2.1"), ("10.0.0.7, 192.0.2.1", "192.0.2.1"),
      // The request comes through two trusted proxies.
      ("198.51.100.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"), ("192.0.2.1,fd00::2,10.0.0.2", "192.0.2.1"),
      // The client is in the network of the trusted proxies.
      ("10.0.0.9", "10.0.0.9"), ("10.0.0.9, 10.0.0.8", "10.0.0.9"),
    ])
  func forwarded(_ value: String, _ expected: String) throws {
    #expect(try address([("X-Forwarded-For", value)]) == expected)
    #expect(try address([("x-forwarded-for", value)]) == expected)
  }

  @Test(
    "The client's address is the proxy's if the proxy names none",
    arguments: [
      "", ",", " , ,", "unknown", "_hidden", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1:",
      "192.0.2.1:port",
      "192.0.2.1:123456", "2001:db8::1:", "[2001:db8::1", "[192.0.2.1]", "2001:db8::1]", "[2001:db8::1]4711",
      "for=192.0.2.1", "\"192.0.2.1\"", "192.0.2.1;10.0.0.1", "192.0.2.1 192.0.2.2", "192.0.2.1, unknown",
      "192.0.2.1, , x", "192.0.2.1, nonsense, 10.0.0.2", "fe80::1%eth0",
    ])
  func malformed(_ value: String) throws {
    #expect(try address([("X-Forwarded-For", value)]) == "10.0.0.1")
  }

  @Test("The client's address is the peer's without the field, and with any field if the peer is not trusted")
  func untrustedPeer() throws {
    let field = [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1")]
    #expect(try address([]) == "10.0.0.1")
    #expect(try address(from: "198.51.100.1", field) == "198.51.100.1")
    #expect(try address(from: "198.51.100.1", in: .forwarded, field) == "198.51.100.1")
    #expect(try address(trusting: [], field) == "10.0.0.1")
    #expect(try address(from: nil, field) == nil)
    // The address stays as it is if it is not examined.
    #expect(try address(from: "fe80::1%eth0", field) == "fe80::1%eth0")
  }

  @Test("Several lines are read like one, the last of them first")
  func severalLines() throws {
    #expect(
      try address([
        ("X-Forwarded-For", "198.51.100.9"), ("Other", "203.0.113.9"), ("X-Forwarded-For", "192.0.2.1"),
      ])
        == "192.0.2.1")
    #expect(
      try address([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "10.0.0.3, 10.0.0.2")])
        == "192.0.2.1")
    #expect(try address([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "")]) == "192.0.2.1")
    #expect(try address([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "x")]) == "10.0.0.1")
    #expect(
      try address(in: .forwarded, [("Forwarded", "for=\""), ("Forwarded", "for=192.0.2.1")]) == "192.0.2.1")
  }

  @Test("The client's address is found behind a hundred proxies, and behind anything that a client makes up")
  func manyHops() throws {
    let hops = (1...100).map { "10.1.0.\($0)" }.joined(separator: ", ")
    #expect(try address([("X-Forwarded-For", "192.0.2.1, " + hops)]) == "192.0.2.1")
    #expect(try address([("X-Forwarded-For", hops)]) == "10.1.0.1")
    #expect(try address([("X-Forwarded-For", hops + ", 192.0.2.1")]) == "192.0.2.1")
    #expect(try address([("X-Forwarded-For", String(repeating: ",", count: 30_000))]) == "10.0.0.1")
  }

  @Test("The client's address is read from one field only")
  func oneField() throws {
    let both = [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.2")]
    #expect(try address(in: .xForwardedFor, both) == "192.0.2.1")
    #expect(try address(in: .forwarded, both) == "192.0.2.2")
    #expect(try address(in: .forwarded, [both[0]]) == "10.0.0.1")
    #expect(try address(in: .xForwardedFor, [both[1]]) == "10.0.0.1")
  }

  @Test(
    "The client's address is read from Forwarded as RFC 7239 says",
    arguments: [
      ("for=192.0.2.1", "192.0.2.1"), ("For=\"192.0.2.1\"", "192.0.2.1"),
      ("for=\"192.0.2.1:4711\"", "192.0.2.1"),
      ("for=\"192.0.2.1:_gazonk\"", "192.0.2.1"), ("for=\"[2001:DB8:CAFE::17]:4711\"", "2001:db8:cafe::17"),
      ("for=\"[2001:db8::1]\"", "2001:db8::1"), ("for=192.0.2.1;proto=https;by=203.0.113.43", "192.0.2.1"),
      ("proto=https; for=192.0.2.1 ; host=\"a\\\"b\"", "192.0.2.1"), ("by=_me;FOR=192.0.2.1;", "192.0.2.1"),
      ("for=198.51.100.9, for=192.0.2.1", "192.0.2.1"),
      ("for=192.0.2.1, for=10.0.0.2;by=10.0.0.1", "192.0.2.1"),
      ("for=unknown, for=192.0.2.1", "192.0.2.1"),
      // A quotation mark that a client opened does not swallow the proxy's addition.
      ("for=\", for=192.0.2.1", "192.0.2.1"), ("host=\"x;y=\\, for=192.0.2.1;proto=http", "192.0.2.1"),
    ])
  func standard(_ value: String, _ expected: String) throws {
    #expect(try address(in: .forwarded, [("Forwarded", value)]) == expected)
  }

  @Test(
    "The client's address is the proxy's if an element of RFC 7239 names none",
    arguments: [
      "", "for=", "for=\"\"", "for=unknown", "for=_hidden", "for=\"_SEVKISEK:1\"", "proto=https", "192.0.2.1",
      "for=192.0.2.1;for=192.0.2.1", "for=\"192.0.2.1", "for=192.0.2.1\"", "for=2001:db8::1",
      "for=[2001:db8::1]",
      "for=\"2001:db8::1\"", "for=192.0.2.1:80", "for = 192.0.2.1", "for=\"192.0.2.1\\\"",
      "for=\"192.0.2.\\1\"",
      "for=192.0.2.1 proto=https", "for=\"192.0.2.1\"x", ";", "=192.0.2.1", "for=192.0.2.1;;proto=https",
      // The host that a client asked for, in quotes as a proxy writes it, is no other element.
      "for=192.0.2.1;host=\"a,for=198.51.100.9;x=b\"", "for=192.0.2.1;host=\"a\\\",for=198.51.100.9;x=\\\"\"",
    ])
  func malformedElement(_ value: String) throws {
    #expect(try address(in: .forwarded, [("Forwarded", value)]) == "10.0.0.1")
  }

  @Test(
    "An address is included only if it is a trusted proxy's",
    arguments: [
      ("10.1.2.3", true), ("fd12::1", true), ("::ffff:10.1.2.3", true), ("11.0.0.1", false),
      ("fe80::1", false),
      ("localhost", false), ("", false),
    ])
  func included(_ address: String, _ isIncluded: Bool) throws {
    let proxies = TrustedProxies(try Self.ranges.map { try AddressRange($0) }, field: .forwarded)
    #expect(proxies.include(address) == isIncluded)
    #expect(!TrustedProxies.none.include(address))
  }
}
