/// How far the messages to a target have come.
package struct PushProgress: Hashable, Sendable {
  /// The activity, or the end of a timer, that the target knows; nil before anybody has looked, and empty where there was none.
  package var activity: String?
  /// Digests of what was sent last, as a person sees it, and with details.
  package var stateTag: String?
  package var tag: String?
  /// The content that was sent last, as JSON; nil for none.
  package var content: String?
  /// The time of the last message.
  package var sentAt: Instant?
  /// The day of UTC on which that was, counted from 1970, and the number of messages on it.
  package var day: Int64
  package var dayCount: Int64
  /// The attempts in a row that have failed.
  package var failures: Int64
  /// The time before which nobody sends, and at which somebody is to look; nil where nothing is under way.
  package var dueAt: Instant?
  /// Counts how often it was written down, so that of several who have read the same one goes on.
  package var moves: Int64

  package init(
    activity: String? = nil, stateTag: String? = nil, tag: String? = nil, content: String? = nil,
    sentAt: Instant? = nil, day: Int64 = 0, dayCount: Int64 = 0, failures: Int64 = 0, dueAt: Instant? = nil,
    moves: Int64 = 0
  ) {
    self.activity = activity
    self.stateTag = stateTag
    self.tag = tag
    self.content = content
    self.sentAt = sentAt
    self.day = day
    self.dayCount = dayCount
    self.failures = failures
    self.dueAt = dueAt
    self.moves = moves
  }
}

extension PushProgress {
  /// The time between two messages to a target, in milliseconds.
  static let interval: Int64 = 1_000
  /// The most messages to a target on a day of UTC; the end of an activity counts, and goes all the same.
  static let dailyLimit: Int64 = 50
  /// The longest time between an attempt that failed and the next, in milliseconds.
  static let longestPause: Int64 = 60_000
  private static let dayLength: Int64 = 86_400_000

  /// The first time at which another message may go.
  func nextTurn(at now: Instant) -> Instant {
    let (day, _) = now.millisecondsSince1970.quotientAndRemainder(dividingBy: Self.dayLength)
    if day == self.day, dayCount >= Self.dailyLimit {
      return Instant(millisecondsSince1970: (day + 1) * Self.dayLength)
    }
    return sentAt?.adding(milliseconds: Self.interval) ?? now
  }

  /// The progress after a message that was taken.
  func sent(at now: Instant) -> PushProgress {
    var next = free
    let (day, _) = now.millisecondsSince1970.quotientAndRemainder(dividingBy: Self.dayLength)
    (next.day, next.dayCount) = (day, day == self.day ? dayCount + 1 : 1)
    next.sentAt = now
    return next
  }

  /// The progress after a message that was not taken, and is to be tried again.
  ///
  /// - Parameter pause: The seconds that were asked for.
  func failed(at now: Instant, pause seconds: Int64?) -> PushProgress {
    var next = self
    next.failures += 1
    let usual = min(Self.longestPause, 1_000 << min(max(failures, 0), 6))
    let asked = seconds.map { min(max($0, 1), 3_600) * 1_000 } ?? 0
    next.dueAt = now.adding(milliseconds: max(usual, asked))
    return next
  }

  /// The progress with nothing under way.
  var free: PushProgress {
    var next = self
    (next.failures, next.dueAt) = (0, nil)
    return next
  }
}

/// A target with its progress, as its messages are decided on.
package struct PushDelivery: Hashable, Sendable {
  package var member: MemberKey
  package var target: PushTarget
  package var progress: PushProgress

  package init(member: MemberKey, target: PushTarget, progress: PushProgress) {
    (self.member, self.target, self.progress) = (member, target, progress)
  }
}
