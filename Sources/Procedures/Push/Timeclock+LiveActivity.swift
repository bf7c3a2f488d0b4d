import TimeclockDomain

extension Timeclock {
  /// The present content of a Live Activity of the caller.
  ///
  /// - Parameter time: The instant to which a timer is brought; nil means now, if the caller asks.
  /// - Throws: `MissingTimeZone`, the errors of the storage.
  package func liveActivity(
    _ form: LiveActivityForm, for caller: Membership, at time: TrustedInstant? = nil
  ) async throws -> LiveActivity {
    switch form {
    case .task, .work:
      let clock = try await clock(of: nil, for: caller)
      let names = try await names(of: clock.segment?.purpose, in: caller.key.organization)
      return form == .task ? .task(clock, names) : .work(clock, names)
    case .focus, .rest, .routine:
      let now = time?.instant ?? clock.now
      let timer = try await settledTimer(of: caller.key, at: now)
      let time = max(now, timer.updatedAt)
      guard form == .focus else { return form == .rest ? .rest(timer, at: time) : .routine(timer, at: time) }
      let work = timer.active.map { SegmentPurpose(projectID: $0.projectID, taskID: $0.taskID) }
      return .focus(timer, try await names(of: work, in: caller.key.organization), at: time)
    }
  }

  private func names(
    of purpose: SegmentPurpose?, in organization: OrganizationKey
  ) async throws -> LiveActivityNames {
    var names = LiveActivityNames()
    if let id = purpose?.taskID { names.task = try await storage.task(id, in: organization)?.name }
    if let id = purpose?.projectID, let project = try await storage.project(id, in: organization) {
      (names.project, names.color) = (project.name, project.color)
    }
    return names
  }
}
