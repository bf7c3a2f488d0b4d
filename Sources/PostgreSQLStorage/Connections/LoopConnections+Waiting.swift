import EventLoops
import TimeclockDomain

/// How long calls wait for a connection, in which order, and how often they are tried.
extension LoopConnections {
  /// Until when what is asked now may wait for a connection, in the loop's nanoseconds, so that the answer is there
  /// before the task's `StorageDeadline`.
  ///
  /// - Throws: `.unavailable` where there is no time left for an answer.
  func waitingDeadline() throws -> Int64 {
    guard let deadline = StorageDeadline.current else { return loop.now + Self.patience }
    let left = (deadline.end - .now).components
    let time = left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000 - Self.answerTime
    guard time > 0 else { throw Self.unavailable }
    return loop.now + min(time, Self.patience)
  }

  /// Where something with this deadline stands among others: most often at the end.
  func place(in queue: [WaitingQuery], _ deadline: Int64) -> Int {
    guard let last = queue.last, last.deadline > deadline else { return queue.count }
    return queue.firstIndex { $0.deadline > deadline } ?? queue.count
  }

  /// Where what is tried again stands: before what came later, which has later deadlines too.
  func place(in queue: [WaitingQuery], before again: [WaitingQuery]) -> Int {
    queue.firstIndex { $0.deadline > again.last?.deadline ?? .max } ?? queue.count
  }

  /// What is to be tried again of what was certainly not done, or may be done twice: each without company. The rest is
  /// answered, because it is out of patience, or would fail again. A statement that failed in company may have had nothing
  /// to do with it; one that failed alone has.
  func worthTryingAgain(_ group: [WaitingQuery], after error: PostgreSQLError) -> [WaitingQuery] {
    let isWorthIt = error.mayPass
    var again: [WaitingQuery] = []
    var isReported = false
    for var waiting in group {
      // Who waits for a lock has time until the deadline.
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

  /// How long a call of the storage waits for a connection at most, all attempts together.
  static let patience: Int64 = 3_000_000_000
  /// How long a connection may owe an answer. The server ends statements before
  /// (`EstablishedConnection.sessionSettings`).
  static let answerTime: Int64 = 5_000_000_000
  private static let attemptLimit = 5
}
