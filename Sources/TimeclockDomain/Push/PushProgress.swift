/// The state of the messages to a target.
package struct PushProgress: Hashable, Sendable {
  /// The activity, or the end of a timer, of the last message; nil before the first look, empty for none.
  package var activity: String?
  /// Digests of the last content: its state, and the whole without running seconds.
  package var stateTag: String?
  package var tag: String?
  /// The last content, as JSON; nil for none.
  package var content: String?
  /// The time of the last message.
  package var sentAt: Instant?
  /// The day of UTC on which that was, counted from 1970, and the number of messages on it.
  package var day: Int64
  package var dayCount: Int64
  /// The attempts in a row that have failed.
  package var failures: Int64
  /// The time until which no server sends, and at which one looks again; nil without an attempt or a retry.
  package var dueAt: Instant?
  /// Counts the writes, so that one of several readers of the same state goes on.
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

  /// The progress after an accepted message.
  func sent(at now: Instant) -> PushProgress {
    var next = free
    let (day, _) = now.millisecondsSince1970.quotientAndRemainder(dividingBy: Self.dayLength)
    (next.day, next.dayCount) = (day, day == self.day ? dayCount + 1 : 1)
    next.sentAt = now
    return next
  }

  /// The progress after a failed message, with the time of the retry.
  ///
  /// - Parameter pause: The seconds that were asked for.
  package func failed(at now: Instant, pause seconds: Int64?) -> PushProgress {
    var next = self
    next.failures += 1
    let usual = min(Self.longestPause, 1_000 << min(max(failures, 0), 6))
    let asked = seconds.map { min(max($0, 1), 3_600) * 1_000 } ?? 0
    next.dueAt = now.adding(milliseconds: max(usual, asked))
    return next
  }

  /// The progress without an attempt or a retry.
  package var free: PushProgress {
    var next = self
    (next.failures, next.dueAt) = (0, nil)
    return next
  }
}

/// A target with its progress.
package struct PushDelivery: Hashable, Sendable {
  package var member: MemberKey
  package var target: PushTarget
  package var progress: PushProgress

  package init(member: MemberKey, target: PushTarget, progress: PushProgress) {
    (self.member, self.target, self.progress) = (member, target, progress)
  }
}
