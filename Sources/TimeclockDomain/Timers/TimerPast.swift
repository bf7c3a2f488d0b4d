/// A timer as the last command left it, kept while time alone has changed it since. A command out of a queue that is
/// older than such a change, noted by a telephone that was away, takes the change back: whichever process has noticed
/// an end meanwhile, the timer follows from the commands and the time, in whichever parts a queue comes.
package struct TimerPast: Hashable, Sendable {
  package var active: ActiveTimer?
  package var streak: Int64
  package var lastFocusEnd: Instant?
  package var autoStarts: Int64
  package var updatedAt: Instant
  /// The sessions that time has left since.
  package var sessions: [TimerSessionID]
  /// The sets that rests have counted since.
  package var sets: Int64

  package init(
    active: ActiveTimer?, streak: Int64, lastFocusEnd: Instant?, autoStarts: Int64, updatedAt: Instant,
    sessions: [TimerSessionID] = [], sets: Int64 = 0
  ) {
    self.active = active
    self.streak = streak
    self.lastFocusEnd = lastFocusEnd
    self.autoStarts = autoStarts
    self.updatedAt = updatedAt
    self.sessions = sessions
    self.sets = sets
  }
}

extension MemberTimer {
  /// Keeps it as it is, unless something older is kept: time is about to change it.
  mutating func keepPast() {
    guard past == nil else { return }
    past = TimerPast(
      active: active, streak: streak, lastFocusEnd: lastFocusEnd, autoStarts: autoStarts, updatedAt: updatedAt
    )
  }

  /// Takes back changes by time alone since the last command; settings and routine stay, but for the sets that were
  /// counted.
  mutating func takeBack(_ past: TimerPast) {
    active = past.active
    streak = past.streak
    lastFocusEnd = past.lastFocusEnd
    autoStarts = past.autoStarts
    updatedAt = past.updatedAt
    routine?.currentSet -= past.sets
    self.past = nil
    version += 1
  }

  /// Counts a set that a rest has ended.
  mutating func countSet() {
    let before = routine?.currentSet ?? 0
    routine?.countSet()
    past?.sets += (routine?.currentSet ?? 0) - before
  }

  /// Whether it has this routine, and would keep it if changes are taken back.
  package func isStated(_ routine: TimerRoutine?) -> Bool {
    self.routine == routine && past?.sets ?? 0 == 0
  }

  /// Sets the routine, regardless of earlier counts.
  package mutating func replaceRoutine(by routine: TimerRoutine?) {
    self.routine = routine
    past?.sets = 0
  }
}
