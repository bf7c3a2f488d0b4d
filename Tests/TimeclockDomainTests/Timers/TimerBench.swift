import Testing

@testable import TimeclockDomain

/// A member's timer under a clock that is moved by hand. Times are seconds since 2026-11-20T08:00:00Z.
struct TimerBench {
  private(set) var timer = MemberTimer.unused
  /// Everything that the timer has left, in the order in which it came.
  private(set) var sessions: [TimerSession] = []

  static let zero = Instant(millisecondsSince1970: 1_795_161_600_000)

  init(_ settings: (inout TimerSettings) -> Void = { _ in }) {
    settings(&timer.settings)
  }

  static func instant(_ seconds: Double) -> Instant {
    zero.adding(milliseconds: Int64((seconds * 1_000).rounded()))
  }

  /// Changes the settings, as a stated change at a time does.
  mutating func set(at seconds: Double, _ change: (inout TimerSettings) -> Void) {
    fold(at: seconds) { fold in fold.note { change(&$0.settings) } }
  }

  /// Lets somebody look.
  mutating func look(at seconds: Double) {
    fold(at: seconds) { _ in }
  }

  /// Gives an order.
  ///
  /// - Returns: The session that it left.
  @discardableResult
  mutating func order(_ order: TimerOrder, at seconds: Double) throws -> TimerSession? {
    try orderAutomatic(order, at: seconds).session
  }

  /// Gives an order.
  ///
  /// - Returns: The session that it left, and the reason if it started nothing.
  @discardableResult
  mutating func orderAutomatic(
    _ order: TimerOrder, at seconds: Double
  ) throws -> (session: TimerSession?, notStarted: TimerNotStarted?) {
    try fold(at: seconds) { try $0.apply(order, at: Self.instant(seconds)) }
  }

  /// Gives an order out of a queue.
  ///
  /// - Parameters:
  ///   - seconds: The time at which it was noted.
  ///   - now: The time at which it comes.
  /// - Returns: The session that it left.
  @discardableResult
  mutating func send(_ order: TimerOrder, notedAt seconds: Double, at now: Double) throws -> TimerSession? {
    try fold(at: now) { fold in
      defer { fold.settle(at: Self.instant(now)) }
      return try fold.applyQueued(order, at: Self.instant(seconds)).session
    }
  }

  mutating func note(_ presence: TimerPresence, at seconds: Double) throws {
    try fold(at: seconds) { try $0.note(presence, at: Self.instant(seconds)) }
  }

  mutating func put(_ routine: TimerRoutine?) {
    timer.routine = routine
  }

  /// States the routine, as a client does.
  mutating func state(_ routine: TimerRoutine?, at seconds: Double) {
    fold(at: seconds) { fold in fold.note { $0.replaceRoutine(by: routine) } }
  }

  /// Starts a timer of a type, with the settings' length unless one is stated.
  @discardableResult
  mutating func start(
    _ type: TimerType, _ duration: Int64? = nil, at seconds: Double, isCountdown: Bool? = nil,
    label: String? = nil, subject: TimerSubject? = nil, isAutomatic: Bool = false
  ) throws -> TimerSession? {
    try order(
      .start(
        TimerStart(
          type: type, durationSeconds: duration, isCountdown: isCountdown,
          purpose: TimerPurpose(label: label), subject: subject, routine: nil, isAutomatic: isAutomatic)),
      at: seconds)
  }

  /// Changes by time are kept though the order is refused.
  private mutating func fold<Value>(
    at seconds: Double, _ body: (inout TimerFold) throws -> Value
  ) rethrows -> Value {
    let now = Self.instant(seconds)
    let identifiers = IdentifierGenerator()
    var fold = TimerFold(timer, at: now) { identifiers.next(at: now) }
    fold.settle(at: now)
    defer {
      timer = fold.timer
      sessions.removeAll { fold.retracted.contains($0.id) }
      sessions += fold.sessions
    }
    return try body(&fold)
  }
}

extension TimerBench {
  /// The timer in few words: `focus running 0-1500`, `none`.
  var words: String {
    guard let active = timer.active else { return "none" }
    let end = active.shownEndTime.map { Self.seconds($0) } ?? "?"
    return "\(active.type) \(active.state.rawValue) \(Self.seconds(active.startTime))-\(end)"
  }

  /// The sessions in few words: `focus 0-1500 25/0 finished`.
  var sessionWords: [String] { sessions.map(Self.words) }

  static func words(_ session: TimerSession) -> String {
    """
    \(session.type) \(seconds(session.startTime))-\(seconds(session.endTime)) \
    \(session.durationMinutes)/\(session.interruptionsMinutes) \(session.outcome)
    """
  }

  /// Seconds, with milliseconds if there are some.
  private static func seconds(_ instant: Instant) -> String {
    let milliseconds = instant.milliseconds(since: zero)
    let rest = milliseconds % 1_000
    return "\(milliseconds / 1_000)" + (rest == 0 ? "" : ".\(String(rest + 1_000).dropFirst())")
  }
}
