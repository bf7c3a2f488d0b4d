import TimeclockDomain

/// An event that reports a stored change to a person's devices.
struct TimerAnnouncement {
  let name: String
  /// JSON.
  let argument: [UInt8]

  /// The events by which a timer app hears of a change of the log, in their order.
  ///
  /// - Parameter userID: The person whose devices hear of it.
  static func all(of change: Change, for userID: UserID) -> [TimerAnnouncement] {
    let before = change.before?.record(of: WorkTask.self)
    if let task = change.after?.record(of: WorkTask.self) { return [of(task, before: before, for: userID)] }
    if let before { return [deleted(before.id)] }
    switch (change.before, change.after) {
    case (nil, .segment(let segment)) where segment.userID == userID: return ofNew(segment)
    case (.segment(let before), .segment(let after)) where after.userID == userID:
      return ofChange(from: before, to: after)
    case (.segment(let segment), nil) where segment.userID == userID && segment.endTime == nil:
      return stopped(segment)
    default: return []
    }
  }

  private static func of(_ task: WorkTask, before: WorkTask?, for userID: UserID) -> TimerAnnouncement {
    if let before, task.isHidden, !before.isHidden { return deleted(task.id) }
    let payload = JSONWriter.object { task.writeForTimer(to: &$0, of: userID) }
    return TimerAnnouncement(name: before == nil ? "task:created" : "task:updated", argument: payload)
  }

  private static func deleted(_ id: TaskID) -> TimerAnnouncement {
    TimerAnnouncement(name: "task:deleted", argument: Array("\"\(id.text)\"".utf8))
  }

  private static func ofNew(_ segment: Segment) -> [TimerAnnouncement] {
    guard segment.purpose.taskID != nil else { return [] }
    return segment.endTime == nil
      ? [TimerAnnouncement(name: "timer:started", argument: started(segment))] : [created(segment)]
  }

  private static func ofChange(from before: Segment, to after: Segment) -> [TimerAnnouncement] {
    guard before.endTime == nil else { return [] }
    guard after.endTime == nil else {
      return after.purpose.taskID == nil ? [] : [created(after)] + stopped(after)
    }
    guard after.purpose.taskID == before.purpose.taskID else { return stopped(before) + ofNew(after) }
    guard after.startTime != before.startTime, after.purpose.taskID != nil else { return [] }
    return [TimerAnnouncement(name: "timer:start-updated", argument: started(after))]
  }

  private static func created(_ segment: Segment) -> TimerAnnouncement {
    var writer = JSONWriter()
    segment.writeForTimer(to: &writer)
    return TimerAnnouncement(name: "event:created", argument: writer.bytes)
  }

  private static func stopped(_ segment: Segment) -> [TimerAnnouncement] {
    guard segment.purpose.taskID != nil else { return [] }
    return [
      TimerAnnouncement(
        name: "timer:stopped",
        argument: JSONWriter.object { writer in
          writer.member("taskId", segment.purpose.taskID)
          writer.member("duration", segment.endTime?.milliseconds(since: segment.startTime) ?? 0)
        })
    ]
  }

  /// The state of a timer that runs.
  ///
  /// - Parameter isState: Whether it says that it runs.
  static func started(_ segment: Segment, isState: Bool = false) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("taskId", segment.purpose.taskID)
      writer.member("startTime", segment.startTime.millisecondsSince1970)
      if isState { writer.member("running", true) }
    }
  }
}
