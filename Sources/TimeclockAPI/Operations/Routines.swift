import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Keeps the caller's progress in a workout or a round.
  static let putRoutine = Operation("putRoutine") { request in
    try request.requireNoQuery()
    let routine = try request.body { $0.routine() }
    let kept = try await request.timeclock.putRoutine(routine, by: request.requireMembership())
    var writer = JSONWriter()
    kept.write(to: &writer)
    return .json(writer.bytes)
  }

  /// Takes the caller's routine away.
  static let deleteRoutine = Operation("deleteRoutine") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteRoutine(by: request.requireMembership())
    return .noContent
  }
}

extension ObjectReader {
  /// The contract's RoutineRequest.
  func routine() -> RoutineRequest {
    RoutineRequest(
      name: optionalString("name"), startTime: optionalInstant("startTime"),
      currentItem: optionalString("currentItem"), currentSet: integer("currentSet"),
      totalSets: integer("totalSets"), itemsCompleted: integer("itemsCompleted"),
      totalItems: integer("totalItems"))
  }
}
