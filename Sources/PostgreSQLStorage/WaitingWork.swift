/// What waits for a connection.
protocol WaitingWork {
  associatedtype Answer
  /// When the caller is told that it did not work, in the loop's nanoseconds.
  var deadline: Int64 { get }
  var continuation: UnsafeContinuation<Answer, any Error> { get }
}

extension WaitingWork {
  /// Tells the caller that it did not work.
  func refuse() { continuation.resume(throwing: LoopConnections.unavailable) }
}

/// A statement that waits for a connection, or for its answer.
struct WaitingQuery: WaitingWork {
  let query: PostgreSQLQuery
  /// The order in which the writes of a batch lock what they write, so that two batches cannot wait for each
  /// other.
  let lockOrder: LockOrder
  let deadline: Int64
  /// How often it was tried.
  var attemptCount = 0
  /// Whether it was in a batch that failed, and so is tried without company.
  var isAlone = false
  let continuation: UnsafeContinuation<PostgreSQLRows, any Error>

  /// What a write locks first.
  struct LockOrder: Comparable {
    let first: Int64
    let second: Int64

    static func < (one: LockOrder, other: LockOrder) -> Bool {
      (one.first, one.second) < (other.first, other.second)
    }
  }
}

/// A transaction that waits for a connection to itself.
struct WaitingTransaction: WaitingWork {
  let deadline: Int64
  let continuation: UnsafeContinuation<LeasedConnection, any Error>
}

/// A connection that one transaction has to itself. It may have ended since; its slot may have another by now.
struct LeasedConnection: Sendable {
  let slot: ConnectionSlot
  let connection: PostgreSQLConnection
}
