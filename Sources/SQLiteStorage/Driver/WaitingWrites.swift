import Threads
import TimeclockDomain

/// The time that a write takes, and the organization that it is for (nil for the service's own work): both decide when
/// its turn comes.
enum WriteLength: Hashable, Sendable {
  /// A few rows; shares a commit with others.
  case short(OrganizationKey?)
  /// Many rows; has a commit of its own.
  case long(OrganizationKey?)

  /// The length of a write of `count` rows.
  static func rows(_ count: Int, of organization: OrganizationKey?) -> WriteLength {
    count > 20 ? .long(organization) : .short(organization)
  }

  var isLong: Bool {
    if case .long = self { true } else { false }
  }

  /// The organization that the write is for; nil for the service's own work.
  var organization: OrganizationKey? {
    switch self {
    case .short(let organization), .long(let organization): organization
    }
  }
}

/// The writes that wait, and the order of their turns.
///
/// Short ones come first, and share a commit (`CommitShare`). A long one has a transaction of its own, so nobody waits
/// for more than one of them; and while short ones come, there is a pause behind it for as long as it took, so that at
/// most half of the time belongs to long ones, and most short ones meet none. Each long one gets its turn. Of short and of
/// long ones, several organizations each in turn have one.
///
/// Used by the writer's thread only.
struct WaitingWrites {
  private var short = QueueInTurn<OrganizationKey?, any PendingWrite>()
  private var long = QueueInTurn<OrganizationKey?, any PendingWrite>()
  /// Before this no long one begins.
  private var pauseEnd: ContinuousClock.Instant
  /// The organization of the last short write, and its time.
  private var lastShort: (organization: OrganizationKey?, time: ContinuousClock.Instant)?
  /// The time of the last short write of any organization but that one.
  private var lastShortOfAnother: ContinuousClock.Instant?
  /// Whether short ones have had their turn since the last long one.
  private var hasServedShort = false

  /// The time after a short write for which another one is expected.
  private static let attention: Duration = .seconds(1)
  /// The longest pause behind a long write: it must not wait for ever either.
  private static let longestPause: Duration = .milliseconds(250)

  init(now: ContinuousClock.Instant) {
    pauseEnd = now
  }

  var isEmpty: Bool { short.isEmpty && long.isEmpty }

  /// The number of short writes that wait.
  var shortCount: Int { short.count }

  mutating func add(_ writes: [any PendingWrite], now: ContinuousClock.Instant) {
    for write in writes {
      switch write.length {
      case .long(let organization): long.append(write, of: organization)
      case .short(let organization):
        short.append(write, of: organization)
        if let last = lastShort, last.organization != organization { lastShortOfAnother = last.time }
        lastShort = (organization, now)
      }
    }
  }

  /// The time to wait for further writes before one may begin; nil if nothing waits.
  func pause(now: ContinuousClock.Instant) -> Duration? {
    if !short.isEmpty { return .zero }
    return long.isEmpty ? nil : max(.zero, pauseEnd - now)
  }

  /// Whether no short write waits, and no long one may begin yet.
  func isPausing(now: ContinuousClock.Instant) -> Bool { short.isEmpty && now < pauseEnd }

  /// Takes the long write whose turn it is; nil while there is a pause, if it is the short ones' turn, and if none
  /// waits.
  mutating func takeLong(now: ContinuousClock.Instant) -> (any PendingWrite)? {
    guard now >= pauseEnd, short.isEmpty || hasServedShort, let write = long.takeFirst() else { return nil }
    hasServedShort = false
    return write
  }

  /// The share of a commit that begins now.
  func share(now: ContinuousClock.Instant) -> CommitShare {
    let severalWrite = lastShortOfAnother.map { now - $0 < Self.attention } ?? false
    return CommitShare(began: now, severalWrite: severalWrite)
  }

  /// Takes the next short write that a commit has room for; nil if it is full, or none waits.
  mutating func takeShort(for share: CommitShare) -> (any PendingWrite)? {
    guard !share.isFull, let write = short.takeFirst(where: { owner, _ in share.hasRoom(for: owner) }) else {
      return nil
    }
    hasServedShort = true
    return write
  }

  /// Begins the pause behind a long write.
  mutating func noteLong(began: ContinuousClock.Instant, ended: ContinuousClock.Instant) {
    let isQuiet = short.isEmpty && lastShort.map { ended - $0.time > Self.attention } ?? true
    pauseEnd = isQuiet ? ended : ended + min(ended - began, Self.longestPause)
  }

  /// Ends the pause: nothing more will come that it could be for.
  mutating func endPause(now: ContinuousClock.Instant) {
    pauseEnd = min(pauseEnd, now)
  }
}
