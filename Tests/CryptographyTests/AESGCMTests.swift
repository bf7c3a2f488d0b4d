import Cryptography
import Testing

@Suite("Sealing by AES-GCM")
struct AESGCMTests {
  private static let key = Array(0..<32 as Range<UInt8>)

  @Test("is opened by the same key", arguments: [0, 1, 16, 1_000])
  func sealed(_ count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    let sealed = try AESGCM.seal(bytes, key: Self.key)
    #expect(sealed.count == count + 28)
    #expect(try AESGCM.open(sealed, key: Self.key) == bytes)
    #expect(try AESGCM.seal(bytes, key: Self.key) != sealed)
  }

  @Test("is opened with no other key, and with no byte changed")
  func changed() throws {
    let sealed = try AESGCM.seal([1, 2, 3], key: Self.key)
    for index in sealed.indices {
      var other = sealed
      other[index] ^= 1
      #expect(throws: CryptographyError.self) { try AESGCM.open(other, key: Self.key) }
    }
    for other in [[], Array(sealed.prefix(27)), Array(sealed.dropLast())] {
      #expect(throws: CryptographyError.self) { try AESGCM.open(other, key: Self.key) }
    }
    #expect(throws: CryptographyError.self) { try AESGCM.open(sealed, key: Self.key.reversed()) }
    for key in [[], Array(Self.key.dropLast())] {
      #expect(throws: CryptographyError.self) { try AESGCM.open(sealed, key: key) }
      #expect(throws: CryptographyError.self) { try AESGCM.seal([], key: key) }
    }
  }
}
