import Testing
import TimeclockDomain

@Suite("The network that a client is in")
struct ClientNetworkTests {
  @Test(
    "is its IPv4 address, or the first half of its IPv6 address",
    arguments: [
      ("203.0.113.7", "203.0.113.7"), ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
      ("2001:DB8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
      ("::ffff:203.0.113.7", "203.0.113.7"), ("::ffff:cb00:7107", "203.0.113.7"),
    ])
  func text(_ address: String, _ expected: String) {
    #expect(ClientNetwork(address: address).text == expected)
  }

  @Test(
    "is unknown if there is no address",
    arguments: [nil, "", "%", "here", "203.0.113", "1.2.3.4.5", "::1::"])
  func unknown(_ address: String?) {
    #expect(ClientNetwork(address: address).text == "unknown")
  }
}
