import Credentials
import Procedures
import TimeclockDomain

/// The services and settings that operations use. All operations share one, and every request points to it.
final class APIContext: Sendable {
  let timeclock: Timeclock
  let passwords: PasswordHasher
  /// The digest of the operator's token; nil if organizations are created by command only.
  let operatorToken: TokenDigest?
  /// The program's version.
  let version: String
  let edge: EdgeConfiguration
  /// The rate limiter; nil if nothing is limited.
  let rateLimiter: RateLimiter?
  let requestsInProgress = RequestsInProgress()
  let exportPlaces = OperationPlaces.forExports()
  let importPlaces = OperationPlaces.forImports()
  let timerListPlaces = OperationPlaces.forTimerLists()
  let pingPlaces = OperationPlaces.forPings()
  let liveFeeds: LiveFeeds
  /// Sends the messages by which admins try a webhook.
  let pings: any WebhookSending

  init(
    timeclock: Timeclock, passwords: PasswordHasher, operatorToken: TokenDigest?, version: String,
    edge: EdgeConfiguration, pings: any WebhookSending
  ) {
    self.timeclock = timeclock
    liveFeeds = LiveFeeds(timeclock)
    self.passwords = passwords
    self.operatorToken = operatorToken
    self.version = version
    self.edge = edge
    self.pings = pings
    rateLimiter = edge.rateLimit.map(RateLimiter.init)
  }
}
