import HTTPMessages

/// The settings of the layer between the network and the operations.
package struct EdgeConfiguration: Sendable {
  /// The proxies whose statements about a client's address are trusted.
  package var trustedProxies = TrustedProxies.none
  /// The number of requests that a caller may make; nil for no limit.
  package var rateLimit: RateLimit?
  /// The origins of the web pages that may read answers; nil for none.
  package var crossOrigin: CrossOriginPolicy?

  /// Whether the contract of timer apps is served, at `/api/` and `/socket.io`.
  package var servesTaskTimer = true

  /// Whether the page is served: at `/` to browsers, at `/sw.js`, and below `/assets/`.
  package var servesPage = true

  /// No proxy is trusted, nothing is limited, no web page of another origin reads answers, timer apps and the page are served.
  package init() {}
}
