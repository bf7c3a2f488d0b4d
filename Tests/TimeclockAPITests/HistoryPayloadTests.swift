import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Shares of a history")
struct HistoryPayloadTests {
  @Test(
    "are numbers of at most four decimals",
    arguments: [
      (0, "0"), (1, "0.0001"), (10, "0.001"), (333, "0.0333"), (3_333, "0.3333"), (5_000, "0.5"),
      (9_999, "0.9999"),
      (10_000, "1"), (12_340, "1.234"),
    ] as [(Int64, String)])
  func share(_ count: Int64, _ expected: String) {
    var writer = JSONWriter()
    writer.tenThousandths(count)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }
}
