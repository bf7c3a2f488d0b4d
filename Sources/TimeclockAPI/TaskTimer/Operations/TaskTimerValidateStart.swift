import HTTPMessages

extension Operation {
  /// Returns whether the running timer could have begun at another time.
  static let taskTimerValidateStart = Operation("taskTimerValidateStart") { request in
    try request.requireNoQuery()
    let start = try request.openBody { $0.instant("newStartTime") }
    let timer = try await request.taskTimer()
    _ = try await timer.namingOverlaps { try await timer.checkStart(start) }
    return .json(JSONWriter.object { $0.member("valid", true) })
  }
}
