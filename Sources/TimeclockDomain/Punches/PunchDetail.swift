/// What a punch says beside what happened and when. Where it means nothing any more, it is dropped, and the time is taken.
package enum PunchDetail: String, CaseIterable, Sendable {
  case timeZone
  case sessionID = "sessionId"
  case notes
  case projectID = "projectId"
  case taskID = "taskId"
  case breakTypeID = "breakTypeId"
  case name
}

extension SegmentPurpose {
  /// The purpose without what a refusal is about: a task of which the project is gone, or a project that has been archived,
  /// since the device noted it.
  ///
  /// - Returns: What is left, and what was dropped; nil where the refusal is about something else.
  package func dropping(_ refusal: TimeclockError) -> (left: SegmentPurpose, dropped: [PunchDetail])? {
    var left = self
    switch refusal {
    case .projectNotFound, .projectArchived: (left.projectID, left.taskID) = (nil, nil)
    case .unknownTask, .taskHidden, .taskNotInProject: left.taskID = nil
    case .unknownBreakType, .breakTypeArchived: left.breakTypeID = nil
    default: return nil
    }
    return left == self ? nil : (left, details.filter { !left.details.contains($0) })
  }

  /// What it says.
  package var details: [PunchDetail] {
    [
      projectID.map { _ in .projectID }, taskID.map { _ in .taskID }, breakTypeID.map { _ in .breakTypeID },
    ].compactMap { $0 }
  }
}

extension Punch {
  /// The punch without what a refusal of its operation is about.
  ///
  /// - Returns: What is left, and what was dropped; nil where nothing of it can be: then the refusal is about what happened.
  package func dropping(_ refusal: TimeclockError) -> (left: Punch, dropped: [PunchDetail])? {
    var left = self
    switch refusal {
    case .sessionNotFound, .sessionNotAssigned:
      guard sessionID != nil else { return nil }
      left.sessionID = nil
      return (left, [.sessionID])
    case .notesTooLong, .notesInvalid:
      guard notes != nil else { return nil }
      left.notes = nil
      return (left, [.notes])
    case .unknownTimeZone:
      guard timeZone != nil else { return nil }
      left.timeZone = nil
      return (left, [.timeZone])
    case .invalidName:
      guard name != nil else { return nil }
      left.name = nil
      return (left, [.name])
    default:
      guard let (purpose, dropped) = purpose.dropping(refusal) else { return nil }
      left.purpose = purpose
      return (left, dropped)
    }
  }
}

extension PunchDetail {
  /// Whether it says what time is for.
  package var isPurpose: Bool { [.projectID, .taskID, .breakTypeID].contains(self) }
}
