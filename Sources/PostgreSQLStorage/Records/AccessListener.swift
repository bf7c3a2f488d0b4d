import EventLoops
import Synchronization
import TimeclockDomain

/// Listens for changes that other processes make to tokens and memberships, and empties the cache then
/// (postgresql.org/docs/current/sql-notify.html); for logs that have grown, in any process, which the bus announces;
/// and for timers that other processes have changed.
///
/// A connection that has died in silence brings no notification. So the cache may be used only for a moment after the
/// listening connection has last answered, from the session that listens: a revocation by another process holds here within
/// a second, even if the network fails or something between has exchanged the session.
///
/// `@unchecked Sendable`: `trustedUntil`, `isWanted` and `isWoken` are atomic; everything else is used on the loop's
/// thread only.
final class AccessListener: EventLoopClient, @unchecked Sendable {
  static let channel = "timeclock_access"
  /// The channel of grown logs; a notification's payload is the number of the organization's row.
  static let changeChannel = "timeclock_changes"

  private let loop: EventLoop
  private let connector: Connector
  private let access: AccessCache
  private let changeBus: ChangeBus
  private let timers: TimerNotices
  private let slot = ConnectionSlot()
  private var isListening = false
  private var isAsking = false
  private var isClosed = false
  private var nextQuestion: Int64 = .max
  private var lastUse: Int64 = 0
  private var clocks = ClockComparison()
  /// The server process of the session that listens.
  private var backend: Int64?
  /// The number of sessions that have listened: what an earlier one has locked is free.
  private(set) var sessionCount = 0
  /// Whether it was logged that nothing is heard.
  private var isDeaf = false

  /// The time until which the cache may be used, in the loop's nanoseconds.
  private let trustedUntil = Atomic<Int64>(0)
  /// Whether somebody has wanted the cache since the last question.
  private let isWanted = Atomic(false)
  /// Whether the loop has been woken to ask again, and has not done so yet.
  private let isWoken = Atomic(false)

  init(
    loop: EventLoop, connector: Connector, access: AccessCache, changeBus: ChangeBus, timers: TimerNotices
  ) {
    self.changeBus = changeBus
    self.timers = timers
    self.loop = loop
    self.connector = connector
    self.access = access
    loop.perform { [self] in loop.add(self) }
  }

  /// Whether the cache may be used at this moment. Asking keeps the connection in use.
  func isTrusted(at now: Int64) -> Bool {
    isWanted.store(true, ordering: .relaxed)
    let isTrusted = now < trustedUntil.load(ordering: .acquiring)
    if !isTrusted, !isWoken.exchange(true, ordering: .relaxed) {
      loop.perform { [self] in
        isWoken.store(false, ordering: .relaxed)
        nextQuestion = min(nextQuestion, loop.now)
      }
    }
    return isTrusted
  }

  var nextDeadline: Int64 {
    guard !isClosed else { return .max }
    return min(slot.deadline, isListening && !isAsking ? nextQuestion : .max)
  }

  func turnEnded() {
    guard !isClosed else { return }
    switch slot.state {
    case .waiting(let time) where time <= loop.now: connect()
    case .connected(let connection):
      connection.checkDeadline(loop.now)
      if isListening, !isAsking, nextQuestion <= loop.now { ask(connection) }
    default: break
    }
  }

  /// Stops listening. On the loop's thread.
  func close() {
    assert(loop.isExclusive)
    isClosed = true
    distrust()
    slot.connection?.close()
  }

  /// Runs a statement in the session that listens, for locks that end with it. On the loop's thread.
  ///
  /// - Returns: Nil if there is no such session now, or the statement has failed.
  func runInSession(_ query: PostgreSQLQuery) async -> PostgreSQLRows? {
    assert(loop.isExclusive)
    guard !isClosed, isListening, let connection = slot.connection else { return nil }
    return await withUnsafeContinuation { continuation in
      connection.send(
        QueryGroup([query], deadline: loop.now + Self.answerTime) { outcome in
          guard case .rows(let rows, _) = outcome else { return continuation.resume(returning: nil) }
          continuation.resume(returning: rows.last)
        })
    }
  }

  private func connect() {
    slot.noteConnecting()
    connector.connect(needsOwnSession: true) { [self] outcome in
      if !loop.perform({ self.take(outcome) }), case .success(let established) = outcome {
        established.close()
      }
    }
  }

  private func take(_ outcome: Result<EstablishedConnection, any Error>) {
    assert(loop.isExclusive)
    do {
      let established = try outcome.get()
      guard !isClosed else { return established.close() }
      let connection = try PostgreSQLConnection(established, on: loop) { [unowned self] _, _ in
        distrust()
        slot.noteLoss(at: loop.now)
      }
      connection.onNotification = { [access, changeBus, timers] channel, payload in
        if channel == Self.channel {
          access.invalidate()
        } else if channel == TimerNotices.channel {
          timers.hear(payload)
        } else if let number = Int64(payload) {
          changeBus.announce(OrganizationKey(number))
        }
      }
      slot.noteConnected(connection, at: loop.now)
      connector.noteConnected()
      listen(on: connection)
    } catch {
      slot.noteFailure(at: loop.now)
      if error is SharedSession { noteDeaf() } else { connector.noteFailure(error) }
    }
  }

  private func listen(on connection: PostgreSQLConnection) {
    isAsking = false
    let queries = (Self.listen + [Self.backend]).map { PostgreSQLQuery($0, [], in: .noOrganization) }
    connection.send(
      QueryGroup(queries, deadline: loop.now + Self.answerTime) { [self, unowned connection] outcome in
        guard case .rows(let rows, _) = outcome else { return connection.end(.connectionLost) }
        backend = rows.last?.first { $0.integer(0) }
        // An entry that was read before may have missed a change, and so may a listener.
        access.invalidate()
        changeBus.announceAll()
        timers.announcements.announceAll()
        isListening = true
        sessionCount += 1
        nextQuestion = loop.now
      })
  }

  /// Asks whether the connection is alive and its session listens, by the server's time, as long as somebody uses the cache.
  private func ask(_ connection: PostgreSQLConnection) {
    if isWanted.exchange(false, ordering: .relaxed) { lastUse = loop.now }
    guard loop.now - lastUse < Self.idleTime else {
      nextQuestion = .max
      return
    }
    isAsking = true
    let askedAt = loop.now
    let wallTime = WallClock.system.now.millisecondsSince1970
    connection.send(
      QueryGroup(
        [PostgreSQLQuery(Self.question, [], in: .noOrganization)], deadline: askedAt + Self.answerTime
      ) {
        [self, unowned connection] outcome in
        isAsking = false
        guard case .rows(let rows, _) = outcome,
          let answer = rows.first?.first({
            (time: $0.integer(0), backend: $0.integer(1), channels: $0.integer(2))
          })
        else { return connection.end(.connectionLost) }
        guard answer.backend == backend, answer.channels == Self.channels.count else {
          noteDeaf()
          return connection.end(.connectionLost)
        }
        noteHearing()
        compareClocks(answer.time, askedAt: wallTime)
        trustedUntil.store(askedAt + Self.trustTime, ordering: .releasing)
        nextQuestion = askedAt + Self.questionInterval
      })
  }

  /// Logs once that notifications do not come. Until they do, tokens and memberships are asked for at each request.
  private func noteDeaf() {
    guard !isDeaf else { return }
    isDeaf = true
    connector.report(
      """
      PostgreSQL's notifications do not arrive, as something between shares or exchanges sessions: have poolers pool sessions, \
      or give --database the server's own address. Until then nothing is remembered about tokens.
      """)
  }

  private func noteHearing() {
    guard isDeaf else { return }
    isDeaf = false
    connector.report("PostgreSQL's notifications arrive again.")
  }

  private func compareClocks(_ server: Int64, askedAt: Int64) {
    let now = WallClock.system.now.millisecondsSince1970
    if let line = clocks.note(server: server, asked: askedAt, answered: now) { connector.report(line) }
  }

  private func distrust() {
    isListening = false
    isAsking = false
    trustedUntil.store(0, ordering: .releasing)
    access.invalidate()
  }

  private static let channels = [channel, changeChannel, TimerNotices.channel]
  private static let listen = channels.map { PostgreSQLStatement("LISTEN \($0)") }
  private static let backend = PostgreSQLStatement("SELECT pg_backend_pid()::bigint")
  private static let question = PostgreSQLStatement(
    """
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_backend_pid()::bigint, \
    (SELECT count(*) FROM pg_listening_channels() AS c WHERE c IN ('\(channels.joined(separator: "', '"))'))
    """)
  /// Less than the second in which a revocation must hold everywhere, by the time that a notification takes.
  private static let trustTime: Int64 = 800_000_000
  private static let questionInterval: Int64 = 250_000_000
  private static let answerTime: Int64 = 2_000_000_000
  /// The time after the last use of the cache for which the connection is still asked, in nanoseconds.
  private static let idleTime: Int64 = 2_000_000_000
}
