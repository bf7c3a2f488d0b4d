import Crypto
import CryptoExtras
import FoundationEssentials
import Synchronization
import Threads
import TimeclockDomain

/// Hashes and checks passwords with scrypt (RFC 7914), on threads of its own.
///
/// A hash is one line, `$scrypt$ln=15,r=8,p=3$SALT$HASH`, in the form of the PHC string format; it carries its
/// parameters, so that they can be raised without touching old hashes; a log-in makes an old one anew.
package final class PasswordHasher: Sendable {
  private let cost: ScryptCost
  private let pool: BlockingPool
  /// What an unknown account's password is checked against, so that it takes as long as a known one's.
  private let decoy: PasswordHash
  private let hashes = Atomic(0)

  /// How many hashes were computed or are waiting to be, since the start.
  package var hashCount: Int { hashes.load(ordering: .relaxed) }

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - cost: For new hashes.
  ///   - threadCount: How many hashes are computed at once; each takes `cost.memoryBytes`.
  ///   - queueLimit: How many more may wait.
  /// - Throws: `ThreadStartError`.
  package init(cost: ScryptCost = .standard, threadCount: Int = 2, queueLimit: Int = 32) throws {
    self.cost = cost
    pool = try BlockingPool(name: "password-hash", threadCount: threadCount, queueLimit: queueLimit)
    decoy = ScryptHash(cost: cost, salt: Self.randomSalt(), hash: Array(repeating: 0, count: 32)).encoded
  }

  /// The hash of a new password.
  ///
  /// - Parameter obvious: As in `NewPasswordRules.check`.
  /// - Throws: What `NewPasswordRules.check` throws; `TimeclockError.unavailable` when too many are being hashed.
  package func hash(_ password: String, obvious: [String] = []) async throws -> PasswordHash {
    try NewPasswordRules.check(password, obvious: obvious)
    return try await anyHash(of: password)
  }

  /// A hash by today's parameters of a password that was just found right, by whatever rule it was chosen; nil where the
  /// present hash has them already, or too many are being hashed: there are other log-ins to do it.
  package func renewedHash(of password: String, insteadOf present: PasswordHash) async throws -> PasswordHash?
  {
    guard ScryptHash(present)?.cost != cost else { return nil }
    do {
      return try await anyHash(of: password)
    } catch TimeclockError.unavailable {
      return nil
    }
  }

  private func anyHash(of password: String) async throws -> PasswordHash {
    let cost = cost
    return try await run {
      let salt = Self.randomSalt()
      return ScryptHash(cost: cost, salt: salt, hash: try cost.derive(from: password, salt: salt)).encoded
    }
  }

  /// Whether this is the password of the hash. Takes as long for no hash at all, and for an overlong password.
  ///
  /// - Throws: `TimeclockError.unavailable` when too many are being checked.
  package func isCorrect(_ password: String, for hash: PasswordHash?) async throws -> Bool {
    let expected = ScryptHash(hash ?? decoy) ?? ScryptHash(decoy)
    let isAllowed = hash != nil && password.utf8.count <= NewPasswordRules.allowedLength.upperBound
    let checked = isAllowed ? password : ""
    return try await run {
      guard let expected else { return false }
      let derived = try expected.cost.derive(from: checked, salt: expected.salt)
      return isAllowed && Self.isEqualInConstantTime(derived, expected.hash)
    }
  }

  /// 32 bytes, as hard to compute as a new hash.
  func derive(from secret: String, salt: [UInt8]) async throws -> [UInt8] {
    try await run { [cost] in try cost.derive(from: secret, salt: salt) }
  }

  private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    do {
      // A slow machine's hashing leaves no less time for the database.
      return try await StorageDeadline.suspended {
        hashes.add(1, ordering: .relaxed)
        return try await pool.run(work)
      }
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 2)
    }
  }

  static func randomSalt() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes(Array.init)
  }

  private static func isEqualInConstantTime(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
