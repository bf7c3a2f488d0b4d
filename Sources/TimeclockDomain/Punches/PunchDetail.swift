/// The details of a punch beside its kind and time. If one means nothing any more, it is dropped, and the time is
/// taken.
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
  /// The purpose without the subject of a refusal: a task of which the project is gone, or a project that has been
  /// archived, since the device noted it.
  ///
  /// - Returns: The rest, and the dropped details; nil if the refusal is about something else.
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

  /// The details it has.
  package var details: [PunchDetail] {
    [
      projectID.map { _ in .projectID }, taskID.map { _ in .taskID }, breakTypeID.map { _ in .breakTypeID },
    ].compactMap { $0 }
  }
}

extension Punch {
  /// The details that it states.
  package var details: [PunchDetail] {
    let own: [(PunchDetail, isStated: Bool)] = [
      (.timeZone, timeZone != nil), (.sessionID, sessionID != nil), (.notes, notes != nil),
      (.name, name != nil),
    ]
    return own.filter(\.isStated).map(\.0) + purpose.details
  }

  /// The punch without the subject of its operation's refusal.
  ///
  /// - Returns: The rest, and the dropped details; nil if nothing can be dropped: then the refusal is about the act
  ///   itself.
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
  /// Whether it is part of the purpose.
  package var isPurpose: Bool { [.projectID, .taskID, .breakTypeID].contains(self) }
}
