import Synchronization

/// The authentications that tokens stand for, kept in memory between requests.
///
/// Every write that can change what a token grants empties the cache after the commit and before the write is answered;
/// a storage that other processes write to as well also empties it when it learns of their writes. A reading from
/// before such a commit is not kept, because the generation has changed by then.
package final class AccessCache: Sendable {
  /// The state of the database that a reading belongs to.
  package typealias Generation = UInt64

  private struct Entry {
    var organizationID: OrganizationID?
    var authentication: Authentication
  }

  private struct State {
    var generation: Generation = 0
    var entries: [TokenDigest: Entry] = [:]
    var digests: [Int64: TokenDigest] = [:]
  }

  private let state = Mutex(State())

  /// A cache that knows nothing.
  package init() {}

  /// Beyond this many tokens, all are dropped and read again.
  private static let limit = 10_000

  /// The authentication of the token in the organization, if that is known, and the present generation.
  package func find(
    _ digest: TokenDigest, _ organizationID: OrganizationID?
  ) -> (authentication: Authentication?, generation: Generation) {
    state.withLock { state in
      let entry = state.entries[digest]
      let isKnown = entry?.organizationID == organizationID
      return (isKnown ? entry?.authentication : nil, state.generation)
    }
  }

  /// Keeps a reading, unless something changed since `generation`.
  package func keep(
    _ authentication: Authentication, for digest: TokenDigest, _ organizationID: OrganizationID?,
    readIn generation: Generation
  ) {
    state.withLock { state in
      guard state.generation == generation else { return }
      if state.entries.count >= Self.limit {
        state.entries = [:]
        state.digests = [:]
      }
      state.entries[digest] = Entry(organizationID: organizationID, authentication: authentication)
      state.digests[authentication.tokenKey] = digest
    }
  }

  /// Notes that the use of a token was written down, and that a log-in ends later.
  package func noteUse(of tokenKey: Int64, at now: Instant) {
    state.withLock { state in
      guard let digest = state.digests[tokenKey],
        let entry = state.entries[digest]
      else { return }
      var authentication = entry.authentication
      authentication.lastUsedAt = max(authentication.lastUsedAt ?? now, now)
      if authentication.scope == nil {
        authentication.expiresAt = max(
          authentication.expiresAt, now.adding(milliseconds: TokenLifetime.logIn))
      }
      state.entries[digest]?.authentication = authentication
    }
  }

  /// Forgets everything, because something has changed.
  package func invalidate() {
    state.withLock { state in
      state.generation += 1
      state.entries = [:]
      state.digests = [:]
    }
  }
}
