import Glibc
import HTTPMessages
import Testing

@testable import Delivery

@Suite("Addresses of webhooks")
struct ReachableAddressTests {
  @Test(
    "are not those of this machine, of its networks, or of nobody",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
      "127.9.9.9",
      "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.1.1.1", "240.0.0.1",
      "255.255.255.255",
      "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
      "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
      "2002:7f00:1::",
      "3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
    ])
  func special(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(!ReachableAddresses(allowing: []).contain(address))
  }

  @Test(
    "are those of the Internet",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
      "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
      "223.255.255.255", "::ffff:1.1.1.1", "2606:4700::1111", "2a00::1", "2003::1",
    ])
  func global(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(ReachableAddresses(allowing: []).contain(address))
  }

  @Test("are besides those that the operator allows, and no neighbors of these")
  func allowed() throws {
    let addresses = ReachableAddresses(allowing: [
      try AddressRange("127.0.0.1"), try AddressRange("10.20.0.0/16"), try AddressRange("fd00::/8"),
    ])
    for text in ["127.0.0.1", "::ffff:127.0.0.1", "10.20.255.255", "fd12::1"] {
      #expect(addresses.contain(try #require(IPAddress(text))), "\(text)")
    }
    for text in ["127.0.0.2", "10.21.0.0", "fc00::1", "::1"] {
      #expect(!addresses.contain(try #require(IPAddress(text))), "\(text)")
    }
  }

  @Test(
    "are refused in any spelling, before anything is looked up",
    arguments: [
      "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1", "127.0.0.1.", "localhost",
      "localhost.", "a.localhost", "0", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1",
      "::127.0.0.1",
    ])
  func literal(_ host: String) throws {
    #expect(ReachableAddresses(allowing: []).refused(host) != nil)
    let own = [try AddressRange("127.0.0.0/8"), try AddressRange("10.0.0.0/8")]
    let isOwn = !["0", "169.254.169.254", "::1", "fd00::1", "::127.0.0.1"].contains(host)
    #expect((ReachableAddresses(allowing: own).refused(host) == nil) == isOwn)
  }

  @Test(
    "are left to the attempt if they are of the Internet, or a name stands for them",
    arguments: [
      "1.1.1.1", "2606:4700::1111", "payroll.example", "localhost.example", "intranet", "10.0.0.1.example",
    ])
  func name(_ host: String) {
    #expect(ReachableAddresses(allowing: []).refused(host) == nil)
  }

  @Test(
    "are read out of what a socket has",
    arguments: [("203.0.113.9", AF_INET), ("2001:db8::17:1", AF_INET6), ("::ffff:10.1.2.3", AF_INET6)])
  func sockets(_ text: String, _ family: Int32) throws {
    var found: IPAddress?
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      #expect(inet_pton(AF_INET, text, &address.sin_addr) == 1)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { found = IPAddress($0) }
      }
    } else {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      #expect(inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { found = IPAddress($0) }
      }
    }
    #expect(found == IPAddress(text))
  }

  @Test(
    "have no reserved names",
    arguments: [
      ("payroll.example", true), ("example", true), ("a.test", true), ("x.invalid.", true),
      ("hooks.example.com", true), ("example.org", true), ("notexample.com", false), ("example.de", false),
      ("test.example.de", false), ("localhost", false), ("1.1.1.1", false),
    ])
  func names(_ name: String, _ isReserved: Bool) {
    #expect(ReachableAddresses.isReserved(name) == isReserved)
  }
}
