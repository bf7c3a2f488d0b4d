import Synchronization

/// The gate between the wall clock and everything that the service ends or deletes by itself: a machine without a battery for
/// its clock, or one that was restored, has a time of its own until it has asked the network.
///
/// Jobs that act by the time take a `TrustedInstant` or a `SettledInstant`, and only the watch makes one. A clock that
/// is wrong and runs steadily is believed in the end: nothing in the process can notice.
package final class ClockWatch: Sendable {
  /// The reason why nothing may go by the clock.
  package enum Doubt: Error, Hashable, Sendable {
    /// The wall clock moved by this many milliseconds more, or less, than time passed.
    case moved(milliseconds: Int64)
    /// When the service started, nothing in the database was newer than this many milliseconds.
    case ahead(milliseconds: Int64)
    /// When the service started, the newest change could not be asked for.
    case unknown
  }

  fileprivate struct Reading {
    var wall: Instant
    var elapsed: Duration

    /// The milliseconds by which the wall clock has gone further since another reading than time has.
    func moved(since other: Reading) -> Int64 {
      wall.milliseconds(since: other.wall) &- (elapsed - other.elapsed).milliseconds
    }

    func agrees(with other: Reading) -> Bool {
      moved(since: other).magnitude <= ClockWatch.tolerance.magnitude
    }
  }

  /// A clock that is not believed yet.
  fileprivate struct Suspicion {
    var doubt: Doubt
    var since: Duration
    var last: Reading
  }

  fileprivate struct State {
    /// The last reading that was believed; nil if none was.
    var believed: Reading?
    var suspicion: Suspicion?
    /// The time since which a clock goes steadily that was in doubt and is believed again; nil if none was.
    var steadySince: Duration?
  }

  /// The most that the wall clock may move against the time that passes between two looks, in milliseconds: clocks are
  /// adjusted.
  package static let tolerance: Int64 = 60_000
  /// The greatest age that the newest change may have at the start, in milliseconds: nobody works at night.
  package static let quietTime: Int64 = 86_400_000
  /// The time for which a clock in doubt has to go steadily before something is ended by it.
  package static let patience: Duration = .seconds(60)
  /// The time for which it has to before something is deleted by it, which is never urgent.
  package static let patienceOfDeletion: Duration = .seconds(3_600)

  private let clock: WallClock
  private let newest: Instant?
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - newest: The newest change in the database, from before the service writes any: its own changes have the
  ///     clock's time, right or wrong. Nil if there is none, `.earliest` if it could not be asked for.
  ///   - elapsed: The time since some moment, by a clock that nobody sets.
  package init(
    _ clock: WallClock, newest: Instant?, elapsed: @escaping @Sendable () -> Duration
  ) {
    self.clock = clock
    self.newest = newest
    self.elapsed = elapsed
  }

  /// The present, for ending or beginning something; the reason why there is none if the clock is in doubt.
  package func trusted() -> Result<TrustedInstant, Doubt> {
    judge().map { TrustedInstant(instant: $0.wall) }
  }

  /// The present, for deleting something; nil if the clock is in doubt, or was less than an hour ago.
  package func settled() -> SettledInstant? {
    guard case .success(let reading) = judge() else { return nil }
    let steadySince = state.withLock(\.steadySince)
    guard steadySince.map({ reading.elapsed - $0 >= Self.patienceOfDeletion }) ?? true else { return nil }
    return SettledInstant(instant: reading.wall)
  }

  private func judge() -> Result<Reading, Doubt> {
    let reading = Reading(wall: clock.now, elapsed: elapsed())
    return state.withLock { state in
      if let doubt = state.doubt(about: reading, newest) { return .failure(doubt) }
      state.believed = reading
      state.suspicion = nil
      return .success(reading)
    }
  }
}

extension ClockWatch.State {
  /// The reason not to believe a reading; nil if it is to be believed.
  fileprivate mutating func doubt(
    about reading: ClockWatch.Reading, _ newest: Instant?
  ) -> ClockWatch.Doubt? {
    // As ever; also if it has come back.
    if let believed, reading.agrees(with: believed) { return nil }
    let age = newest.map { reading.wall.milliseconds(since: $0) } ?? 0
    // Before anything was believed the database decides; also if a clock has come back that was ahead.
    if believed == nil, age <= ClockWatch.quietTime { return nil }
    if let suspicion, reading.agrees(with: suspicion.last) {
      self.suspicion?.last = reading
      guard reading.elapsed - suspicion.since >= ClockWatch.patience else { return suspicion.doubt }
      steadySince = suspicion.since
      return nil
    }
    let before = suspicion?.last ?? believed
    let doubt =
      before.map { ClockWatch.Doubt.moved(milliseconds: reading.moved(since: $0)) }
      ?? (newest == .earliest ? .unknown : .ahead(milliseconds: age))
    suspicion = .init(doubt: doubt, since: reading.elapsed, last: reading)
    return doubt
  }
}

/// An instant by which the service may end something by itself, as the clock was not in doubt (`ClockWatch`).
package struct TrustedInstant: Hashable, Sendable {
  package let instant: Instant

  fileprivate init(instant: Instant) {
    self.instant = instant
  }
}

/// An instant by which the service may delete something by itself, as the clock has not been in doubt for long (`ClockWatch`).
package struct SettledInstant: Hashable, Sendable {
  package let instant: Instant

  fileprivate init(instant: Instant) {
    self.instant = instant
  }
}

extension Duration {
  /// The whole milliseconds.
  package var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
