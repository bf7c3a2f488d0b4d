import Credentials
import TimeclockDomain

/// What operations work with: one for all of them, which every request points to.
final class APIContext: Sendable {
  let timeclock: Timeclock
  let passwords: PasswordHasher
  /// The digest of the operator's token; nil where organizations are created by command only.
  let operatorToken: TokenDigest?
  let edge: EdgeConfiguration
  /// Nil where nothing is limited.
  let rateLimiter: RateLimiter?
  let requestsInProgress = RequestsInProgress()
  let exportPlaces = OperationPlaces.forExports()
  let importPlaces = OperationPlaces.forImports()

  init(
    timeclock: Timeclock, passwords: PasswordHasher, operatorToken: TokenDigest?, edge: EdgeConfiguration
  ) {
    self.timeclock = timeclock
    self.passwords = passwords
    self.operatorToken = operatorToken
    self.edge = edge
    rateLimiter = edge.rateLimit.map(RateLimiter.init)
  }
}
