import CCrypto

/// A failure of libcrypto.
package struct CryptographyError: Error {
  /// The reason in libcrypto's words.
  let reason: String

  /// The first failure that this thread has not asked for yet; takes note that all are known (ERR_get_error(3)).
  static var latest: CryptographyError {
    defer { ERR_clear_error() }
    guard let reason = ERR_reason_error_string(ERR_get_error()) else {
      return CryptographyError(reason: "libcrypto gives no reason")
    }
    return CryptographyError(reason: String(cString: reason))
  }
}
