import TimeclockDomain

/// The kinds of records that a reset takes back.
package enum HistoryResetScope: String, CaseIterable, Sendable {
  /// Work segments.
  case segments
  /// The projects and tasks that are the member's own.
  case projects
  /// The sessions of the member's timers, which nobody else takes back, for nobody else knows of them.
  case timerSessions
}

/// A client's request to delete a member's recorded time.
package struct HistoryResetRequest: Sendable {
  /// Never empty.
  package var scope: Set<HistoryResetScope>
  /// Only closed segments and sessions of timers that begin before this instant; nil means all, the open segment too.
  package var before: Instant?
  package var reason: String?

  package init(scope: Set<HistoryResetScope>, before: Instant? = nil, reason: String? = nil) {
    self.scope = scope
    self.before = before
    self.reason = reason
  }
}

/// The numbers of records that a reset has deleted.
package struct HistoryResetCounts: Hashable, Sendable {
  package var segments = 0
  package var projects = 0
  package var tasks = 0
  package var timerSessions = 0
  /// Segments that marks bind, and projects and tasks with such segments: they are not deleted.
  package var kept = 0

  package init(
    segments: Int = 0, projects: Int = 0, tasks: Int = 0, timerSessions: Int = 0, kept: Int = 0
  ) {
    self.segments = segments
    self.projects = projects
    self.tasks = tasks
    self.timerSessions = timerSessions
    self.kept = kept
  }
}

extension Timeclock {
  /// The most rows that one transaction of a reset changes.
  private static let resetPart = 500

  /// Deletes a member's recorded time, but for what marks bind: first the work segments, then the projects and tasks of
  /// the member's own, then the sessions of timers, which only the member may delete.
  ///
  /// It is done in parts, each a transaction. An error in between leaves the parts before it done, and a repeated call
  /// continues; the counts are then those of the rest.
  ///
  /// - Throws: `.notFound(.member)` before `.forbidden`, as everywhere; `.reasonRequired`, `.reasonInvalid`.
  package func resetHistory(
    of userID: UserID, _ request: HistoryResetRequest, by caller: Membership,
    recording: AnswerRecording<HistoryResetCounts>? = nil
  ) async throws -> HistoryResetCounts {
    let member = try await subject(userID, for: caller).key
    guard userID == caller.userID || caller.role >= .admin && !request.scope.contains(.timerSessions) else {
      throw TimeclockError.forbidden
    }
    let context = caller.change(
      "resetHistory", at: clock.now, reason: try requiredReason(request.reason, to: userID, by: caller))
    var counts = HistoryResetCounts()
    if request.scope.contains(.segments) {
      var deletion = WorkDeletion(
        member: member, before: request.before, limit: Self.resetPart, context: context)
      repeat {
        let part = try await storage.deleteWork(deletion)
        counts.segments += part.count
        counts.kept += part.kept
        deletion.after = part.next
      } while deletion.after != nil
    }
    if request.scope.contains(.projects) {
      var part = OwnProjectsDeletionPart()
      while !part.isLast {
        part = try await storage.deleteOwnProjects(
          of: member, from: part.place, limit: Self.resetPart, context: context)
        counts.projects += part.projects
        counts.tasks += part.tasks
        counts.kept += part.kept
      }
    }
    if request.scope.contains(.timerSessions) {
      var count = 0
      repeat {
        count = try await storage.deleteTimerSessions(
          of: member, before: request.before, limit: Self.resetPart)
        counts.timerSessions += count
      } while count == Self.resetPart
    }
    // Every part before may be all that was done when the service stops, so the answer is kept when all are.
    if let recording { try await storage.recordAnswer(recording.mapping { [counts] in counts }) }
    return counts
  }
}
