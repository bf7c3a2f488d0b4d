import Testing
import TimeclockDomain

@Suite("Instants as a clock on the wall shows them")
struct LocalInstantTests {
  @Test(
    "have the date and the time at the offset, and the offset",
    arguments: [
      ("2026-10-25T00:30:00Z", 7_200, "2026-10-25 02:30:00+02:00"),
      ("2026-10-25T01:30:00.999Z", 3_600, "2026-10-25 02:30:00+01:00"),
      ("2026-12-31T23:59:59Z", 20_700, "2027-01-01 05:44:59+05:45"),
      ("2026-01-01T00:00:00Z", -12_600, "2025-12-31 20:30:00-03:30"),
      ("2026-06-01T12:00:00Z", 0, "2026-06-01 12:00:00+00:00"),
      ("1969-12-31T23:59:59.001Z", 0, "1969-12-31 23:59:59+00:00"),
      ("1910-01-01T00:00:00Z", 3_208, "1910-01-01 00:53:28+00:53:28"),
      ("1960-01-01T00:00:00Z", -2_670, "1959-12-31 23:15:30-00:44:30"),
    ] as [(String, Int32, String)])
  func local(_ text: String, _ offsetSeconds: Int32, _ written: String) throws {
    var bytes: [UInt8] = []
    try #require(Instant(rfc3339: text)).appendLocal(offsetSeconds: offsetSeconds, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == written)
  }
}
