/// The public id of a log-in; not its token.
package typealias LogInID = Identifier<LogIn>

/// A token that a person got for a password. It is valid in every organization that the person has accepted.
package struct LogIn: Hashable, Sendable {
  package var id: LogInID
  /// The token's row.
  package var tokenKey: Int64
  package var createdAt: Instant
  /// Moves on with each use that is written down; see `TokenLifetime.logIn`.
  package var expiresAt: Instant
  /// The time of the last use, to within `TokenUse.resolution`; nil when it was never used.
  package var lastUsedAt: Instant?
  /// The client of the log-in; nil if that was not stated.
  package var client: LogInClient?

  package init(
    digest: TokenDigest, tokenKey: Int64, createdAt: Instant, expiresAt: Instant, lastUsedAt: Instant?,
    client: LogInClient?
  ) {
    id = LogInID(digest: digest, createdAt: createdAt)
    self.tokenKey = tokenKey
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
    self.client = client
  }

  /// The most log-ins that a list shows, those made last.
  package static let listLimit = 100
}

/// A program that people log in with and that the service knows by name.
package enum LogInClient: String, CaseIterable, Sendable {
  /// The page in a browser.
  case web

  /// The source of the person's own entries with it.
  package var source: TimeEntrySource {
    switch self {
    case .web: .web
    }
  }
}

extension LogInID {
  /// The id that belongs to a digest: a UUID of version 7 whose random bits are bits of the digest, of which nobody finds
  /// the token. So a log-in has an id without a place to keep one.
  init(digest: TokenDigest, createdAt: Instant) {
    let bytes = digest.bytes
    func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    let milliseconds = UInt64(clamping: createdAt.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
    self.init(
      high: milliseconds << 16 | 0x7000 | word(0) & 0xFFF,
      low: 0x8000_0000_0000_0000 | word(8) >> 2)
  }
}

extension TimeclockError {
  /// The person has no such log-in.
  package static let logInNotFound = TimeclockError.plain(
    PlainRefusal("log_in_not_found", against: .absence, "There is no such log-in, or it has ended."))
}
