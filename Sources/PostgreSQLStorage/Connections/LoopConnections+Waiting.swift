import EventLoops
import TimeclockDomain

/// The waiting of calls for a connection: its length, its order, and the number of attempts.
extension LoopConnections {
  /// The time until which a call that begins now may wait for a connection, in the loop's nanoseconds, so that the
  /// answer is there before the task's `StorageDeadline`.
  ///
  /// - Throws: `.unavailable` if there is no time left for an answer.
  func waitingDeadline() throws -> Int64 {
    guard let deadline = StorageDeadline.current else { return loop.now + patience }
    let left = (deadline.end - .now).components
    let time = left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000 - Self.answerTime
    guard time > 0 else { throw Self.unavailable }
    return loop.now + min(time, patience)
  }

  /// The place of a statement with this deadline among others: most often the end.
  func place(in queue: [WaitingQuery], _ deadline: Int64) -> Int {
    guard let last = queue.last, last.deadline > deadline else { return queue.count }
    return queue.firstIndex { $0.deadline > deadline } ?? queue.count
  }

  /// The place of statements that are tried again: before those that came later, which have later deadlines too.
  func place(in queue: [WaitingQuery], before again: [WaitingQuery]) -> Int {
    queue.firstIndex { $0.deadline > again.last?.deadline ?? .max } ?? queue.count
  }

  /// The statements to try again, each without company, of a group that was certainly not done or may be done twice.
  /// The rest is answered, because it is out of patience, or would fail again. A statement that failed in a group may
  /// be innocent; one that failed alone is not.
  func worthTryingAgain(_ group: [WaitingQuery], after error: PostgreSQLError) -> [WaitingQuery] {
    let isWorthIt = error.mayPass
    var again: [WaitingQuery] = []
    var isReported = false
    for var waiting in group {
      // A statement that waits for a lock has time until the deadline.
      if !error.isLockTimeout { waiting.attemptCount += 1 }
      if (isWorthIt || group.count > 1), waiting.attemptCount < Self.attemptLimit, waiting.deadline > loop.now
      {
        waiting.isAlone = true
        again.append(waiting)
      } else {
        if !isReported { report(error) }
        isReported = true
        waiting.continuation.resume(throwing: isWorthIt ? Self.unavailable : error.refusal)
      }
    }
    return again
  }

  /// Refuses the statements of a group about an organization that is not here any more.
  ///
  /// - Parameter culprit: The place of the statement that has failed; nil if it is not known.
  /// - Returns: The others, which had nothing to do with it; nil if the group has failed for another reason.
  func withoutDeparted(
    _ group: [WaitingQuery], after error: PostgreSQLError, _ culprit: Int?
  ) -> [WaitingQuery]? {
    guard let refusal = error.departure, let culprit, group.indices.contains(culprit),
      let owner = group[culprit].query.scope.setting
    else { return nil }
    departures.note(refusal, of: owner, at: loop.now)
    for waiting in group where waiting.query.scope.setting == owner {
      waiting.continuation.resume(throwing: refusal)
    }
    return group.filter { $0.query.scope.setting != owner }
  }

  /// The time for which a connection may owe an answer, in nanoseconds. The server ends statements before
  /// (`EstablishedConnection.sessionSettings`).
  static let answerTime: Int64 = 5_000_000_000
  private static let attemptLimit = 5
}
