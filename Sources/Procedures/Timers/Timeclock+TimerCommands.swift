import TimeclockDomain

extension Timeclock {
  /// The number of times that a queue is begun because the timer has changed meanwhile, or the queue is being applied by
  /// another request: with the pauses between them, three seconds.
  private static var queueAttempts: Int { 20 }

  /// The pause behind an attempt: others are at work, perhaps in another process, and each of them gets on.
  private static func pause(behind attempt: Int) -> Duration {
    .milliseconds(min(5 << min(attempt, 6), 200))
  }

  /// Applies commands that a client noted while offline: in the order of `commands`, each as of its time, all in one
  /// transaction. A command that came before gets its former answer, however often and in whichever parts a client
  /// sends its queue. A command that is older than the last one that was applied is stale, and is not applied; one that
  /// is older than a change by time alone takes that back, with its sessions.
  ///
  /// - Parameters:
  ///   - key: The name under which a command is remembered.
  ///   - answer: Writes the answer to a command, which is remembered.
  /// - Returns: The answer to each, in the order of `commands`.
  /// - Throws: `.unavailable`, also if the timer changes all the time, or the same queue is being applied for seconds;
  ///   `.storageFull`.
  package func applyTimerCommands(
    _ commands: [QueuedTimerCommand], by caller: Membership, key: (QueuedTimerCommand) -> TimerCommandKey,
    answer: @escaping @Sendable (TimerCommandResult) -> [UInt8]
  ) async throws -> [[UInt8]] {
    let now = clock.now
    var queue = TimerQueue(keys: commands.map(key))
    var orders: [Int: Result<TimedOrder, TimeclockError>] = [:]
    for attempt in 0..<Self.queueAttempts {
      if attempt > 0 { try? await Task.sleep(for: Self.pause(behind: attempt)) }
      // The timer first: answers remembered later have changed it, or nothing.
      let version = try await storage.timer(of: caller.key)?.version ?? MemberTimer.unused.version
      for index in queue.unanswered {
        if let before = try await storage.recordedAnswer(for: queue.keys[index].key, at: now) {
          queue.answers[index] = before
        }
      }
      let pending = queue.firstUnanswered
      for index in pending where orders[index] == nil {
        orders[index] = try await order(commands[index], by: caller, at: now)
      }
      let queued = pending.compactMap { index in
        orders[index].map { QueuedOrder(id: commands[index].id, order: $0, key: queue.keys[index]) }
      }
      do {
        let results = try await apply(queued, of: caller.key, version: version, at: now, answer)
        for (index, result) in zip(pending, results) { queue.answers[index] = result }
        let timer = try await queue.isAnyReused ? settledTimer(of: caller.key, at: now) : .unused
        return queue.bodies { index in
          answer(
            TimerCommandResult(
              id: commands[index].id, outcome: .refused(.idempotencyKeyReused), timer: timer, session: nil,
              time: max(now, timer.updatedAt)))
        }
      } catch is AnsweredBefore {
        // The same queue came twice at the same time.
      } catch TimeclockError.requestInProgress {
        // The same.
      } catch is TimerMovedOn {
        // Somebody has commanded the timer, or it has ended.
      }
    }
    throw TimeclockError.unavailable(retryAfterSeconds: 1)
  }

  /// Applies orders to a member's timer of a version, in one transaction that remembers the answers.
  private func apply(
    _ queued: [QueuedOrder], of member: MemberKey, version: Int64, at now: Instant,
    _ answer: @escaping @Sendable (TimerCommandResult) -> [UInt8]
  ) async throws -> [RecordedAnswer] {
    guard let first = queued.first else { return [] }
    @Sendable func recorded(_ index: Int) -> @Sendable ([TimerCommandResult]) -> RecordedAnswer {
      { results in
        RecordedAnswer(
          fingerprint: queued[index].key.fingerprint, salt: nil, status: 200, entityTag: nil, location: nil,
          body: answer(results[index]))
      }
    }
    var recording = AnswerRecording(key: first.key.key, time: now, answer: recorded(0))
    recording.lifetime = QueuedTimerCommand.memory
    recording.others = queued.indices.dropFirst().map { index in
      .init(
        key: queued[index].key.key, fingerprint: queued[index].key.fingerprint, answer: recorded(index))
    }
    let results = try await storage.changeTimer(of: member, recording: recording) { [self] change in
      guard change.timer.version == version else { throw TimerMovedOn() }
      var fold = fold(change.timer, at: now)
      let results = try queued.map { try fold.apply($0) }
      fold.settle(at: now)
      change.take(fold)
      return results
    }
    return queued.indices.map { recorded($0)(results) }
  }

  /// A command with its content checked, and its time.
  private func order(
    _ queued: QueuedTimerCommand, by caller: Membership, at now: Instant
  ) async throws -> Result<TimedOrder, TimeclockError> {
    do {
      let time = try StatedTime.backdated(queued.time, now: now, policy: caller.policy)
      return .success(TimedOrder(order: try await order(queued.command, by: caller, at: time), time: time))
    } catch let refusal as TimeclockError where !refusal.isOfService {
      return .failure(refusal)
    }
  }
}

/// A command that no rule about its content refuses, and the time that counts for it.
private struct TimedOrder: Sendable {
  let order: TimerOrder
  let time: Instant
}

/// A command in a queue, or the refusal of its content.
private struct QueuedOrder: Sendable {
  let id: TimerCommandID
  let order: Result<TimedOrder, TimeclockError>
  let key: TimerCommandKey
}

/// Thrown if a timer has changed since it was read.
private struct TimerMovedOn: Error {}

/// The commands of a request, and their answers so far.
private struct TimerQueue {
  let keys: [TimerCommandKey]
  var answers: [Int: RecordedAnswer] = [:]

  init(keys: [TimerCommandKey]) {
    self.keys = keys
  }

  var unanswered: [Int] { keys.indices.filter { answers[$0] == nil } }

  /// Those without an answer, each id once.
  var firstUnanswered: [Int] {
    var seen = Set<IdempotencyKey>()
    return unanswered.filter { seen.insert(keys[$0].key).inserted }
  }

  /// Whether an id was used for another command before.
  var isAnyReused: Bool { keys.indices.contains { answer(of: $0)?.fingerprint != keys[$0].fingerprint } }

  /// The answers in the order of the commands.
  ///
  /// - Parameter reused: Writes the answer to a command with the id of another.
  func bodies(_ reused: (Int) -> [UInt8]) -> [[UInt8]] {
    keys.indices.map { index in
      if let answer = answer(of: index), answer.fingerprint == keys[index].fingerprint {
        answer.body
      } else {
        reused(index)
      }
    }
  }

  /// The answer to the id of a command.
  private func answer(of index: Int) -> RecordedAnswer? {
    answers[index] ?? keys.firstIndex { $0.key == keys[index].key }.flatMap { answers[$0] }
  }
}

extension TimerFold {
  /// Applies a command of a queue.
  ///
  /// - Throws: No refusal, which is a result.
  fileprivate mutating func apply(_ queued: QueuedOrder) throws -> TimerCommandResult {
    var time = timer.updatedAt
    var session: TimerSession?
    var outcome = TimerCommandResult.Outcome.applied
    switch queued.order {
    case .failure(let refusal): outcome = .refused(refusal)
    case .success(let timed) where timed.time < timer.lastCommandTime ?? timed.time:
      time = timed.time
      outcome = .stale
    case .success(let timed):
      time = timed.time
      do {
        session = try applyQueued(timed.order, at: time).session
      } catch let refusal as TimeclockError {
        outcome = .refused(refusal)
      }
    }
    return TimerCommandResult(
      id: queued.id, outcome: outcome, timer: timer, session: session, time: instant(time))
  }
}
