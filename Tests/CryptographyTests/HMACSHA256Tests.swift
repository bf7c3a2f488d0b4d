import Cryptography
import Testing

@Suite("Codes by HMAC-SHA256")
struct HMACSHA256Tests {
  /// The first, second and sixth case of RFC 4231, with keys shorter and longer than a block.
  @Test(
    "are those of RFC 4231",
    arguments: [
      (
        Array(repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ] as [([UInt8], String, String)])
  func known(_ key: [UInt8], _ text: String, _ code: String) {
    #expect(Hexadecimal.text(of: HMACSHA256.code(of: Array(text.utf8), key: key)) == code)
  }

  @Test("are there for an empty key and for no bytes")
  func empty() {
    #expect(
      Hexadecimal.text(of: HMACSHA256.code(of: [1], key: []))
        == "3d7afb663124ecbf2c953f863d4fc8796eeb2d372b64aad58697ec5264649cdb")
    #expect(
      Hexadecimal.text(of: HMACSHA256.code(of: [], key: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  /// The first 32 bytes of the first and the third case of RFC 5869, appendix A.
  @Test(
    "make the keys of RFC 5869",
    arguments: [
      (
        Array(0...12), Array(0xf0...0xf9),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
      ),
      ([], [], "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"),
    ] as [([UInt8], [UInt8], String)])
  func derivation(_ salt: [UInt8], _ info: [UInt8], _ key: String) {
    let secret = [UInt8](repeating: 0x0b, count: 22)
    #expect(Hexadecimal.text(of: HMACSHA256.derivedKey(from: secret, salt: salt, info: info)) == key)
  }
}
