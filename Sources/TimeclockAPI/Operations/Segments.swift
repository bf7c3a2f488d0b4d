import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists segments, the newest start first.
  static let listSegments = Operation("listSegments") { request in
    let (wanted, list) = try request.query { query in
      let list = try request.list("listSegments", query)
      var wanted = query.segmentList()
      wanted.cursor = query.cursor(in: list)
      wanted.limit = query.limit()
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.segments(wanted, for: request.requireMembership())
    let now = request.timeclock.clock.now
    return page.response("segments", of: list, bytesPerElement: 700) { $1.write(to: &$0, at: now) }
  }

  /// Enters a segment by hand.
  static let createSegment = Operation("createSegment") { request in
    try request.requireNoQuery()
    let manual = try request.body { $0.manualSegment() }
    let membership = try request.requireMembership()
    return try await request.once { created in
      .json(
        status: .created, version: created.version, location: created.location,
        created.payload(
          at: request.timeclock.clock.now,
          clockAhead: created.clockAhead(ofStart: manual.startTime, end: manual.endTime)))
    } perform: { recording in
      try await request.timeclock.createSegment(manual, by: membership, recording: recording)
    }
  }

  /// Returns one segment.
  static let getSegment = Operation("getSegment") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.segment(
      request.pathIdentifier(.segment), for: request.requireMembership())
    return .json(version: found.version, found.payload(at: request.timeclock.clock.now))
  }

  /// Changes a segment.
  static let updateSegment = Operation("updateSegment") { request in
    try request.requireNoQuery()
    let id: SegmentID = try request.pathIdentifier(.segment)
    let (changes, reason, version) = try request.optionalBody {
      ($0.segmentChanges(), $0.optionalString("reason"), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.segment(id, for: membership).version
    }
    let changed = try await request.timeclock.updateSegment(
      id, changes, reason: reason, expectedVersion: expectedVersion, by: membership)
    let clockAhead = changed.clockAhead(ofStart: changes.startTime, end: changes.endTime)
    return .json(
      version: changed.version, changed.payload(at: request.timeclock.clock.now, clockAhead: clockAhead))
  }

  /// Deletes a segment.
  static let deleteSegment = Operation("deleteSegment") { request in
    let (reason, version) = try request.query { ($0.text("reason"), $0.sequence("version")) }
    try request.requireNoBody()
    let id: SegmentID = try request.pathIdentifier(.segment)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.segment(id, for: membership).version
    }
    try await request.timeclock.deleteSegment(
      id, reason: reason, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}

extension QueryReader {
  /// Takes the filters of a list of segments.
  func segmentList() -> SegmentListRequest {
    SegmentListRequest(
      members: members(), projectID: identifier("projectId"), taskID: identifier("taskId"),
      kind: choice("kind"), tag: segmentTag(), dates: dates(), match: choice("match") ?? .start)
  }
}

extension ObjectReader {
  /// The contract's CreateSegmentRequest.
  fileprivate func manualSegment() -> ManualSegmentRequest {
    let request = ManualSegmentRequest(
      userID: optionalIdentifier("userId"), startTime: instant("startTime"), endTime: instant("endTime"),
      purpose: segmentPurpose(), name: optionalString("name"), tags: optionalStrings("tags") ?? [],
      attachment: optionalChoice("timeEntry") ?? .attach, timeZone: optionalString("timeZone"),
      reason: optionalString("reason"))
    if request.purpose.breakTypeID != nil, request.attachment == .none {
      refuse("timeEntry", code: "conflict", "cannot be none for a break")
    }
    return request
  }

  /// Null is a value only for project and task, and takes the segment off them.
  fileprivate func segmentChanges() -> SegmentChanges {
    let (isProjectGiven, isTaskGiven) = (has("projectId"), has("taskId"))
    let purpose = SegmentPurpose(
      projectID: optionalIdentifier("projectId"), taskID: optionalIdentifier("taskId"),
      breakTypeID: optionalIdentifier("breakTypeId"))
    refuseBreakBesideWork(purpose)
    return SegmentChanges(
      startTime: optionalInstant("startTime"), endTime: optionalInstant("endTime"),
      projectID: isProjectGiven ? .some(purpose.projectID) : nil,
      taskID: isTaskGiven ? .some(purpose.taskID) : nil, breakTypeID: purpose.breakTypeID,
      name: optionalString("name"), tags: optionalStrings("tags"), isBillable: optionalBool("billable"))
  }
}
