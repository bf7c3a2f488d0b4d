import TimeclockDomain

extension ObjectReader {
  /// Reads the fields that a body states of a work schedule: its plan for each day, or as seconds that work days share.
  ///
  /// - Parameter isNew: Whether the body makes the schedule.
  func workSchedule(forNew isNew: Bool) -> Stated<WorkSchedule> {
    let seconds = optionalInteger("weeklySeconds")
    let days: Set<Weekday>? = optionalChoices("workDays")
    guard seconds != nil || days != nil else { return stated(forNew: isNew) }
    let others = WorkSchedule.shape.fields.map { "\($0.name)" }.filter { $0 != "secondsByWeekday" }
    var stated: Stated<WorkSchedule> = stated(forNew: isNew, of: Set(others))
    if optionalIntegerList("secondsByWeekday") != nil {
      refuse("secondsByWeekday", code: "conflict", "must not stand beside weeklySeconds and workDays")
    }
    guard let seconds, let days else {
      refuse(seconds == nil ? "weeklySeconds" : "workDays", code: "missing", "is missing")
      return stated
    }
    stated.state(\.secondsByWeekday) {
      try WeekPlan(weeklySeconds: seconds, workDays: Array(days)).secondsByWeekday
    }
    return stated
  }
}
