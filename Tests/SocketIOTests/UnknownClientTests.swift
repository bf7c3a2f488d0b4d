import SocketIO
import Testing

@Suite("A client of whom it is not known who it is")
struct UnknownClientTests {
  @Test("brings 4 KiB and no byte more")
  func bytes() {
    var client = UnknownClient()
    let taken = (client.take(byteCount: 4_000), client.take(byteCount: 96), client.take(byteCount: 1))
    #expect(taken == (true, true, false))
  }

  @Test("brings a handful of packets, one of which says who it is")
  func packets() {
    var client = UnknownClient()
    let taken = (0..<UnknownClient.packetLimit).map { _ in client.takePacket() }
    #expect(!taken.contains(false))
    let another = client.takePacket()
    #expect(!another)
    let attempts = (client.takeAttempt(), client.takeAttempt())
    #expect(attempts == (true, false))
  }
}

@Suite("The packets of a known client")
struct PacketRateTests {
  @Test("have an effect up to a number in a second, and end the connection if they are without measure")
  func second() {
    var rate = PacketRate()
    let judgments = (1...101).map { _ in rate.take(at: 1_999) }
    #expect(judgments[..<20].allSatisfy { $0 == .taken })
    #expect(judgments[20..<100].allSatisfy { $0 == .refused })
    #expect(judgments[100] == .over)
    let next = rate.take(at: 2_000)
    #expect(next == .taken)
  }
}
