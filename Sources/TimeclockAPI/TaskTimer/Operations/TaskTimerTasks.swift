import HTTPMessages
import Procedures
import Threads
import TimeclockDomain

extension Operation {
  /// Lists the tasks of the caller's timer, with their events.
  static let taskTimerListTasks = Operation("taskTimerListTasks") { request in
    let isHidden = try request.query { $0.bool("hidden") } ?? false
    try request.requireNoBody()
    let list = try await LongTimerList(request)
    return try await list.array { (timer: TaskTimer) async throws -> ([WorkTask], Set<TaskID>) in
      let tasks = try await timer.tasks(isHidden: isHidden)
      return (tasks, try await timer.tasksWithEvents(among: tasks))
    } _: { timer, found, pieces in
      let (tasks, withEvents) = found
      for (index, task) in tasks.enumerated() {
        if index > 0 { pieces.bytes.append(UInt8(ascii: ",")) }
        try await timer.write(task, hasEvents: withEvents.contains(task.id), to: &pieces)
        try await pieces.flush()
      }
    }
  }

  /// Makes a task of the caller's own.
  static let taskTimerCreateTask = Operation("taskTimerCreateTask") { request in
    try request.requireNoQuery()
    let new: Stated<WorkTask> = try request.openBody { $0.stated(forNew: true, of: ["name"]) }
    let timer = try await request.taskTimer()
    return .json(status: .created, try await timer.payload(of: timer.createTask(new)))
  }

  /// Returns one task with its events.
  static let taskTimerGetTask = Operation("taskTimerGetTask") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let list = try await LongTimerList(request)
    let id: TaskID = try request.onlyPathIdentifier(.task)
    return try await list.answer { try await $0.payload(of: $0.task(id)) }
  }

  /// Renames, hides or shows one of the caller's own tasks.
  static let taskTimerUpdateTask = Operation("taskTimerUpdateTask") { request in
    try request.requireNoQuery()
    let changes: Stated<WorkTask> = try request.openBody { $0.stated(forNew: false, of: ["name", "hidden"]) }
    let timer = try await request.taskTimer()
    return .json(try await timer.payload(of: timer.updateTask(request.onlyPathIdentifier(.task), changes)))
  }

  /// Hides one of the caller's own tasks, and stops its timer.
  static let taskTimerHideTask = Operation("taskTimerHideTask") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let timer = try await request.taskTimer()
    try await timer.hideTask(request.onlyPathIdentifier(.task))
    return .json(
      JSONWriter.object { writer in
        writer.member("success", true)
        writer.member("taskHidden", true)
      })
  }
}

extension TaskTimer {
  /// The contract's TaskTimerTask.
  fileprivate func payload(of task: WorkTask) async throws -> [UInt8] {
    let collected = BytesCollector()
    return try await LongWorkExecutor.run {
      var pieces = LongTimerList.Pieces(to: collected)
      try await write(task, hasEvents: true, to: &pieces)
      try await pieces.end()
      return await collected.bytes
    }
  }

  /// Writes the contract's TaskTimerTask, a page of its events at a time.
  fileprivate func write(
    _ task: WorkTask, hasEvents: Bool, to pieces: inout LongTimerList.Pieces
  ) async throws {
    var head = JSONWriter.object { writer in
      task.writeForTimer(to: &writer, of: caller.userID)
      writer.array("events", [] as [Segment]) { $1.writeForTimer(to: &$0) }
    }
    // The array's end and the object's.
    head.removeLast(2)
    pieces.bytes += head
    var isFirst = true
    var page = hasEvents ? try await eventPage(of: task.id) : nil
    while let events = page {
      for event in events.elements {
        if !isFirst { pieces.bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        var writer = JSONWriter()
        event.writeForTimer(to: &writer)
        pieces.bytes += writer.bytes
      }
      try await pieces.flush()
      page = try await eventPage(of: task.id, behind: events)
    }
    pieces.bytes += Array("]}".utf8)
  }
}

/// Keeps the bytes of one answer.
private actor BytesCollector: HTTPBodyWriter {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) async throws {
    self.bytes += bytes
  }
}
