import Cryptography

/// The work that a password hash takes (RFC 7914, section 2).
package struct ScryptCost: Hashable, Sendable {
  /// The exponent of N, the count of rounds: 2 to this power.
  package let logarithmOfRounds: Int
  /// The block size r; a block has 128 times this many bytes.
  package let blockSize: Int
  /// The parallelization p.
  package let parallelism: Int

  /// Makes a cost; nil for parameters that scrypt cannot take or that would need more than 256 MiB.
  package init?(logarithmOfRounds: Int, blockSize: Int, parallelism: Int) {
    guard (1...20).contains(logarithmOfRounds), (1...32).contains(blockSize),
      (1...16).contains(parallelism), 128 * blockSize << logarithmOfRounds <= 256 << 20
    else { return nil }
    self.init(checkedLogarithmOfRounds: logarithmOfRounds, blockSize: blockSize, parallelism: parallelism)
  }

  private init(checkedLogarithmOfRounds: Int, blockSize: Int, parallelism: Int) {
    logarithmOfRounds = checkedLogarithmOfRounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// N = 2^15, r = 8, p = 3: as strong by OWASP's table as N = 2^17 with p = 1, in 32 MiB instead of 128.
  package static let standard = ScryptCost(checkedLogarithmOfRounds: 15, blockSize: 8, parallelism: 3)

  /// Next to no work, for tests.
  package static let minimal = ScryptCost(checkedLogarithmOfRounds: 4, blockSize: 1, parallelism: 1)

  /// The memory that one computation holds while it runs.
  package var memoryBytes: Int { 128 * blockSize << logarithmOfRounds }

  /// Derives 32 bytes from the password and the salt.
  func derive(from password: String, salt: [UInt8]) throws -> [UInt8] {
    try Scrypt.derivedKey(
      from: password, salt: salt, rounds: 1 << logarithmOfRounds, blockSize: blockSize,
      parallelism: parallelism)
  }
}
