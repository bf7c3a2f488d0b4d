import Cryptography
import Testing
import TimeclockDomain

@testable import Credentials

@Suite("Bearer tokens")
struct BearerTokenTests {
  @Test("Every token is another one of 64 lower-case hexadecimal characters")
  func form() {
    let tokens = (0..<100).map { _ in BearerToken().text }
    #expect(Set(tokens).count == tokens.count)
    for token in tokens {
      #expect(token.utf8.count == 64)
      #expect(token.allSatisfy { "0123456789abcdef".contains($0) })
    }
  }

  @Test("The digest of a token is its SHA-256")
  func digest() {
    // The digest of "abc" is the example of FIPS 180-4.
    #expect(
      Hexadecimal.text(of: BearerToken.digest(of: "abc").bytes)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}

@Suite("Password hashes")
struct PasswordHasherTests {
  private let hasher: PasswordHasher

  init() throws {
    hasher = try PasswordHasher(cost: .minimal, threadCount: 1)
  }

  @Test("A hash accepts its password and no other")
  func checks() async throws {
    let hash = try await hasher.hash("correct horse")
    #expect(try await hasher.isCorrect("correct horse", for: hash))
    #expect(try await !hasher.isCorrect("correct horsf", for: hash))
    #expect(try await !hasher.isCorrect("", for: hash))
    #expect(try await !hasher.isCorrect("correct horse", for: nil))
    #expect(try await !hasher.isCorrect("correct horse", for: PasswordHash(text: "no hash")))
  }

  @Test("Hashing takes no time from work that waits for the storage")
  func deadline() async throws {
    let deadline = StorageDeadline(.seconds(5))
    let end = deadline.end
    let start = ContinuousClock.now
    try await StorageDeadline.$current.withValue(deadline) {
      _ = try await hasher.isCorrect("correct horse", for: hasher.hash("correct horse"))
    }
    #expect(deadline.end > end)
    #expect(deadline.end - end <= .now - start)
  }

  @Test("The same password gets a different hash each time")
  func salts() async throws {
    let first = try await hasher.hash("correct horse")
    let second = try await hasher.hash("correct horse")
    #expect(first != second)
  }

  @Test("A hash keeps its own parameters when the standard is raised")
  func keepsParameters() async throws {
    let hash = try await hasher.hash("correct horse")
    #expect(hash.text.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
    let stronger = try PasswordHasher(
      cost: #require(ScryptCost(logarithmOfRounds: 5, blockSize: 2, parallelism: 2)), threadCount: 1)
    #expect(try await stronger.isCorrect("correct horse", for: hash))
  }

  @Test("A hash with other parameters is replaced, also for a password that new rules would refuse")
  func renewed() async throws {
    let present = try await hasher.hash("correct horse")
    #expect(try await hasher.renewedHash(of: "correct horse", insteadOf: present) == nil)
    let stronger = try PasswordHasher(
      cost: #require(ScryptCost(logarithmOfRounds: 5, blockSize: 2, parallelism: 2)), threadCount: 1)
    for password in ["correct horse", "short", "password"] {
      let renewed = try #require(try await stronger.renewedHash(of: password, insteadOf: present))
      #expect(renewed.text.hasPrefix("$scrypt$ln=5,r=2,p=2$"))
      #expect(try await stronger.isCorrect(password, for: renewed))
      #expect(try await stronger.renewedHash(of: password, insteadOf: renewed) == nil)
    }
    // A full queue stops no log-in: the hash is just not replaced.
    let full = try PasswordHasher(cost: .standard, threadCount: 1, queueLimit: 0)
    #expect(try await full.renewedHash(of: "correct horse", insteadOf: present) == nil)
  }

  @Test("Each hashed or checked password counts as one hash, and a refused one as none")
  func count() async throws {
    let hash = try await hasher.hash("correct horse")
    #expect(hasher.hashCount == 1)
    for (password, hash) in [("correct horse", hash), ("wrong", hash), ("wrong", nil)] {
      let before = hasher.hashCount
      _ = try await hasher.isCorrect(password, for: hash)
      #expect(hasher.hashCount == before + 1)
    }
    await #expect(throws: TimeclockError.passwordTooCommon) { try await hasher.hash("password") }
    #expect(hasher.hashCount == 4)
  }

  @Test(
    "Only passwords of 8 to 1024 bytes are hashed",
    arguments: [(7, false), (8, true), (1_024, true), (1_025, false)])
  func lengths(_ length: Int, _ isAllowed: Bool) async throws {
    let password = String((0..<length).map { Character(Unicode.Scalar(UInt8(0x21 + $0 * $0 % 89))) })
    if isAllowed {
      let hash = try await hasher.hash(password)
      #expect(try await hasher.isCorrect(password, for: hash))
    } else {
      await #expect(throws: TimeclockError.invalidPassword) { try await hasher.hash(password) }
    }
  }

  @Test("Hashing is unavailable while too many passwords wait")
  func queueLimit() async throws {
    let full = try PasswordHasher(cost: .minimal, threadCount: 1, queueLimit: 0)
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 2)) {
      try await full.hash("correct horse")
    }
  }

  @Test("A caller without a free place is refused, while other callers are served")
  func places() async throws {
    for (ofPerson, ofGroup) in [(0, 1), (1, 0)] {
      let hasher = try PasswordHasher(
        cost: .minimal, threadCount: 1, placesOfPerson: ofPerson, placesOfGroup: ofGroup)
      let caller = HashingCaller.logIn(
        LogInAttempt(email: "ana@x.example", from: ClientNetwork(address: "192.0.2.1")))
      let refusal = TimeclockError.tooManyAtOnce(retryAfterSeconds: 1)
      await #expect(throws: refusal) { try await hasher.hash("correct horse", by: caller) }
      await #expect(throws: refusal) { try await hasher.isCorrect("", for: nil, by: caller) }
      await #expect(throws: refusal) { try await hasher.proof(ofRequest: [1], by: caller) }
      let present = PasswordHash(text: "of other parameters")
      #expect(try await hasher.renewedHash(of: "correct horse", insteadOf: present, by: caller) == nil)
      #expect(hasher.hashCount == 0)
    }
    // A place is given back whether the work succeeds or fails.
    let one = try PasswordHasher(cost: .minimal, threadCount: 1, placesOfPerson: 1, placesOfGroup: 1)
    for _ in 0..<3 { #expect(try await !one.isCorrect("wrong", for: nil)) }
  }

  @Test("The proof of a request without a password takes no hashing")
  func quickProof() async throws {
    let proof = RequestProof(ofRequest: [1, 2, 3])
    let salt = try #require(proof.salt)
    #expect(salt.count == 16)
    let again = try #require(RequestProof(ofRequest: [1, 2, 3], keptSalt: salt))
    #expect(again.fingerprint == proof.fingerprint)
    #expect(try again.open(proof.seal([7, 8])) == [7, 8])
    let other = try #require(RequestProof(ofRequest: [1, 2, 4], keptSalt: salt))
    #expect(other.fingerprint != proof.fingerprint)
    #expect(throws: (any Error).self) { try other.open(proof.seal([7, 8])) }
    #expect(RequestProof(ofRequest: [1, 2, 3]).fingerprint != proof.fingerprint)
    // The proof of a request with a password stays slow to make, and so do the proofs that earlier versions kept.
    let slow = try await hasher.proof(ofRequest: [1, 2, 3], salt: Array(repeating: 9, count: 16))
    #expect(try RequestProof(ofRequest: [1, 2, 3], keptSalt: #require(slow.salt)) == nil)
  }

  @Test("A key is derived as RFC 7914 says")
  func knownAnswer() throws {
    // The second test vector of RFC 7914, section 12.
    let cost = try #require(ScryptCost(logarithmOfRounds: 10, blockSize: 8, parallelism: 16))
    let key = try cost.derive(from: "password", salt: Array("NaCl".utf8))
    #expect(
      Hexadecimal.text(of: key) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
  }

  @Test("A hash that an earlier version stored, built with BoringSSL, accepts its password and no other")
  func stored() async throws {
    let hash = PasswordHash(
      text: "$scrypt$ln=15,r=8,p=3$RR6bT0Yem1X7eKf7tFgAZg==$b+o3p0PP7OjDURbUEOX/vxP/HCUGjrFd1bLzl4bFt44=")
    #expect(try await hasher.isCorrect("correct hörse", for: hash))
    #expect(try await !hasher.isCorrect("correct horse", for: hash))
  }

  @Test("Answers that an earlier version sealed, built with BoringSSL, are opened by the same proofs")
  func storedAnswers() async throws {
    let digest = Array(0..<32 as Range<UInt8>)
    let answer = Array(#"{"token":"é"}"#.utf8)
    let quick = try #require(RequestProof(ofRequest: digest, keptSalt: [0, 0, 0, 0] + Array(1...12)))
    #expect(
      Hexadecimal.text(of: quick.fingerprint)
        == "3e794a053a92b737bc967bba714ad10c1195cdcd7ca2c2767a2d476fae2c99f5")
    #expect(
      try quick.open(
        Self.bytes(
          "c58920df37233e9e93c34e8d14e9c20807da5296191b715dd97a4b21b625b8efa2e2e0337979015aab40")) == answer)
    let slow = try await hasher.proof(ofRequest: digest, salt: Array(1...16))
    #expect(
      Hexadecimal.text(of: slow.fingerprint)
        == "24d7a105b66a0cf96fc3062d4a543c766401c5b779a6c5ba173555b44a539656")
    #expect(
      try slow.open(
        Self.bytes(
          "6c530dc9592fc286e33d709ddeb7e1afd0a5041ff8c59fbe01e3ff02bfc5e566a26125a8e4f1e00ace16")) == answer)
    #expect(try slow.open(Self.bytes("f6ef0f388893189c90adb65660eacd30788622162ea24854d4d4004f")) == [])
    for damaged in [[], Array(repeating: 0 as UInt8, count: 40)] {
      #expect(throws: CryptographyError.self) { try slow.open(damaged) }
    }
  }

  /// The bytes of hexadecimal digits.
  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test("Text whose parameters would need too much memory is not a hash")
  func refusesParameters() {
    #expect(ScryptCost(logarithmOfRounds: 20, blockSize: 8, parallelism: 1) == nil)
    #expect(ScryptCost(logarithmOfRounds: 0, blockSize: 8, parallelism: 1) == nil)
    #expect(ScryptHash(PasswordHash(text: "$scrypt$ln=64,r=8,p=1$AAAA$AAAA")) == nil)
  }
}
