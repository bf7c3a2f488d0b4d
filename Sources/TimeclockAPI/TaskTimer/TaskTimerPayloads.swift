import TimeclockDomain

extension WorkTask {
  /// Writes the members of the contract's TaskTimerTask, without its events.
  ///
  /// - Parameter userID: The person whose list it stands in; a task of the organization belongs to everybody.
  func writeForTimer(to writer: inout JSONWriter, of userID: UserID) {
    writer.member("id", id)
    writer.member("name", name)
    writer.member("hidden", isHidden)
    writer.member("createdAt", createdAt)
    writer.member("updatedAt", updatedAt)
    writer.member("userId", userID)
  }
}

extension Segment {
  /// Writes a closed segment as an event.
  ///
  /// - Parameter task: Its task, if the event says its name.
  func writeForTimer(to writer: inout JSONWriter, task: WorkTask? = nil) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("createdAt", startTime)
      writer.member("duration", endTime?.milliseconds(since: startTime) ?? 0)
      writer.member("name", name.isEmpty ? TaskTimer.defaultName : name)
      writer.member("taskId", purpose.taskID)
      if let task {
        writer.name("task")
        writer.object { $0.member("name", task.name) }
      }
    }
  }

  /// The name of the segment behind that of its task, as refusals name a conflict.
  func nameForTimer(_ task: WorkTask?) -> String {
    let own = name.isEmpty ? TaskTimer.defaultName : name
    return task.map { "\($0.name): \(own)" } ?? own
  }
}
