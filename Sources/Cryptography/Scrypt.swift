import CCrypto

/// Keys that take long to derive from a password (scrypt, RFC 7914).
package enum Scrypt {
  /// Derives 32 bytes (EVP_PBE_scrypt(3)). It takes about `128 * blockSize * rounds` bytes of memory while it runs.
  ///
  /// - Parameters:
  ///   - rounds: The cost N, a power of 2. `ScryptCost` keeps all three small enough to be multiplied.
  ///   - blockSize: The block size r.
  ///   - parallelism: The parallelization p.
  /// - Throws: `CryptographyError` for parameters that scrypt cannot take, or for want of memory.
  package static func derivedKey(
    from password: String, salt: [UInt8], rounds: Int, blockSize: Int, parallelism: Int
  ) throws(CryptographyError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
    // All that it takes with these: libcrypto refuses more than 32 MiB that were not asked for.
    let byteCount = 128 * blockSize * (rounds + parallelism + 2)
    guard
      EVP_PBE_scrypt(
        password, password.utf8.count, salt, salt.count, UInt64(rounds), UInt64(blockSize),
        UInt64(parallelism), UInt64(byteCount), &key, key.count) == 1
    else { throw .latest }
    return key
  }
}
