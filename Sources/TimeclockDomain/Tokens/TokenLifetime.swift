/// The lifetimes of tokens when nobody states others, in milliseconds.
package enum TokenLifetime {
  /// A log-in, from its last recorded use: 30 days. A person who comes more often is never asked again.
  package static let logIn: Int64 = 30 * 86_400_000
  /// An API token: 365 days, in milliseconds.
  package static let apiToken: Int64 = 365 * 86_400_000
}

/// The precision with which a token's last use is kept.
package enum TokenUse {
  /// A later use is written down once this many milliseconds have passed since the one on record, so that
  /// reading does not turn into writing.
  package static let resolution: Int64 = 600_000
}
