import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Whether it is one of the app's own contract, whose errors have a form of their own.
  var isOfTaskTimer: Bool { path.hasPrefix("/api/") }
}

/// A refusal that names the conflict in the app's words.
struct TaskTimerConflict: Error {
  let refusal: TimeclockError
  let sentence: String
}

extension TaskTimer {
  /// Runs `body`, and makes a refusal for overlaps name the conflict.
  func namingOverlaps<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let refusal as TimeclockError {
      guard case .segmentOverlap(let segments, _) = refusal, let first = segments.first else { throw refusal }
      var task: WorkTask?
      if let id = first.purpose.taskID { task = try? await timeclock.task(id, for: caller) }
      throw TaskTimerConflict(
        refusal: refusal, sentence: "This would overlap with \"\(first.nameForTimer(task))\"")
    }
  }
}

extension Problem {
  /// The problem as the app reads it: a member `error` with a sentence beside those of every problem, and 400 `refused`
  /// for every refusal by a rule.
  ///
  /// - Parameter sentence: The sentence, if it is known already.
  func forTaskTimer(saying sentence: String? = nil) -> Problem {
    var problem = self
    if status.code == 422 { (problem.status, problem.code) = (.badRequest, "refused") }
    let error = sentence ?? TaskTimerWords.sentences[code] ?? detail
    let writeOthers = writeExtensions
    problem.writeExtensions = { writer in
      writeOthers?(&writer)
      writer.member("error", error)
    }
    return problem
  }
}

extension Problem {
  /// The sentence for an error of which a timer app hears over its socket.
  static func timerSentence(for error: any Error) -> String {
    switch error {
    case let conflict as TaskTimerConflict: conflict.sentence
    case let refusal as TimeclockError: TaskTimerWords.sentences[refusal.code] ?? refusal.detail
    // It is about the organization, the only parameter of a socket.
    case RequestError.invalidParameter(_): "You are in several organizations: state organizationID"
    case is RequestError: "Invalid request"
    default: "Internal server error"
    }
  }
}

/// The app's own sentences for errors.
private enum TaskTimerWords {
  static let sentences = [
    "invalid_credentials": "Invalid email or password", "missing_token": "Unauthorized",
    "invalid_token": "Unauthorized", "task_not_found": "Task not found",
    "segment_not_found": "Event not found",
    "end_not_after_start": "End time must be after start time",
    "in_future": "Start time cannot be in the future",
    "invalid_body": "Invalid request body", "malformed_json": "Invalid request body",
    "internal_error": "Internal server error",
  ]
}
