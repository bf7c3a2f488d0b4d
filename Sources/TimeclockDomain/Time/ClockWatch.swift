import Synchronization

/// Watches whether the wall clock can be believed by a job that acts by it alone, round by round: a machine without a
/// battery for its clock, or one that was restored, has a time of its own until it has asked the network.
package final class ClockWatch: Sendable {
  /// The reason why a round should not act.
  package enum Doubt: Hashable, Sendable {
    /// Since the round before, the wall clock moved by this many milliseconds more, or less, than time passed.
    case moved(milliseconds: Int64)
    /// Before this process wrote anything, nothing in the database was newer than this many milliseconds.
    case ahead(milliseconds: Int64)
  }

  private struct Round {
    var wall: Instant
    var elapsed: Duration
  }

  /// The most that the wall clock may move against the time that passes between two rounds, in milliseconds: clocks are
  /// adjusted.
  package static let tolerance: Int64 = 60_000
  /// The greatest age that the newest change may have at the first round, in milliseconds: nobody works at night.
  package static let quietTime: Int64 = 86_400_000

  private let elapsed: @Sendable () -> Duration
  private let last = Mutex<Round?>(nil)
  /// The newest change from before this process wrote any, where `begin` has asked for it.
  private let newestAtStart = Mutex<Instant??>(nil)

  /// Begins to watch.
  ///
  /// - Parameter elapsed: The time since some moment, by a clock that nobody sets.
  package init(elapsed: @escaping @Sendable () -> Duration) {
    self.elapsed = elapsed
  }

  /// By the operating system's clock since it was started, suspensions included.
  package convenience init() {
    let start = ContinuousClock.now
    self.init { ContinuousClock.now - start }
  }

  /// Asks for the newest change, by which the first round judges. To be called before the service writes: its own
  /// changes have the clock's time, right or wrong.
  ///
  /// - Throws: Any error of `newest`, and then the first round asks by itself.
  package func begin(newest: () async throws -> Instant?) async throws {
    let found = try await newest()
    newestAtStart.withLock { $0 = .some(found) }
  }

  /// Judges a round, and remembers it for the next.
  ///
  /// - Parameters:
  ///   - now: The wall clock.
  ///   - newest: The newest change in the database; asked for in the first round only, and not after `begin`; nil where
  ///     there is none.
  /// - Returns: Nil where the round may act. The first round after a long quiet may not: the second one may, where both
  ///   clocks agree by then.
  /// - Throws: Any error of `newest`, and then the next round is the first one.
  package func doubt(at now: Instant, newest: () async throws -> Instant?) async throws -> Doubt? {
    let round = Round(wall: now, elapsed: elapsed())
    if let before = last.withLock({ $0 }) {
      last.withLock { $0 = round }
      let passed = (round.elapsed - before.elapsed).components
      let milliseconds = passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
      let moved = now.milliseconds(since: before.wall) - milliseconds
      return abs(moved) > Self.tolerance ? .moved(milliseconds: moved) : nil
    }
    let known = newestAtStart.withLock { $0 }
    let newestChange = if let known { known } else { try await newest() }
    let age = newestChange.map { now.milliseconds(since: $0) } ?? 0
    last.withLock { $0 = round }
    return age > Self.quietTime ? .ahead(milliseconds: age) : nil
  }
}
