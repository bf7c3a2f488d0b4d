import Testing

@testable import timeclock

@Suite("The address of the listener for metrics")
struct MetricsAddressTests {
  @Test(
    "is a host and a port",
    arguments: [
      ("127.0.0.1:9464", "127.0.0.1", 9464), ("[::1]:1", "::1", 1), ("localhost:0", "localhost", 0),
    ]
  )
  func valid(_ text: String, _ host: String, _ port: UInt16) throws {
    let address = try MetricsAddress(text)
    #expect(address.host == host && address.port == port)
  }

  @Test(
    "is refused as anything else",
    arguments: ["", "9464", ":9464", "127.0.0.1", "::1:9464", "a:65536", "a:", "[]:1"])
  func invalid(_ text: String) {
    #expect(throws: CommandError.self) { try MetricsAddress(text) }
  }
}
