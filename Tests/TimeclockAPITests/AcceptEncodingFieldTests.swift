import Testing

@testable import TimeclockAPI

@Suite("Accept-Encoding")
struct AcceptEncodingFieldTests {
  @Test(
    "Gzip is sent to a client that takes it, and does not like content as it is better",
    arguments: [
      "gzip", "GZIP", "x-gzip", "gzip, deflate, br, zstd", "br;q=1, gzip;q=0.001", "*", "*;q=0.1",
      "deflate, *",
      "gzip;q=0.5, identity;q=0.5", "identity;q=0, gzip", "identity;q=0, *", "gzip ; q=1.000", ",gzip,",
      "gzip, gzip;q=0", "identity;q=x, gzip;q=0.1",
    ])
  func gzip(_ line: String) {
    #expect(AcceptEncodingField([line]).prefersGzip)
  }

  @Test(
    "Content is sent as it is to every other client",
    arguments: [
      "", "identity", "br", "deflate, zstd", "gzip;q=0", "gzip;q=0.000, *", "x-gzip;q=0, *", "*;q=0",
      "gzip;q=0, gzip",
      "gzip;q=0.5, identity", "*;q=0.5, identity;q=0.6", "gzip;q=2", "gzip;q=", "gzipped", "\"gzip\"",
    ])
  func plain(_ line: String) {
    #expect(!AcceptEncodingField([line]).prefersGzip)
    #expect(!AcceptEncodingField([]).prefersGzip)
  }

  @Test("Several lines of the field are one list")
  func lines() {
    #expect(AcceptEncodingField(["br", "gzip"]).prefersGzip)
    #expect(!AcceptEncodingField(["gzip;q=0", "*"]).prefersGzip)
  }
}
