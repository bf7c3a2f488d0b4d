import Cryptography
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "are those of FIPS 180's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(_ text: String, _ digest: String) {
    #expect(Hexadecimal.text(of: SHA256.hash(Array(text.utf8))) == digest)
  }

  @Test("of parts are those of the whole, wherever it is cut")
  func parts() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for cut in [0, 1, 55, 64, 65, 199, 200] {
      var hash = SHA256()
      hash.update(Array(bytes.prefix(cut)))
      bytes.dropFirst(cut).withUnsafeBytes { hash.update($0) }
      #expect(hash.finalize() == SHA256.hash(bytes))
    }
    #expect(SHA256().finalize() == SHA256.hash([]))
  }

  @Test("are computed by many threads at once")
  func threads() async {
    let expected = SHA256.hash([1, 2, 3])
    let digests = await withTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1_000).map { _ in SHA256.hash([1, 2, 3]) } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(digests == Array(repeating: expected, count: 8_000))
  }

  @Test("of SHA-1 are those of FIPS 180's examples")
  func sha1() {
    #expect(
      Hexadecimal.text(of: SHA1.hash(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
  }
}
