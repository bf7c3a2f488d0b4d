import ArgumentParser
import HTTPMessages
import TimeclockAPI

/// The options for the layer between the network and the operations.
struct EdgeOptions: ParsableArguments {
  @Option(.trustedProxies) var trustedProxy: [String] = []
  @Option(.forwardedField) var forwardedField: TrustedProxies.Field?
  @Option(.rateLimit) var rateLimit: Int?
  @Option(.corsOrigins) var corsOrigin: [String] = []
  @Flag(.page) var page: Bool?
  @Flag(.taskTimerAPI) var taskTimerAPI: Bool?
  @Option(.webhookAllow) var webhookAllow: [String] = []

  /// - Throws: `CommandError` for a value that is not valid.
  func configuration() throws -> EdgeConfiguration {
    var edge = EdgeConfiguration()
    let ranges = try Setting.trustedProxies.list(trustedProxy)
      .map { try range($0, of: "--trusted-proxy") }
    let field = try Setting.forwardedField.value(forwardedField)
    edge.trustedProxies = TrustedProxies(ranges, field: field)
    edge.rateLimit = try Setting.rateLimit.optionalNumber(rateLimit)
      .flatMap(RateLimit.init(requestsPerMinute:))
    edge.crossOrigin = try CrossOriginPolicy(Setting.corsOrigins.list(corsOrigin).map(origin))
    edge.servesPage = try Setting.page.value(page)
    edge.servesTaskTimer = try Setting.taskTimerAPI.value(taskTimerAPI)
    return edge
  }

  /// The addresses to which webhooks may send though they are none of the Internet.
  ///
  /// - Throws: `CommandError` for a value that is not valid.
  func webhookAddresses() throws -> [AddressRange] {
    try Setting.webhookAllow.list(webhookAllow).map { try range($0, of: "--webhook-allow") }
  }

  private func range(_ text: String, of option: String) throws -> AddressRange {
    do throws(AddressRange.Fault) {
      return try AddressRange(text)
    } catch {
      let reason =
        switch error {
        case .malformed: "it is an IPv4 or IPv6 address, or one with a prefix such as 10.0.0.0/8."
        case .bitsBehindPrefix: "the address has bits behind the prefix; write the range's first address."
        case .everyAddress: "a prefix of 0 would be every address."
        }
      throw CommandError(usage: "The value \(text) of \(option) is not valid: \(reason)")
    }
  }

  private func origin(_ text: String) throws -> WebOrigin {
    guard let origin = WebOrigin(text) else {
      throw CommandError(
        usage: """
          The value \(text) of --cors-origin is not valid: it is what browsers send, such as \
          https://app.example.com or http://localhost:3000, without a path; * and null are never allowed.
          """)
    }
    return origin
  }
}

extension TrustedProxies.Field: ExpressibleByArgument {}
