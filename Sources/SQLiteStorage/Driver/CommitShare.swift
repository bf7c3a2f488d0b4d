import TimeclockDomain

/// How much of one commit belongs to which organization.
///
/// The short writes of a commit are answered together, so each waits for all of them. They take 20 ms at most, and where
/// several organizations write, those of one organization take 2 ms: whoever floods does not fill the commits of the
/// others. Every organization has at least one write.
struct CommitShare {
  private let severalWrite: Bool
  private let began: ContinuousClock.Instant
  private var lastBegan: ContinuousClock.Instant
  private var last: OrganizationKey??
  private var spent: [OrganizationKey?: Duration] = [:]

  /// How long the writes of one commit take at most, before the others wait for the next one.
  static let commitTime: Duration = .milliseconds(20)
  /// How long those of one organization do, where several write.
  static let organizationTime: Duration = .milliseconds(2)

  init(began: ContinuousClock.Instant, severalWrite: Bool) {
    self.began = began
    self.severalWrite = severalWrite
    lastBegan = began
  }

  /// Whether the commit has no room for any further write.
  private(set) var isFull = false

  /// Whether the commit has room for a write of this organization.
  func hasRoom(for organization: OrganizationKey?) -> Bool {
    !severalWrite || spent[organization, default: .zero] < Self.organizationTime
  }

  /// Begins a write of this organization.
  mutating func begin(_ organization: OrganizationKey?) { last = .some(organization) }

  /// Ends the write that was begun.
  mutating func end(now: ContinuousClock.Instant) {
    if severalWrite, let last { spent[last, default: .zero] += now - lastBegan }
    lastBegan = now
    isFull = now - began >= Self.commitTime
  }
}
