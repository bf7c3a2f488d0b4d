import Threads
import TimeclockDomain

/// Work that waits for a connection.
protocol WaitingWork {
  /// The time at which the caller is refused, in the loop's nanoseconds.
  var deadline: Int64 { get }
  /// Refuses the caller.
  func refuse()
}

/// A statement that waits for a connection, or for its answer.
struct WaitingQuery: WaitingWork {
  let query: PostgreSQLQuery
  /// The order in which the writes of a batch lock their rows, so that two batches cannot wait for each other.
  let lockOrder: LockOrder
  let deadline: Int64
  /// The number of attempts so far.
  var attemptCount = 0
  /// Whether it reads so much that others must not wait behind it.
  var isLong = false
  /// Whether it was in a group that failed, and so is tried without company.
  var isAlone = false
  /// The claim that keeps other work of this process from waiting for the lock that this statement has waited for in
  /// vain.
  var claim: LockClaim?
  let continuation: UnsafeContinuation<PostgreSQLRows, any Error>

  func refuse() { continuation.resume(throwing: LoopConnections.unavailable) }

  /// The lock that a write takes first.
  struct LockOrder: Hashable, Comparable {
    let first: Int64
    let second: Int64

    static func < (one: LockOrder, other: LockOrder) -> Bool {
      (one.first, one.second) < (other.first, other.second)
    }
  }
}

/// Work that waits for a connection to itself.
struct WaitingTransaction: WaitingWork {
  enum Work {
    case transaction(UnsafeContinuation<LeasedConnection, any Error>)
    /// A statement that has failed in company.
    case write(WaitingQuery)
  }

  let work: Work
  let kind: TransactionKind
  let deadline: Int64

  func refuse() {
    switch work {
    case .transaction(let continuation): continuation.resume(throwing: LoopConnections.unavailable)
    case .write(let waiting): waiting.refuse()
    }
  }
}

/// The kinds of transactions, by how far they may hold up others.
enum TransactionKind {
  /// A few statements on a few rows. The lock that it takes first, if that is known, is taken by one of them at a time.
  case short(locking: WaitingQuery.LockOrder? = nil)
  /// Many statements, or many rows: few at once, and one of an organization.
  case long(of: OrganizationKey)

  var isLong: Bool {
    if case .long = self { true } else { false }
  }
}

/// A connection that one transaction has to itself. It may have ended since; its slot may have another by now.
struct LeasedConnection: Sendable {
  let slot: ConnectionSlot
  let connection: PostgreSQLConnection
  let claim: LockClaim?
}

/// Work that waits for connections: the owners of its rows in turn, and each owner's work in the order of deadlines.
struct WaitingInTurn<Element: WaitingWork> {
  private var queue = QueueInTurn<RowScope.Setting?, Element>()
  /// A time before which none has to be refused.
  private(set) var nextDeadline = Int64.max

  var isEmpty: Bool { queue.isEmpty }

  var count: Int { queue.count }

  mutating func insert(_ element: Element, of owner: RowScope.Setting?) {
    // Work that begins again goes before work that came later.
    queue.insert(element, of: owner) { $0.deadline > element.deadline }
    nextDeadline = min(nextDeadline, element.deadline)
  }

  /// Takes the first in turn that may be taken.
  mutating func takeFirst(where mayTake: (Element) -> Bool = { _ in true }) -> Element? {
    let element = queue.takeFirst { _, element in mayTake(element) }
    if queue.isEmpty { nextDeadline = .max }
    return element
  }

  /// Takes the work that has waited too long; with `.max` all of it.
  mutating func takeExpired(at now: Int64) -> [Element] {
    guard nextDeadline <= now else { return [] }
    let expired = queue.removeAll { $0.deadline <= now }
    nextDeadline = .max
    queue.forEach { nextDeadline = min(nextDeadline, $0.deadline) }
    return expired
  }
}
