import HTTPMessages

/// What stands between the network and the operations, and who runs the service decides.
package struct EdgeConfiguration: Sendable {
  /// The proxies that say where a request comes from.
  package var trustedProxies = TrustedProxies.none
  /// How much a caller may ask for; nil for no limit.
  package var rateLimit: RateLimit?
  /// The web pages that may read answers; nil for none.
  package var crossOrigin: CrossOriginPolicy?

  /// No proxy is trusted, nothing is limited, and no web page of another origin reads answers.
  package init() {}
}
