import Synchronization
import TimeclockDomain

@testable import ContractDocument

/// The rows that a storage without a tenant filter would give away, for `Faults` to give away.
final class Leaks: Sendable {
  /// Which filter is missing.
  enum Kind: Sendable, CaseIterable {
    /// Time entries are found by their id alone.
    case entries
    /// People are members of every organization.
    case members
    /// A token is as good as in its person's own organization, whichever the path names.
    case tokens
  }

  private struct State {
    var kind: Kind?
    var entries: [TimeEntryID: (entry: TimeEntry, organization: OrganizationKey)] = [:]
    var members: [UserID: OrganizationKey] = [:]
    var tokens: [TokenDigest: OrganizationID] = [:]
  }

  private let state = Mutex(State())

  /// Leaks such records from now on, made before or later.
  func begin(_ kind: Kind) {
    state.withLock { $0.kind = kind }
  }

  func note(_ entry: TimeEntry, in organization: OrganizationKey) {
    state.withLock { $0.entries[entry.id] = (entry, organization) }
  }

  func note(_ userID: UserID, in organization: OrganizationKey) {
    state.withLock { $0.members[userID] = organization }
  }

  func note(_ token: TokenDigest, in organizationID: OrganizationID) {
    state.withLock { $0.tokens[token] = organizationID }
  }

  /// An entry of any organization; nil unless entries leak.
  func entry(_ id: TimeEntryID) -> TimeEntry? {
    state.withLock { $0.kind == .entries ? $0.entries[id]?.entry : nil }
  }

  /// The organization of an entry; nil unless entries leak.
  func home(of id: ResourceID) -> OrganizationKey? {
    state.withLock { state in
      guard state.kind == .entries else { return nil }
      return state.entries.first { ResourceID($0.key) == id }?.value.organization
    }
  }

  /// The organization that made a person a member last; nil unless members leak.
  func home(of userID: UserID) -> OrganizationKey? {
    state.withLock { $0.kind == .members ? $0.members[userID] : nil }
  }

  /// The organization where a token was used last; nil unless tokens leak.
  func home(of token: TokenDigest) -> OrganizationID? {
    state.withLock { $0.kind == .tokens ? $0.tokens[token] : nil }
  }
}
