/// The content of a client's request to enter a segment by hand.
package struct ManualSegmentRequest: Sendable {
  /// The time entry that the segment is put into.
  package enum Attachment: String, CaseIterable, Sendable {
    /// The one that wholly contains it.
    case attach
    /// One of exactly its span, which is made for it.
    case create
    case none
  }

  /// The member; nil means the caller.
  package var userID: UserID?
  package var startTime: Instant
  package var endTime: Instant
  package var purpose: SegmentPurpose
  package var name: String?
  package var tags: [String]
  package var attachment: Attachment
  /// Whether the end may be ahead of now, as `ManualTimes` has it. Then no entry is made for the segment.
  package var mayEndAhead = false
  package var timeZone: String?
  package var reason: String?

  package init(
    userID: UserID? = nil, startTime: Instant, endTime: Instant, purpose: SegmentPurpose,
    name: String? = nil, tags: [String] = [], attachment: Attachment = .attach, timeZone: String? = nil,
    reason: String? = nil
  ) {
    self.userID = userID
    self.startTime = startTime
    self.endTime = endTime
    self.purpose = purpose
    self.name = name
    self.tags = tags
    self.attachment = attachment
    self.timeZone = timeZone
    self.reason = reason
  }
}

/// Changes of a segment; nil leaves a value as it is.
package struct SegmentChanges: Sendable {
  package var startTime: Instant?
  package var endTime: Instant?
  /// The inner nil takes the segment off its project.
  package var projectID: ProjectID??
  /// The inner nil takes the segment off its task.
  package var taskID: TaskID??
  /// Makes a break of it.
  package var breakTypeID: BreakTypeID?
  package var name: String?
  package var tags: [String]?
  package var isBillable: Bool?

  package init(
    startTime: Instant? = nil, endTime: Instant? = nil, projectID: ProjectID?? = nil, taskID: TaskID?? = nil,
    breakTypeID: BreakTypeID? = nil, name: String? = nil, tags: [String]? = nil, isBillable: Bool? = nil
  ) {
    self.startTime = startTime
    self.endTime = endTime
    self.projectID = projectID
    self.taskID = taskID
    self.breakTypeID = breakTypeID
    self.name = name
    self.tags = tags
    self.isBillable = isBillable
  }

  /// Whether they may change the length or the kind of a segment.
  package var stateSpanOrPurpose: Bool {
    startTime != nil || endTime != nil || projectID != nil || taskID != nil || breakTypeID != nil
  }

  /// The purpose as these changes leave it. Work and breaks exclude each other, and a new project takes a task along
  /// only if both are stated.
  package func purpose(from before: SegmentPurpose) -> SegmentPurpose {
    if let breakTypeID { return SegmentPurpose(breakTypeID: breakTypeID) }
    guard projectID != nil || taskID != nil else { return before }
    var purpose = SegmentPurpose(projectID: before.projectID, taskID: before.taskID)
    if let projectID {
      purpose.projectID = projectID
      if projectID != before.projectID { purpose.taskID = nil }
    }
    if let taskID {
      purpose.taskID = taskID
      // The task says its own project, unless one is stated too.
      if projectID == nil, taskID != nil { purpose.projectID = nil }
    }
    // A break has neither to take off, and stays as it is.
    return purpose == SegmentPurpose() && before.breakTypeID != nil ? before : purpose
  }
}
