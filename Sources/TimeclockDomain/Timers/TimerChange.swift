/// A timer in a transaction that changes it.
package struct TimerChange: Sendable {
  package var timer: MemberTimer
  /// The sessions to keep, in the order of their ends.
  package var sessions: [TimerSession] = []
  /// The kept sessions to delete before, because a command takes back those that time has left; those that are not
  /// there count as deleted.
  package var retracted: [TimerSessionID] = []

  package init(timer: MemberTimer) {
    self.timer = timer
  }
}

/// A timer that time has changed.
package struct ChangedTimer: Sendable {
  package var member: MemberKey
  package var timer: MemberTimer
  /// The sessions that were kept with it.
  package var sessions: [TimerSession]

  package init(member: MemberKey, timer: MemberTimer, sessions: [TimerSession]) {
    self.member = member
    self.timer = timer
    self.sessions = sessions
  }
}

/// The sessions of a member that a list shows.
package struct TimerSessionQuery: Sendable {
  package var member: MemberKey
  /// Only sessions that begin at or after this instant; nil leaves that side open.
  package var start: Instant?
  /// Only sessions that begin before this instant; nil leaves that side open.
  package var end: Instant?
  package var cursor: RowCursor?
  /// The most sessions to return, at least 1.
  package var limit: Int

  package init(
    member: MemberKey, start: Instant? = nil, end: Instant? = nil, cursor: RowCursor? = nil, limit: Int
  ) {
    self.member = member
    self.start = start
    self.end = end
    self.cursor = cursor
    self.limit = limit
  }
}
