import Cryptography
import Synchronization
import Threads
import TimeclockDomain

/// Hashes and checks passwords with scrypt (RFC 7914), on its own threads.
///
/// A hash is one line, `$scrypt$ln=15,r=8,p=3$SALT$HASH`, in the PHC string format. It carries its parameters, so they
/// can be raised without touching old hashes; a log-in replaces an old hash.
package final class PasswordHasher: Sendable {
  private let cost: ScryptCost
  private let pool: FairPool<HashingPlace>
  private let places = Places<HashingPlace>()
  private let placesOfPerson: Int
  private let placesOfGroup: Int
  /// The hash that an unknown account's password is checked against, so that the check takes as long as a known
  /// account's.
  private let decoy: PasswordHash
  private let hashes = Atomic(0)

  /// The number of hashes since the start that have been computed or wait to be.
  package var hashCount: Int { hashes.load(ordering: .relaxed) }

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - cost: The cost of new hashes.
  ///   - threadCount: The number of hashes that are computed at once; each takes `cost.memoryBytes`.
  ///   - queueLimit: The number of further hashes that may wait.
  ///   - placesOfPerson: The most hashes of one person that are computed or wait.
  ///   - placesOfGroup: The most hashes of one network or organization; half of all, so that a second one has as many.
  /// - Throws: `ThreadStartError`.
  package init(
    cost: ScryptCost = .standard, threadCount: Int = 2, queueLimit: Int = 32, placesOfPerson: Int = 2,
    placesOfGroup: Int = 16
  ) throws {
    self.cost = cost
    self.placesOfPerson = placesOfPerson
    self.placesOfGroup = placesOfGroup
    pool = try FairPool(name: "password-hash", threadCount: threadCount, queueLimit: queueLimit)
    decoy = ScryptHash(cost: cost, salt: Self.randomSalt(), hash: Array(repeating: 0, count: 32)).encoded
  }

  /// Hashes a new password.
  ///
  /// - Parameter obvious: As in `NewPasswordRules.check`.
  /// - Throws: The errors of `NewPasswordRules.check`; `TimeclockError.tooManyAtOnce` if too many passwords of the caller
  ///   are being hashed, `.unavailable` if too many of all callers are.
  package func hash(
    _ password: String, obvious: [String] = [], by caller: HashingCaller = .operator
  ) async throws -> PasswordHash {
    try NewPasswordRules.check(password, obvious: obvious)
    return try await anyHash(of: password, by: caller)
  }

  /// Hashes a password that was just verified with the current parameters, without the rules for new passwords; nil if
  /// the present hash already has them, or too many passwords are being hashed: a later log-in will do it.
  package func renewedHash(
    of password: String, insteadOf present: PasswordHash, by caller: HashingCaller = .operator
  ) async throws -> PasswordHash? {
    guard ScryptHash(present)?.cost != cost else { return nil }
    do {
      return try await anyHash(of: password, by: caller)
    } catch TimeclockError.unavailable, TimeclockError.tooManyAtOnce {
      return nil
    }
  }

  private func anyHash(of password: String, by caller: HashingCaller) async throws -> PasswordHash {
    let cost = cost
    return try await run(for: caller) {
      let salt = Self.randomSalt()
      return ScryptHash(cost: cost, salt: salt, hash: try cost.derive(from: password, salt: salt)).encoded
    }
  }

  /// Whether this is the password of the hash. The check takes the same time without a hash and for an overlong password.
  ///
  /// - Throws: `TimeclockError.tooManyAtOnce` if too many passwords of the caller are being checked, `.unavailable` if
  ///   too many of all callers are.
  package func isCorrect(
    _ password: String, for hash: PasswordHash?, by caller: HashingCaller = .operator
  ) async throws -> Bool {
    let expected = ScryptHash(hash ?? decoy) ?? ScryptHash(decoy)
    let isAllowed = hash != nil && password.utf8.count <= NewPasswordRules.allowedLength.upperBound
    let checked = isAllowed ? password : ""
    return try await run(for: caller) {
      guard let expected else { return false }
      let derived = try expected.cost.derive(from: checked, salt: expected.salt)
      return isAllowed && Self.isEqualInConstantTime(derived, expected.hash)
    }
  }

  /// Derives 32 bytes that are as hard to compute as a new hash.
  func derive(from secret: String, salt: [UInt8], by caller: HashingCaller) async throws -> [UInt8] {
    try await run(for: caller) { [cost] in try cost.derive(from: secret, salt: salt) }
  }

  private func run<Value: Sendable>(
    for caller: HashingCaller, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    // The person who runs the service is one person and one group.
    let person = (key: caller.person, most: placesOfPerson)
    let limits =
      caller.person == caller.group ? [person] : [person, (key: caller.group, most: placesOfGroup)]
    guard places.take(limits) == nil else { throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 1) }
    defer { places.giveBack(limits.map(\.key)) }
    do {
      // On a slow machine too, hashing leaves the database as much time.
      return try await StorageDeadline.suspended {
        hashes.add(1, ordering: .relaxed)
        return try await pool.run(for: caller.group, work)
      }
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 2)
    }
  }

  static func randomSalt() -> [UInt8] {
    RandomBytes.make(16)
  }

  private static func isEqualInConstantTime(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
