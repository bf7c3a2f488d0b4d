import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the caller's events, the newest first.
  static let taskTimerListEvents = Operation("taskTimerListEvents") { request in
    let taskID: TaskID? = try request.query { $0.anyIdentifier("taskId") }
    try request.requireNoBody()
    let list = try await LongTimerList(request)
    return try await list.array { (timer: TaskTimer) async throws -> [TaskID: WorkTask] in
      if let taskID { _ = try await timer.task(taskID) }
      let tasks = try await timer.tasks(isHidden: nil)
      return Dictionary(uniqueKeysWithValues: tasks.map { ($0.id, $0) })
    } _: { timer, byID, pieces in
      var isFirst = true
      var page = try await timer.eventPage(of: taskID)
      while let events = page {
        for event in events.elements {
          // An event of a task that the caller sees no more is not the caller's any more.
          guard let task = event.purpose.taskID.flatMap({ byID[$0] }) else { continue }
          if !isFirst { pieces.bytes.append(UInt8(ascii: ",")) }
          isFirst = false
          pieces.bytes += event.timerPayload(task)
        }
        try await pieces.flush()
        page = try await timer.eventPage(of: taskID, behind: events)
      }
    }
  }

  /// Stores an event; one that is there already is answered as it is.
  static let taskTimerCreateEvent = Operation("taskTimerCreateEvent") { request in
    try request.requireNoQuery()
    let event = try request.openBody { body in
      TaskTimerEvent(
        taskID: body.anyIdentifier("taskId"), name: body.optionalString("name"),
        duration: body.duration("duration", body.integer("duration")),
        startTime: body.optionalInstant("createdAt"))
    }
    let timer = try await request.taskTimer()
    let stored = try await timer.namingOverlaps { try await timer.record(event) }
    return .json(status: .created, stored.timerPayload(try await timer.task(event.taskID)))
  }

  /// Renames one of the caller's events, or gives it another length.
  static let taskTimerUpdateEvent = Operation("taskTimerUpdateEvent") { request in
    try request.requireNoQuery()
    let (name, duration) = try request.openBody { body in
      (
        body.optionalString("name"),
        body.optionalInteger("duration").map { body.duration("duration", $0) }
      )
    }
    let timer = try await request.taskTimer()
    let id: SegmentID = try request.onlyPathIdentifier(.segment)
    let changed = try await timer.namingOverlaps {
      try await timer.updateEvent(id, name: name, duration: duration)
    }
    let task: WorkTask? =
      if let id = changed.purpose.taskID { try await timer.timeclock.task(id, for: timer.caller) } else {
        nil
      }
    return .json(changed.timerPayload(task))
  }

  /// Deletes one of the caller's events.
  static let taskTimerDeleteEvent = Operation("taskTimerDeleteEvent") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let timer = try await request.taskTimer()
    try await timer.deleteEvent(request.onlyPathIdentifier(.segment))
    return .json(JSONWriter.object { $0.member("success", true) })
  }
}

extension ObjectReader {
  /// A length of time in milliseconds: at least one, at most a hundred years.
  fileprivate func duration(_ name: String, _ value: Int64) -> Int64 {
    let isSound = (1...3_155_760_000_000).contains(value)
    if !isSound { refuse(name, code: "invalid", "must be an integer from 1 to 3155760000000") }
    return isSound ? value : 1
  }
}

extension Segment {
  /// The contract's TaskTimerEvent with the name of its task.
  fileprivate func timerPayload(_ task: WorkTask?) -> [UInt8] {
    var writer = JSONWriter()
    writeForTimer(to: &writer, task: task)
    return writer.bytes
  }
}
