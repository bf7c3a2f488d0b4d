import ArgumentParser
import HTTPMessages
import TimeclockAPI

/// The options that say what stands between the network and the operations.
struct EdgeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A proxy that says where requests come from: an address, or a range such as 10.0.0.0/8. Repeatable. \
      (default: none; TIMECLOCK_TRUSTED_PROXIES, comma-separated)
      """, valueName: "address"))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The field in which it says so, x-forwarded-for or forwarded; no other is read. (default: x-forwarded-for; \
      TIMECLOCK_FORWARDED_FIELD)
      """, valueName: "name"))
  var forwardedField: TrustedProxies.Field?

  @Option(
    help: ArgumentHelp(
      """
      How many requests a minute each token may make, and each address without one. (default: as many as they \
      like; TIMECLOCK_RATE_LIMIT)
      """, valueName: "count"))
  var rateLimit: Int?

  @Option(
    help: ArgumentHelp(
      """
      The origin of web pages that may read answers, such as https://app.example.com. Repeatable. (default: none; \
      TIMECLOCK_CORS_ORIGINS, comma-separated)
      """, valueName: "origin"))
  var corsOrigin: [String] = []

  /// - Throws: `CommandError` for a value that is not valid.
  func configuration() throws -> EdgeConfiguration {
    var edge = EdgeConfiguration()
    let ranges = try Setting.list(trustedProxy, "TIMECLOCK_TRUSTED_PROXIES").map(range)
    let field = try Setting.value(
      forwardedField, "TIMECLOCK_FORWARDED_FIELD", default: TrustedProxies.Field.xForwardedFor)
    edge.trustedProxies = TrustedProxies(ranges, field: field)
    if let count = try Setting.optional(rateLimit, "TIMECLOCK_RATE_LIMIT") {
      guard let limit = RateLimit(requestsPerMinute: count) else {
        throw CommandError("The value of --rate-limit is not valid: it is 1 to 1000000 requests a minute.")
      }
      edge.rateLimit = limit
    }
    edge.crossOrigin = try CrossOriginPolicy(Setting.list(corsOrigin, "TIMECLOCK_CORS_ORIGINS").map(origin))
    return edge
  }

  private func range(_ text: String) throws -> AddressRange {
    do throws(AddressRange.Fault) {
      return try AddressRange(text)
    } catch {
      let reason =
        switch error {
        case .malformed: "it is an IPv4 or IPv6 address, or one with a prefix such as 10.0.0.0/8."
        case .bitsBehindPrefix: "the address has bits behind the prefix; write the range's first address."
        case .everyAddress: "a prefix of 0 would let every client say where it comes from."
        }
      throw CommandError("The value \(text) of --trusted-proxy is not valid: \(reason)")
    }
  }

  private func origin(_ text: String) throws -> WebOrigin {
    guard let origin = WebOrigin(text) else {
      throw CommandError(
        """
        The value \(text) of --cors-origin is not valid: it is what browsers send, such as \
        https://app.example.com or http://localhost:3000, without a path; * and null are never allowed.
        """)
    }
    return origin
  }
}

extension TrustedProxies.Field: ExpressibleByArgument {}
