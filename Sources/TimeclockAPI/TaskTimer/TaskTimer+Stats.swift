import TimeclockDomain

/// The time of one task, in milliseconds.
struct TaskTimerTotal: Sendable {
  let task: WorkTask
  var total: Int64 = 0
  /// The part that lies in today.
  var today: Int64 = 0
}

extension TaskTimer {
  /// The times of all tasks that are not hidden, by their names. Only ended time counts.
  ///
  /// - Parameter zone: The zone whose calendar says what today is: 23 to 25 hours.
  func totals(in zone: Zone) async throws -> [TaskTimerTotal] {
    let date = zone.localDate(at: timeclock.clock.now)
    let today = zone.startOfDay(date)..<zone.startOfDay(date.adding(days: 1))
    let tasks = try await tasks(isHidden: false)
    var totals = Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, TaskTimerTotal(task: $0)) })
    var page = try await eventPage(of: nil)
    while let events = page {
      for event in events.elements { event.add(to: &totals, today: today) }
      page = try await eventPage(of: nil, behind: events)
    }
    return tasks.compactMap { totals[$0.id] }
  }
}

extension Segment {
  fileprivate func add(to totals: inout [TaskID: TaskTimerTotal], today: Range<Instant>) {
    guard let taskID = purpose.taskID, let endTime, var total = totals[taskID] else { return }
    total.total += endTime.milliseconds(since: startTime)
    let (start, end) = (max(startTime, today.lowerBound), min(endTime, today.upperBound))
    if start < end { total.today += end.milliseconds(since: start) }
    totals[taskID] = total
  }
}
