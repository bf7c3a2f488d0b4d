import Testing

@testable import HTTPMessages

@Suite("An IP address")
struct IPAddressTests {
  @Test(
    "An address has one form, however it is written",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
      ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
      ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
      ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
      // RFC 5952, sections 4.2.2 and 4.2.3.
      ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
      ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("::1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
      ("fe80:0:0:0:1::", "fe80::1:0:0:0"), ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
    ])
  func form(_ text: String, _ expected: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == expected)
    #expect(IPAddress(expected) == address)
    #expect(address.isIPv4 == !expected.contains(":"))
  }

  @Test(
    "Any other text is not an address",
    arguments: [
      "", " ", "192.0.2", "192.0.2.1.", "192.0.2.1.2", "192.0.2.256", "192.0.2.01", "192.0.2.1 ",
      "1.2.3.4:80",
      "0x7f.0.0.1", "2130706433", "１.2.3.4", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
      "1::2::3", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::", "[::1]", "fe80::1%eth0",
      "::1/64",
      "1:2:3:4:5:6:7:192.0.2.1", "::192.0.2.1:1", "1:", "::ffff:192.0.2.256", "unknown", "localhost",
      String(repeating: "1", count: 40), String(repeating: ":1", count: 4_000),
    ])
  func refuses(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test("An address of random bits is read from its form")
  func roundTrip() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      // Groups of 0 are frequent, so that runs of them are too.
      let bits = (0..<8).reduce(UInt128(0)) { bits, _ in
        bits << 16
          | UInt128(Bool.random(using: &random) ? 0 : UInt16.random(in: 0...UInt16.max, using: &random))
      }
      let address = IPAddress(bits: bits)
      #expect(IPAddress(address.description) == address)
    }
  }
}

@Suite("A range of addresses")
struct AddressRangeTests {
  @Test(
    "A range holds the addresses of its prefix and no others",
    arguments: [
      (
        "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
        ["9.255.255.255", "11.0.0.0", "::10.0.0.1"]
      ),
      ("192.0.2.1", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]),
      ("192.0.2.1/32", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]),
      ("128.0.0.0/1", ["255.0.0.1"], ["127.255.255.255"]),
      (
        "2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "2001:db7:ffff::", "32.1.13.184"]
      ),
      ("::1", ["::1"], ["::", "::2", "127.0.0.1"]),
      ("::ffff:10.0.0.0/104", ["10.9.9.9"], ["11.0.0.0"]),
      ("fc00::/7", ["fdff::"], ["fe00::"]),
    ])
  func contains(_ text: String, _ inside: [String], _ outside: [String]) throws {
    let range = try AddressRange(text)
    for address in inside { #expect(range.contains(try #require(IPAddress(address))), "\(address)") }
    for address in outside { #expect(!range.contains(try #require(IPAddress(address))), "\(address)") }
  }

  @Test(
    "A range that is not valid is refused with its reason",
    arguments: [
      ("10.0.0.1/8", .bitsBehindPrefix), ("2001:db8::1/32", .bitsBehindPrefix), ("0.0.0.0/0", .everyAddress),
      ("::/0", .everyAddress), ("10.0.0.0/33", .malformed), ("::/129", .malformed), ("10.0.0.0/", .malformed),
      ("10.0.0.0/+8", .malformed), ("10.0.0.0/8/8", .malformed), ("/8", .malformed), ("", .malformed),
      ("10.0.0.0/255.0.0.0", .malformed), ("localhost", .malformed), ("10.0.0.0/0008", .malformed),
    ] as [(String, AddressRange.Fault)])
  func refuses(_ text: String, _ fault: AddressRange.Fault) {
    #expect(throws: fault) { try AddressRange(text) }
  }
}
