import Credentials
import TimeclockDomain

/// What operations work with.
struct APIContext: Sendable {
  let timeclock: Timeclock
  let passwords: PasswordHasher
  /// The digest of the operator's token; nil where organisations are created by command only.
  let operatorToken: TokenDigest?
  let edge: EdgeConfiguration
  /// Nil where nothing is limited.
  let rateLimiter: RateLimiter?
  let requestsInProgress = RequestsInProgress()
  let exportPlaces = ExportPlaces()
}
