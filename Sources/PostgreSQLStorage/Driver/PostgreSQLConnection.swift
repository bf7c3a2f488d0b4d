import CPostgreSQL
import EventLoops

/// One connection in pipeline mode: sends groups of statements and completes them in order, without ever
/// waiting for the server (postgresql.org/docs/current/libpq-pipeline-mode.html).
///
/// Used on one event loop's thread only, or, once that loop has ended, by the one thread that closes it; hence
/// `@unchecked Sendable`.
final class PostgreSQLConnection: DescriptorWatcher, @unchecked Sendable {
  private let handle: OpaquePointer
  private let descriptor: Int32
  private let loop: EventLoop
  /// Called once, when the connection has ended by itself.
  private let onLoss: (PostgreSQLConnection, PostgreSQLError) -> Void
  /// Called for every notification that came in.
  var onNotification: ((_ channel: String, _ payload: String) -> Void)?

  /// Groups that were sent and are not answered, oldest first; those before `firstGroup` are done.
  private var groups: [QueryGroup] = []
  private var firstGroup = 0
  /// Whether the server has each statement under its name, by the statement's number.
  private var isPrepared: [Bool] = []
  private var isOpen = true
  private var isWritingBlocked = false
  private let receiver: NoticeReceiver
  private let serverClockOffset: Int64
  private var lastNaming: (setting: RowScope.Setting, isReading: Bool, query: PostgreSQLQuery)?
  /// Gives the text that is sent instead of a statement's own, for tests; nil in service.
  private let rewrite: StatementRewriting?

  /// The number of statements that the server has not answered.
  private(set) var queryCount = 0

  /// Takes over a connection that stands, and puts it into pipeline mode.
  ///
  /// - Throws: `PostgreSQLError` if the loop cannot watch it; the connection is closed then.
  init(
    _ established: EstablishedConnection, on loop: EventLoop, rewrite: StatementRewriting? = nil,
    onLoss: @escaping (PostgreSQLConnection, PostgreSQLError) -> Void
  ) throws {
    handle = established.handle
    serverClockOffset = established.serverClockOffset
    self.loop = loop
    self.rewrite = rewrite
    self.onLoss = onLoss
    descriptor = PQsocket(handle)
    receiver = NoticeReceiver()
    PQsetNoticeReceiver(handle, NoticeReceiver.receive, Unmanaged.passUnretained(receiver).toOpaque())
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1,
      loop.watch(descriptor, .readable, self)
    else {
      PQfinish(handle)
      throw PostgreSQLError.connectionLost
    }
  }

  /// The statement before COMMIT, so that nothing is committed after the caller has got "outcome unknown".
  ///
  /// - Parameter deadline: The time at which the client gives the answer up, in the loop's nanoseconds.
  func fence(_ deadline: Int64) -> PostgreSQLQuery {
    CommitFence.query(before: deadline, serverClockOffset: serverClockOffset)
  }

  /// Whether nothing is under way.
  var isIdle: Bool { firstGroup == groups.count }

  /// The time by which the oldest group must be answered.
  var deadline: Int64 { isIdle ? .max : groups[firstGroup].deadline }

  /// Sends a group, as far as the network takes it now. `flush` sends the rest.
  ///
  /// The group is completed later, even if the connection ends.
  func send(_ group: QueryGroup) {
    assert(loop.isExclusive)
    guard isOpen else { return group.lose(.connectionLost) }
    groups.append(group)
    queryCount += group.queries.count
    var named = group.named
    for query in group.queries {
      if let setting = query.scope.setting, setting != named {
        guard send(nameRows(setting, isReading: group.isReading), as: .nameRows, of: group) else {
          return lose(libraryError())
        }
        named = setting
      }
      guard send(query, as: .execute, of: group) else { return lose(libraryError()) }
    }
    guard PQpipelineSync(handle) == 1 else { return lose(libraryError()) }
    flush()
  }

  /// Sends all waiting bytes.
  func flush() {
    assert(loop.isExclusive)
    guard isOpen else { return }
    switch PQflush(handle) {
    case 0: watchWriting(false)
    case 1: watchWriting(true)
    default: lose(libraryError())
    }
  }

  func handle(_ events: DescriptorEvents) {
    guard isOpen else { return }
    if events.has(.writable) { flush() }
    guard isOpen, events.has(.readable | .broken) else { return }
    let isReadable = PQconsumeInput(handle) == 1
    takeAnswers()
    takeNotifications()
    if isOpen, !isReadable || PQstatus(handle) == CONNECTION_BAD { lose(libraryError()) }
  }

  /// Gives the connection up if the server has not answered in time.
  func checkDeadline(_ now: Int64) {
    if now >= deadline { lose(.timedOut) }
  }

  /// Closes, and completes statements under way as lost. `onLoss` is not called.
  func close() {
    assert(loop.isExclusive)
    guard isOpen else { return }
    isOpen = false
    if loop.isCurrent { loop.unwatch(descriptor) }
    PQfinish(handle)
    let unanswered = groups[firstGroup...]
    groups = []
    firstGroup = 0
    queryCount = 0
    for group in unanswered { group.lose(.connectionLost) }
  }

  /// Ends a connection that is no good any more.
  func end(_ reason: PostgreSQLError) {
    lose(reason)
  }

  private func lose(_ reason: PostgreSQLError) {
    guard isOpen else { return }
    close()
    onLoss(self, reason)
  }

  private func libraryError() -> PostgreSQLError {
    PostgreSQLError(
      sqlState: "08006", endsConnection: true, message: ConnectionMessage.line(PQerrorMessage(handle)))
  }

  private func watchWriting(_ isBlocked: Bool) {
    guard isBlocked != isWritingBlocked else { return }
    isWritingBlocked = isBlocked
    loop.change(descriptor, to: isBlocked ? .readable | .writable : .readable)
  }
}

// Sending.
extension PostgreSQLConnection {
  private func send(_ query: PostgreSQLQuery, as step: QueryGroup.Step, of group: QueryGroup) -> Bool {
    if prepareIfNeeded(query.statement, query.scope) { group.steps.append(.prepare(query.statement)) }
    guard execute(query) else { return false }
    group.steps.append(step)
    return true
  }

  /// The statement that names rows, kept from the last time: most often it is the same organization again.
  private func nameRows(_ setting: RowScope.Setting, isReading: Bool) -> PostgreSQLQuery {
    if let lastNaming, lastNaming.setting == setting, lastNaming.isReading == isReading {
      return lastNaming.query
    }
    let query = setting.query(isReading: isReading)
    lastNaming = (setting, isReading, query)
    return query
  }

  /// Sends the statement's text under its name, if the server does not have it yet.
  private func prepareIfNeeded(_ statement: PostgreSQLStatement, _ scope: RowScope) -> Bool {
    guard !statement.isPlannedAnew else { return false }
    while isPrepared.count <= statement.number { isPrepared.append(false) }
    guard !isPrepared[statement.number] else { return false }
    isPrepared[statement.number] = true
    return PQsendPrepare(handle, statement.name, text(of: statement, scope), 0, nil) == 1
  }

  private func text(of statement: PostgreSQLStatement, _ scope: RowScope) -> String {
    rewrite?(statement.text, scope) ?? statement.text
  }

  private func execute(_ query: PostgreSQLQuery) -> Bool {
    let parameters = query.parameters
    let count = parameters.ends.count
    return parameters.bytes.withUnsafeBytes { bytes in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
          var start = 0
          for (index, end) in parameters.ends.enumerated() {
            // Lengths first, then the formats: all binary.
            numbers.initializeElement(at: index, to: Int32(clamping: (end ?? start) - start))
            numbers.initializeElement(at: count + index, to: 1)
            values.initializeElement(
              at: index,
              to: end.flatMap { _ in
                bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
              })
            start = end ?? start
          }
          let statement = query.statement
          let formats = numbers.baseAddress.map { $0 + count }
          return statement.isPlannedAnew
            ? PQsendQueryParams(
              handle, text(of: statement, query.scope), Int32(count), nil, values.baseAddress,
              numbers.baseAddress,
              formats, 1)
              == 1
            : PQsendQueryPrepared(
              handle, statement.name, Int32(count), values.baseAddress, numbers.baseAddress, formats, 1) == 1
        }
      }
    }
  }
}

// Receiving.
extension PostgreSQLConnection {
  private func takeAnswers() {
    var isBetweenAnswers = false
    while isOpen, !isIdle, PQisBusy(handle) == 0 {
      if let result = PQgetResult(handle) {
        isBetweenAnswers = false
        take(result)
      } else {
        // Between the answers of two statements there is nothing, once.
        guard !isBetweenAnswers else { return }
        isBetweenAnswers = true
      }
    }
  }

  private func take(_ result: OpaquePointer) {
    let group = groups[firstGroup]
    if receiver.takeWarning() { group.hasWarning = true }
    switch PQresultStatus(result) {
    case PGRES_PIPELINE_SYNC:
      PQclear(result)
      finish(group)
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
      let step = nextStep(of: group)
      if case .execute = step { group.rows.append(PostgreSQLRows(result)) } else { PQclear(result) }
    case PGRES_PIPELINE_ABORTED:
      forget(nextStep(of: group))
      PQclear(result)
    default:
      forget(nextStep(of: group))
      let error = PostgreSQLError(result)
      PQclear(result)
      // An error that libpq itself has noticed says nothing about how far the server came.
      guard !error.sqlState.isEmpty else { return lose(libraryError()) }
      if group.error == nil { group.error = error }
    }
  }

  private func nextStep(of group: QueryGroup) -> QueryGroup.Step? {
    guard group.answeredStepCount < group.steps.count else { return nil }
    defer { group.answeredStepCount += 1 }
    return group.steps[group.answeredStepCount]
  }

  /// A statement that was to be prepared in a group that failed before has to be prepared again.
  private func forget(_ step: QueryGroup.Step?) {
    if case .prepare(let statement) = step { isPrepared[statement.number] = false }
  }

  private func finish(_ group: QueryGroup) {
    firstGroup += 1
    queryCount -= group.queries.count
    if isIdle {
      groups.removeAll(keepingCapacity: true)
      firstGroup = 0
    } else if firstGroup >= 64 {
      groups.removeFirst(firstGroup)
      firstGroup = 0
    }
    group.complete()
  }

  private func takeNotifications() {
    guard isOpen else { return }
    while let notification = PQnotifies(handle) {
      defer { PQfreemem(notification) }
      onNotification?(
        String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
    }
  }
}

/// Takes the server's notices. libpq would print them to standard error.
private final class NoticeReceiver {
  private var hasWarning = false

  /// Whether there was a warning since the last call. The one that matters: a commit that was given up waiting
  /// for its standby succeeds with a warning (postgresql.org/docs/current/warm-standby.html).
  func takeWarning() -> Bool {
    defer { hasWarning = false }
    return hasWarning
  }

  static let receive: PQnoticeReceiver = { receiver, result in
    guard let receiver, let result else { return }
    // PG_DIAG_SEVERITY_NONLOCALIZED.
    guard let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V"))) else { return }
    if String(cString: severity) == "WARNING" {
      Unmanaged<NoticeReceiver>.fromOpaque(receiver).takeUnretainedValue().hasWarning = true
    }
  }
}
