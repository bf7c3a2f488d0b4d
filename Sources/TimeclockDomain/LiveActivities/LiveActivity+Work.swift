extension LiveActivity {
  /// The time after which a running count is out of date, in milliseconds: 8 hours, which is as long as the system
  /// shows one.
  static let longest: Int64 = 28_800_000

  /// Work on a task; over if something else is done, or nothing.
  package static func task(_ clock: ClockState, _ names: LiveActivityNames) -> LiveActivity {
    guard let segment = clock.segment, let task = segment.purpose.taskID else {
      return LiveActivity(over: .task, .immediate, at: clock.time)
    }
    return LiveActivity(
      .task,
      LiveActivityContent(
        activity: segment.id.text,
        attributes: [
          LiveActivityMember("taskId", .text(task.text)),
          LiveActivityMember("taskName", .text(names.task ?? ""), .detail),
        ],
        state: [
          LiveActivityMember("startTime", .date(segment.startTime)),
          LiveActivityMember("elapsedSeconds", .count(clock.segmentSeconds), .running),
        ], staleDate: segment.startTime.adding(milliseconds: longest)), at: clock.time)
  }

  /// The time since the clock-in and of the day; over for a member who is out.
  package static func work(_ clock: ClockState, _ names: LiveActivityNames) -> LiveActivity {
    guard let entry = clock.timeEntry else { return LiveActivity(over: .work, .immediate, at: clock.time) }
    // Of the day's seconds those that do not run.
    let runsToday = clock.entries.contains { $0.id == entry.id }
    let earlier = clock.dailySeconds - (runsToday ? clock.sessionSeconds : 0)
    var state = [
      LiveActivityMember("startTime", .date(entry.clockInTime)), LiveActivityMember("isRunning", .flag(true)),
    ]
    if let name = names.project ?? names.task {
      state.append(LiveActivityMember("activeProjectName", .text(name), .detail))
      if let color = names.color {
        state.append(LiveActivityMember("activeProjectColor", .text(color.text), .detail))
      }
    }
    func running(_ name: String, _ seconds: Int64) -> LiveActivityMember {
      LiveActivityMember(name, .seconds(milliseconds: seconds * 1_000), .running)
    }
    state += [
      running("currentSessionTime", clock.sessionSeconds), running("dailyTotalTime", clock.dailySeconds),
    ]
    return LiveActivity(
      .work,
      LiveActivityContent(
        activity: entry.id.text, attributes: [LiveActivityMember("timerName", .text("Work"))], state: state,
        staleDate: entry.clockInTime.adding(milliseconds: longest),
        origins: [clock.segment?.id.text ?? "", "\(runsToday) \(earlier)"]), at: clock.time)
  }
}
