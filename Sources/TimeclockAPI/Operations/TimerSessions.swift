import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the sessions of the caller's timers, the newest start first.
  static let listTimerSessions = Operation("listTimerSessions") { request in
    let (dates, limit, cursor, list) = try request.query { query in
      let list = try request.list("listTimerSessions", query)
      return (query.dates(), query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.timerSessions(
      dates, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("timerSessions", of: list) { $1.write(to: &$0) }
  }

  /// Changes the caller's notes on a session.
  static let updateTimerSession = Operation("updateTimerSession") { request in
    try request.requireNoQuery()
    let id = try request.timerSessionID()
    let changes = try request.optionalBody { $0.timerSessionChanges() }
    let changed = try await request.timeclock.updateTimerSession(
      id, changes, by: request.requireMembership())
    return .json(changed.payload)
  }

  /// Deletes a session of the caller.
  static let deleteTimerSession = Operation("deleteTimerSession") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteTimerSession(
      request.timerSessionID(), by: request.requireMembership())
    return .noContent
  }
}

extension OperationRequest {
  /// Returns the id in the path. Text that is not an id is refused like an unknown id.
  fileprivate func timerSessionID() throws -> TimerSessionID {
    guard pathParameters.count == 2, let id = TimerSessionID(pathParameters[1]) else {
      throw TimeclockError.timerSessionNotFound
    }
    return id
  }
}

extension ObjectReader {
  /// The contract's UpdateTimerSessionRequest. Null is a value only for the label, project, task and notes, and takes each
  /// away.
  fileprivate func timerSessionChanges() -> TimerSessionChanges {
    func change<Value>(_ name: String, _ value: Value?, isStated: Bool) -> Value?? {
      isStated ? .some(value) : nil
    }
    let isStated = ["label", "projectId", "taskId", "notes"].map(has)
    return TimerSessionChanges(
      label: change("label", optionalString("label"), isStated: isStated[0]),
      projectID: change("projectId", optionalIdentifier("projectId"), isStated: isStated[1]),
      taskID: change("taskId", optionalIdentifier("taskId"), isStated: isStated[2]),
      notes: change("notes", optionalString("notes"), isStated: isStated[3]),
      isArchived: optionalBool("isArchived"))
  }
}
