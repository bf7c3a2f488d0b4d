import Cryptography
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Applies timer commands that a client noted while offline.
  static let applyTimerCommands = Operation("applyTimerCommands") { request in
    try request.requireNoQuery()
    let commands = try request.body { body in
      body.objects("commands", count: 1...QueuedTimerCommand.maximumCount) { $0.queuedTimerCommand() }
    }
    let caller = try request.requireMembership()
    try request.rowCharge?.take(rows: commands.count)
    let results = try await request.timeclock.applyTimerCommands(commands, by: caller) { command in
      command.key(by: caller)
    } answer: { result in
      result.payload
    }
    let parts = results.joined(separator: [UInt8(ascii: ",")])
    return .json(Array("{\"results\":[".utf8) + parts + Array("]}".utf8))
  }
}

/// The words for the commands of a queue.
private enum CommandWord: String, CaseIterable {
  case start, pause, resume, adjust, skip, next, stop
}

extension ObjectReader {
  /// The contract's TimerCommandRequest.
  fileprivate func queuedTimerCommand() -> QueuedTimerCommand {
    let word: CommandWord? = choice("type")
    let start = optionalObject("timer") { $0.timerStart() }
    let seconds = optionalInteger("seconds")
    if let word {
      require("timer", isThere: start != nil, word == .start)
      require("seconds", isThere: seconds != nil, word == .adjust)
    }
    let command: TimerCommand =
      switch word {
      case .start: .start(start ?? StartTimerRequest(type: .focus))
      case .pause: .pause
      case .resume: .resume
      case .adjust: .adjust(seconds: seconds ?? 0)
      case .skip: .skip
      case .next: .next
      case .stop, nil: .stop
      }
    return QueuedTimerCommand(id: commandID(), time: instant("at"), command: command)
  }

  /// The id of the client's own.
  private func commandID() -> TimerCommandID {
    let text = string("id")
    if let id = TimerCommandID(text) { return id }
    refuse("id", code: "invalid", "must be a UUID")
    return .none
  }

  /// Refuses a member that a command of this type lacks, or must not have.
  private func require(_ name: String, isThere: Bool, _ isWanted: Bool) {
    guard isThere != isWanted else { return }
    if isWanted {
      refuse(name, code: "missing", "is missing, which a command of this type needs")
    } else {
      refuse(name, code: "conflict", "is not allowed in a command of this type")
    }
  }
}

extension QueuedTimerCommand {
  /// The name under which the command of a member is remembered: another member's with the same id is another one.
  fileprivate func key(by caller: Membership) -> TimerCommandKey {
    var name: [UInt8] = Array("timer command".utf8)
    for id in [caller.organizationID.text, caller.userID.text, id.text] { name += [0] + Array(id.utf8) }
    var content = name
    for part in [String(time.millisecondsSince1970)] + command.parts {
      // No text holds byte 255.
      content += [0xFF] + (part.map { Array($0.utf8) } ?? [0xFF])
    }
    return TimerCommandKey(
      key: IdempotencyKey(digest: SHA256.hash(name), user: caller.key.user),
      fingerprint: SHA256.hash(content))
  }
}

extension TimerCommand {
  /// Everything that distinguishes a command from another.
  fileprivate var parts: [String?] {
    switch self {
    case .start(let start): ["start"] + start.parts
    case .pause: ["pause"]
    case .resume: ["resume"]
    case .adjust(let seconds): ["adjust", String(seconds)]
    case .skip: ["skip"]
    case .next: ["next"]
    case .stop: ["stop"]
    }
  }
}

extension StartTimerRequest {
  fileprivate var parts: [String?] {
    [
      type.rawValue, durationSeconds.map { String($0) }, isCountdown.map { String($0) }, projectID?.text,
      taskID?.text, label, subject?.id, subject?.name, String(isAutomatic),
    ] + (routine?.parts ?? [])
  }
}

extension RoutineRequest {
  fileprivate var parts: [String?] {
    [name, startTime.map { String($0.millisecondsSince1970) }, currentItem]
      + [currentSet, totalSets, itemsCompleted, totalItems].map { String($0) }
  }
}

extension TimerCommandResult {
  /// The contract's TimerCommandResult.
  fileprivate var payload: [UInt8] {
    JSONWriter.object(capacity: 1_536) { writer in
      writer.member("id", id.text)
      writer.member("status", status)
      writer.member("problem", problem) { $1.write(to: &$0) }
      writer.name("timer")
      timer.write(to: &writer, at: time)
      writer.member("session", session) { $1.write(to: &$0) }
    }
  }

  private var status: String {
    switch outcome {
    case .applied: "applied"
    case .stale: "stale"
    case .refused(let error): String(error.status.code)
    }
  }

  /// The problem of the command's own operation, without the timer, which the answer holds already.
  private var problem: Problem? {
    guard case .refused(let error) = outcome else { return nil }
    var problem = Problem(error, at: time)
    problem.writeExtensions = nil
    return problem
  }
}
