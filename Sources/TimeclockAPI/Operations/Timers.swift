import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns the caller's timer.
  static let getCurrentTimer = Operation("getCurrentTimer") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let current = try await request.timeclock.currentTimer(for: request.requireMembership())
    var response = HTTPResponse.json(current.payload)
    response.fields.append("ETag", current.entityTag)
    return response
  }

  /// Starts a timer, and stops the one before it.
  static let startTimer = Operation("startTimer") { request in
    try request.requireNoQuery()
    let start = try request.body { $0.timerStart() }
    let membership = try request.requireMembership()
    return try await request.once { outcome in
      .json(status: outcome.notStarted == nil ? .created : .ok, outcome.startPayload)
    } perform: { recording in
      try await request.timeclock.command(.start(start), by: membership, recording: recording)
    }
  }

  /// Pauses the caller's timer.
  static let pauseTimer = Operation("pauseTimer") { request in
    try request.requireNoBody()
    return try await request.command(.pause)
  }

  /// Lets a paused timer go on.
  static let resumeTimer = Operation("resumeTimer") { request in
    try request.requireNoBody()
    return try await request.command(.resume)
  }

  /// Moves the end of a countdown.
  static let adjustTimer = Operation("adjustTimer") { request in
    let seconds = try request.body { $0.integer("seconds") }
    return try await request.command(.adjust(seconds: seconds))
  }

  /// Ends the caller's timer, and starts the next one.
  static let skipTimer = Operation("skipTimer") { request in
    try request.requireNoBody()
    return try await request.command(.skip)
  }

  /// Ends the caller's timer.
  static let stopTimer = Operation("stopTimer") { request in
    try request.requireNoBody()
    return try await request.command(.stop)
  }

  /// Starts the timer that a finished one offers.
  static let startNextTimer = Operation("startNextTimer") { request in
    try request.requireNoBody()
    return try await request.command(.next)
  }
}

extension OperationRequest {
  /// Does something to the caller's timer, whichever version it has unless the request states one.
  fileprivate func command(_ command: TimerCommand) async throws -> HTTPResponse {
    try requireNoQuery()
    let membership = try requireMembership()
    let expectedVersion = try await versionCondition()?.expectedVersion {
      try await timeclock.currentTimer(for: membership).timer.version
    }
    return try await once { outcome in
      .json(outcome.payload)
    } perform: { recording in
      try await timeclock.command(
        command, expectedVersion: expectedVersion ?? nil, by: membership, recording: recording)
    }
  }
}

extension ObjectReader {
  /// The contract's StartTimerRequest.
  func timerStart() -> StartTimerRequest {
    let type: TimerType? = choice("type")
    return StartTimerRequest(
      type: type ?? .focus, durationSeconds: optionalInteger("durationSeconds"),
      isCountdown: optionalBool("isCountdown"), projectID: optionalIdentifier("projectId"),
      taskID: optionalIdentifier("taskId"), label: optionalString("label"),
      subject: optionalObject("subject") { TimerSubject(id: $0.string("id"), name: $0.string("name")) },
      routine: optionalObject("routine") { $0.routine() }, isAutomatic: optionalBool("automatic") ?? false)
  }
}
