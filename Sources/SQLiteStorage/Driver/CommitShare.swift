import TimeclockDomain

/// The share of each organization in one commit.
///
/// The short writes of a commit are answered together, so each waits for all of them. They take 20 ms at most, and if
/// several organizations write, those of one organization take 2 ms: an organization that floods the service does not
/// fill the commits of the others. Every organization has at least one write.
struct CommitShare {
  private let severalWrite: Bool
  private let began: ContinuousClock.Instant
  private var lastEnded: ContinuousClock.Instant
  private var spent: [OrganizationKey?: Duration] = [:]

  /// The longest time that the writes of one commit take, before the others wait for the next one.
  static let commitTime: Duration = .milliseconds(20)
  /// The longest time that those of one organization take, if several write.
  static let organizationTime: Duration = .milliseconds(2)

  init(began: ContinuousClock.Instant, severalWrite: Bool) {
    self.began = began
    self.severalWrite = severalWrite
    lastEnded = began
  }

  /// Whether the commit has no room for any further write.
  private(set) var isFull = false

  /// Whether the commit has room for a write of this organization.
  func hasRoom(for organization: OrganizationKey?) -> Bool {
    !severalWrite || spent[organization, default: .zero] < Self.organizationTime
  }

  /// Notes that a write of this organization has ended, which began where the one before ended.
  mutating func end(_ organization: OrganizationKey?, now: ContinuousClock.Instant) {
    if severalWrite { spent[organization, default: .zero] += now - lastEnded }
    lastEnded = now
    isFull = now - began >= Self.commitTime
  }
}
