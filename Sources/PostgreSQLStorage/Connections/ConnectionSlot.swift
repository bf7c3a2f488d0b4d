import EventLoops

/// A place for one connection. One that is kept is reopened whenever it is lost; others are opened when there is work for
/// them, and closed when there has been none for a while. Used on its loop's thread only.
///
/// `@unchecked Sendable`: other threads only carry it.
final class ConnectionSlot: @unchecked Sendable {
  enum State {
    case connected(PostgreSQLConnection)
    /// A connection is being made by another thread.
    case connecting
    /// Nothing until then, in the loop's nanoseconds.
    case waiting(until: Int64)
    /// Nothing until there is work, and not before then.
    case resting(until: Int64)
  }

  /// Whether there is to be a connection without work, too.
  let isKept: Bool
  private(set) var state: State
  /// The kinds of transactions that have the connection to themselves.
  enum Use {
    case short
    case long
  }

  /// The transaction that has the connection to itself, if there is one.
  var use: Use?
  /// Whether the last attempt to connect has failed.
  private(set) var isFailing = false
  /// The number of connections in a row that could not be made, or did not last.
  private var failureCount = 0
  private var connectedAt: Int64 = 0
  /// The time at which it was busy last, as far as was noted.
  private var lastUse: Int64 = 0

  init(isKept: Bool = true) {
    self.isKept = isKept
    state = isKept ? .waiting(until: 0) : .resting(until: 0)
  }

  var connection: PostgreSQLConnection? {
    if case .connected(let connection) = state { connection } else { nil }
  }

  /// The time at which there is something to do.
  var deadline: Int64 {
    switch state {
    case .connected(let connection):
      min(connection.deadline, isBusy || isKept ? .max : lastUse + Self.idleTime)
    case .connecting, .resting: .max
    case .waiting(let time): time
    }
  }

  /// Whether its connection owes an answer or belongs to a transaction.
  var isBusy: Bool { use != nil || connection.map { !$0.isIdle } ?? false }

  var isResting: Bool {
    if case .resting = state { true } else { false }
  }

  var isConnecting: Bool {
    switch state {
    case .connecting, .waiting: true
    case .connected, .resting: false
    }
  }

  /// Whether a connection is on its way, or would be if there were work.
  func mayConnect(at now: Int64) -> Bool {
    if case .resting(let time) = state { time <= now } else { isConnecting && !isFailing }
  }

  /// Notes that it is busy, if it is.
  func noteUse(at now: Int64) {
    if isBusy { lastUse = now }
  }

  /// Opens a connection soon if there is none, for there is work.
  func wake(at now: Int64) {
    if case .resting(let time) = state, time <= now { state = .waiting(until: now) }
  }

  /// Closes the connection if it has been idle for long.
  func closeIfIdle(at now: Int64) {
    guard !isKept, !isBusy, lastUse + Self.idleTime <= now, let connection else { return }
    connection.close()
    state = .resting(until: now)
  }

  func noteConnecting() { state = .connecting }

  func noteConnected(_ connection: PostgreSQLConnection, at now: Int64) {
    state = .connected(connection)
    isFailing = false
    connectedAt = now
    lastUse = now
    use = nil
  }

  func noteFailure(at now: Int64) {
    // The server may have no place for more: those that are kept tell whether it is there.
    guard isKept else { return state = .resting(until: now + Self.refusedTime) }
    isFailing = true
    wait(from: now)
  }

  /// A connection that stood is made again at once, but not one after the other.
  func noteLoss(at now: Int64) {
    use = nil
    guard isKept else { return state = .resting(until: now) }
    guard now - connectedAt < Self.lastingTime else {
      failureCount = 0
      state = .waiting(until: now)
      return
    }
    wait(from: now)
  }

  /// Waits longer every time, up to a second, and never just as long as the others: half of the time is left to
  /// chance.
  private func wait(from now: Int64) {
    failureCount += 1
    let longest = min(50 << min(failureCount, 5), 1_000) as Int64
    state = .waiting(until: now + Int64.random(in: longest / 2...longest) * 1_000_000)
  }

  /// The time without work after which a connection is closed that is not kept, in nanoseconds.
  private static let idleTime: Int64 = 60_000_000_000
  /// The time for which no other is tried when one could not be made that is not kept.
  private static let refusedTime: Int64 = 1_000_000_000
  /// A connection that has lasted this long was no failure.
  private static let lastingTime: Int64 = 1_000_000_000
}
