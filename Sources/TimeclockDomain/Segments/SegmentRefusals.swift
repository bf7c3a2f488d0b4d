extension TimeclockError {
  package static let noActiveSegment = TimeclockError.plain(
    PlainRefusal("no_active_segment", against: .state, "Nothing is running. Please start something first."))

  package static let segmentActive = TimeclockError.plain(
    PlainRefusal("segment_active", against: .state, "The segment is still running. Please stop it first."))

  package static let outsideTimeEntry = TimeclockError.plain(
    PlainRefusal(
      "outside_time_entry", against: .rule, "The segment does not lie within one time entry of the member"))

  package static let invalidTags = TimeclockError.plain(
    PlainRefusal(
      "invalid_tags", against: .rule,
      """
      A segment has at most \(SegmentText.maximumTags) tags of 1 to \(SegmentText.maximumTagCharacters) characters, none of \
      them control characters
      """))

  package static let unknownBreakType = TimeclockError.plain(
    PlainRefusal("break_type_not_found", against: .rule, "There is no such break type in this organization."))

  package static let breakTypeArchived = TimeclockError.plain(
    PlainRefusal("break_type_archived", against: .rule, "The break type has been archived."))
}

extension TimeclockError {
  package static let unknownTask = TimeclockError.plain(
    PlainRefusal("task_not_found", against: .rule, "There is no such task, or it is not for this member."))

  /// The policy requires the purpose of a clock-in.
  package static let projectRequired = TimeclockError.plain(
    PlainRefusal(
      "project_required", against: .rule, "State the project or the task that you clock in for."))
  package static let taskHidden = TimeclockError.plain(
    PlainRefusal("task_hidden", against: .rule, "The task is hidden."))

  package static let taskNotInProject = TimeclockError.plain(
    PlainRefusal("task_not_in_project", against: .rule, "The task does not belong to the project."))
}
