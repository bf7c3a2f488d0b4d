import Threads
import TimeclockDomain

/// How much a write has to do, which decides when its turn comes.
enum WriteLength: Hashable, Sendable {
  /// A few rows; shares a commit with others.
  case short
  /// Many rows of one organization, or of the service's own work (nil).
  case long(OrganizationKey?)

  /// The length of a write of so many rows.
  static func rows(_ count: Int, of organization: OrganizationKey?) -> WriteLength {
    count > 20 ? .long(organization) : .short
  }
}

/// The writes that wait, and whose turn it is.
///
/// Short ones come first, all that there are at once. A long one has a transaction of its own, so nobody waits for more
/// than one of them; and while short ones come, there is a pause behind it for as long as it took, so that at most half
/// of the time belongs to long ones, and most short ones meet none. Each long one gets its turn: behind those that are
/// before it, and of several organizations each in turn has one.
///
/// Used by the writer's thread only.
struct WaitingWrites {
  private var short: [any PendingWrite] = []
  private var long = QueueInTurn<OrganizationKey?, any PendingWrite>()
  /// Before this no long one begins.
  private var pauseEnd: ContinuousClock.Instant
  private var lastShort: ContinuousClock.Instant?
  /// Whether short ones have had their turn since the last long one.
  private var hasServedShort = false

  /// For how long after a short write another one is expected.
  private static let attention: Duration = .seconds(1)
  /// The longest pause behind a long write: it must not wait for ever either.
  private static let longestPause: Duration = .milliseconds(250)

  init(now: ContinuousClock.Instant) {
    pauseEnd = now
  }

  var isEmpty: Bool { short.isEmpty && long.isEmpty }

  mutating func add(_ writes: [any PendingWrite], now: ContinuousClock.Instant) {
    for write in writes {
      guard case .long(let organization) = write.length else {
        short.append(write)
        lastShort = now
        continue
      }
      long.append(write, of: organization)
    }
  }

  /// How long to wait for further writes before `next` has something; nil where nothing waits.
  func pause(now: ContinuousClock.Instant) -> Duration? {
    if !short.isEmpty { return .zero }
    return long.isEmpty ? nil : max(.zero, pauseEnd - now)
  }

  /// Whether no short write waits, and no long one may begin yet.
  func isPausing(now: ContinuousClock.Instant) -> Bool { short.isEmpty && now < pauseEnd }

  /// Takes the writes whose turn it is, to share one commit: all short ones, or one long one. Empty while there is a
  /// pause, and where nothing waits.
  mutating func next(now: ContinuousClock.Instant) -> [any PendingWrite] {
    if !long.isEmpty, now >= pauseEnd, short.isEmpty || hasServedShort {
      hasServedShort = false
      return long.takeFirst().map { [$0] } ?? []
    }
    guard !short.isEmpty else { return [] }
    hasServedShort = true
    defer { short = [] }
    return short
  }

  /// Takes back short writes that did not come to their turn; they are first at the next one.
  mutating func putBack(_ writes: ArraySlice<any PendingWrite>) {
    short.insert(contentsOf: writes, at: 0)
  }

  /// Begins the pause behind a long write.
  mutating func noteLong(began: ContinuousClock.Instant, ended: ContinuousClock.Instant) {
    let isQuiet = short.isEmpty && lastShort.map { ended - $0 > Self.attention } ?? true
    pauseEnd = isQuiet ? ended : ended + min(ended - began, Self.longestPause)
  }

  /// Ends the pause: nothing more will come that it could be for.
  mutating func endPause(now: ContinuousClock.Instant) {
    pauseEnd = min(pauseEnd, now)
  }
}
