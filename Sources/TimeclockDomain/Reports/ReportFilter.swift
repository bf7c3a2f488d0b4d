/// The time that a report shows. Overtime and deducted breaks still depend on all.
package struct ReportFilter: Hashable, Sendable {
  package var sessionID: SessionID?
  package var projectID: ProjectID?
  package var taskID: TaskID?
  /// The client of the project, exactly.
  package var client: String?
  package var tag: String?
  /// Only billable work, or only everything else.
  package var isBillable: Bool?
  package var kind: ReportedKind?

  package init(
    sessionID: SessionID? = nil, projectID: ProjectID? = nil, taskID: TaskID? = nil, client: String? = nil,
    tag: String? = nil, isBillable: Bool? = nil, kind: ReportedKind? = nil
  ) {
    self.sessionID = sessionID
    self.projectID = projectID
    self.taskID = taskID
    self.client = client
    self.tag = tag
    self.isBillable = isBillable
    self.kind = kind
  }

  /// Whether it chooses by segments.
  package var isOfSegments: Bool {
    var rest = self
    rest.sessionID = nil
    return rest != ReportFilter()
  }
}

/// The kind of some time in a report.
package enum ReportedKind: String, CaseIterable, Sendable {
  case `break`
  /// Time of an entry without a segment.
  case none
  case work
}

extension ReportedKind {
  init(_ kind: ReportSlice.Kind) {
    switch kind {
    case .nothing: self = .none
    case .work: self = .work
    case .paidBreak, .unpaidBreak: self = .break
    }
  }
}

extension ReportFilter {
  /// Whether a slice is shown.
  func shows(_ slice: ReportSlice, of time: WorkedTime, _ segments: ReportSegments) -> Bool {
    if let sessionID {
      let session = time.entries[slice.entry].session.flatMap { time.sessions[$0] }
      guard session?.id == sessionID else { return false }
    }
    guard isOfSegments else { return true }
    let segment = slice.segment.map { segments[$0] }
    let project = segment?.project.flatMap { time.purposes.projects[$0] }
    if let projectID, project?.id != projectID { return false }
    if let client, project?.client != client { return false }
    if let taskID {
      let task = segment?.task.flatMap { time.purposes.tasks[$0] }
      guard task?.id == taskID else { return false }
    }
    if tag != nil, segment?.hasTag != true { return false }
    if let isBillable, (slice.kind == .work && segment?.isBillable == true) != isBillable { return false }
    if let kind, kind != ReportedKind(slice.kind) { return false }
    return true
  }
}
