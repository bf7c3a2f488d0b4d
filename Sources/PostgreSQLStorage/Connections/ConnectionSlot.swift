import EventLoops

/// A place for one connection, reopened whenever it is lost. Used on its loop's thread only.
///
/// `@unchecked Sendable`: other threads only carry it.
final class ConnectionSlot: @unchecked Sendable {
  enum State {
    case connected(PostgreSQLConnection)
    /// A connection is being made by another thread.
    case connecting
    /// Nothing until then, in the loop's nanoseconds.
    case waiting(until: Int64)
  }

  private(set) var state = State.waiting(until: 0)
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

  var connection: PostgreSQLConnection? {
    if case .connected(let connection) = state { connection } else { nil }
  }

  /// The time at which there is something to do.
  var deadline: Int64 {
    switch state {
    case .connected(let connection): connection.deadline
    case .connecting: .max
    case .waiting(let time): time
    }
  }

  func noteConnecting() { state = .connecting }

  func noteConnected(_ connection: PostgreSQLConnection, at now: Int64) {
    state = .connected(connection)
    isFailing = false
    connectedAt = now
    use = nil
  }

  func noteFailure(at now: Int64) {
    isFailing = true
    wait(from: now)
  }

  /// A connection that stood is made again at once, but not one after the other.
  func noteLoss(at now: Int64) {
    use = nil
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

  /// A connection that has lasted this long was no failure.
  private static let lastingTime: Int64 = 1_000_000_000
}
