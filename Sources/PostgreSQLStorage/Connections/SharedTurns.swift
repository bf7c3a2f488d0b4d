import Procedures
import TimeclockDomain

/// Work that one of the processes on a database does for all of them.
struct SharedTurn: Hashable, Sendable {
  /// The first number of its advisory locks, and nothing else's.
  let key: Int64
  /// The time after which the turn has to be taken again, in milliseconds.
  let length: Int64

  /// Sealing, as long as there is something to seal.
  static let sealing = SharedTurn(key: 0x7365_6172, length: 5_000)
}

/// The turns of this process at work that one of the processes on a database does for all of them.
///
/// A turn is an advisory lock of the session that listens, so it ends with the process
/// (postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS). It is about a stretch of the database's clock, and
/// somebody else may take the next: a process that hangs keeps others from nothing for longer than that. Nobody waits for
/// a turn, and nothing relies on it but the saving of work: two that are at it are right as well.
///
/// `@unchecked Sendable`: used on the listener's loop only.
final class SharedTurns: @unchecked Sendable {
  /// A turn that was taken.
  private struct Taken {
    /// The session that has the lock, by the listener's count.
    var session: Int
    /// The number of the stretch.
    var stretch: Int64
  }

  private let listener: AccessListener
  private var taken: [SharedTurn: Taken] = [:]

  init(_ listener: AccessListener) {
    self.listener = listener
  }

  /// Takes the turn, or keeps it. One task at a time calls it for a turn.
  ///
  /// - Returns: Whether it is this process's now; true also while there is no session to ask, for the work must be done.
  func take(_ turn: SharedTurn) async -> Bool {
    let session = listener.sessionCount
    let before = taken[turn].flatMap { $0.session == session ? $0.stretch : nil } ?? -1
    taken[turn] = nil
    let answer = await listener.runInSession(
      PostgreSQLQuery(
        Self.take, [.integer(turn.key), .integer(turn.length), .integer(before)], in: .noOrganization)
    )?.first { (stretch: $0.integer(0), isTaken: $0.bool(1)) }
    guard let answer else { return true }
    if answer.isTaken { taken[turn] = Taken(session: session, stretch: answer.stretch) }
    return answer.isTaken
  }

  /// Leaves the rest of the turn to others.
  func end(_ turn: SharedTurn) async {
    guard let held = taken.removeValue(forKey: turn), held.session == listener.sessionCount else { return }
    _ = await listener.runInSession(
      PostgreSQLQuery(Self.end, [.integer(turn.key), .integer(held.stretch)], in: .noOrganization))
  }

  /// The number of the stretch, and whether it is the session's; ends the turn before.
  private static let take = PostgreSQLStatement(
    """
    SELECT s.number, CASE WHEN s.number = $3::bigint THEN true \
    ELSE pg_try_advisory_lock($1::bigint::int, s.number::int) END, \
    CASE WHEN $3::bigint >= 0 AND s.number <> $3::bigint \
    THEN pg_advisory_unlock($1::bigint::int, $3::bigint::int) END \
    FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000 / $2::bigint)::bigint % 2147483647 AS number \
    OFFSET 0) s
    """)

  private static let end = PostgreSQLStatement(
    "SELECT 1::bigint FROM pg_advisory_unlock($1::bigint::int, $2::bigint::int)")
}

extension SharedTurn {
  fileprivate init(_ work: SharedWork) {
    self =
      switch work {
      case .jobs: SharedTurn(key: 0x6a6f_6273, length: 60_000)
      case .counting: SharedTurn(key: 0x636f_756e, length: 60_000)
      }
  }
}

extension PostgreSQLStorage {
  package func takesTurn(at work: SharedWork) async -> Bool {
    let isOurs = await takesTurn(at: SharedTurn(work))
    // Changes that a process was about to seal when it was killed are looked for with everything else.
    if isOurs, work == .jobs { noteChange() }
    return isOurs
  }

  /// Whether this process is to do the work now.
  func takesTurn(at turn: SharedTurn) async -> Bool {
    await onOwnLoop { await $0.take(turn) } ?? false
  }

  /// Leaves the work to others, or to a later turn of its own.
  func endTurn(at turn: SharedTurn) async {
    await onOwnLoop { await $0.end(turn) }
  }
}
