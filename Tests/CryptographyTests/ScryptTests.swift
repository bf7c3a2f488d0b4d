import Cryptography
import Testing

@Suite("Keys by scrypt")
struct ScryptTests {
  /// Keys that BoringSSL, which earlier versions were built with, derived from the same password, salt and cost: the least
  /// and the greatest memory that a stored hash may ask for, and more than the 32 MiB that libcrypto allows by itself.
  @Test(
    "are those of hashes that earlier versions stored",
    arguments: [
      (4, 1, 1, "ea5525314715a0316707582c8d9235a8eb1a49471bb91fc646d38405b64e4826"),
      (5, 2, 2, "95b9b0391c6eba6ea85e0105147e3daeda2ca0843187c69d8c83ee614be0cab2"),
      (15, 1, 1, "511689ab0e42fc0a6b3d127a55835ee347e6088095b0326cb01466d51741f745"),
      (13, 32, 16, "3215eb9a7a0d41c62b907352ad5fe1e55697020df99e203fa44eb762ea436073"),
      (18, 8, 1, "f06115332c25ff1ab5dc08044b0d7543e0a7eddec4ad2f55ec7a72dcc23e5369"),
    ])
  func stored(_ logarithm: Int, _ blockSize: Int, _ parallelism: Int, _ key: String) throws {
    let derived = try Scrypt.derivedKey(
      from: "correct hörse", salt: Array("0123456789abcdef".utf8), rounds: 1 << logarithm,
      blockSize: blockSize,
      parallelism: parallelism)
    #expect(Hexadecimal.text(of: derived) == key)
  }

  @Test("are there for no password and no salt, as RFC 7914 has them")
  func empty() throws {
    let key = try Scrypt.derivedKey(from: "", salt: [], rounds: 16, blockSize: 1, parallelism: 1)
    // The first half of the 64 bytes of section 12.
    #expect(
      Hexadecimal.text(of: key) == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442")
  }

  @Test("differ behind a zero byte of the password")
  func zeros() throws {
    func key(_ password: String) throws -> [UInt8] {
      try Scrypt.derivedKey(from: password, salt: [1], rounds: 16, blockSize: 1, parallelism: 1)
    }
    #expect(try key("a\0b") != key("a\0c"))
  }

  @Test("are refused for rounds that the block size does not allow, and that are no power of 2")
  func refusals() {
    for (rounds, blockSize) in [(1 << 16, 1), (3, 1), (16, 0)] {
      #expect(throws: CryptographyError.self) {
        try Scrypt.derivedKey(from: "", salt: [], rounds: rounds, blockSize: blockSize, parallelism: 1)
      }
    }
  }
}
