/// Absences as somebody may see them.
///
/// The kind of an absence and its note are for the member, for admins, and for managers while it awaits a decision. Others
/// who read it see that the member is absent. A policy may show managers everything.
package struct AbsenceView: Hashable, Sendable {
  private let reader: UserID
  private let seesAll: Bool

  package init(of caller: Membership) {
    reader = caller.userID
    seesAll = caller.role >= .admin || (caller.role >= .manager && caller.policy.areAbsenceKindsVisible)
  }

  /// The absence as the reader sees it.
  package func shown(_ absence: Absence) -> Absence {
    seesAll || absence.userID == reader || absence.state == .requested ? absence : absence.withoutKind
  }

  /// A refusal with the absences in it as the reader sees them.
  package func shown(_ error: TimeclockError) -> TimeclockError {
    switch error {
    case .absenceOverlap(let absences, let count): return .absenceOverlap(absences.map(shown), count: count)
    case .changed(var current):
      guard let absence = current.snapshot.record(of: Absence.self) else { return error }
      current.snapshot = shown(absence).snapshot
      return .changed(current: current)
    default: return error
    }
  }

  /// A change as the reader sees it. A change is read for longer than an absence awaits its decision, so that it shows
  /// others' kinds to nobody who does not see all of them.
  package func shown(_ change: Change) -> Change {
    guard change.resource == .absence, !seesAll else { return change }
    var change = change
    change.before = change.before.map(shownInLog)
    change.after = change.after.map(shownInLog)
    return change
  }

  private func shownInLog(_ snapshot: Snapshot) -> Snapshot {
    guard let absence = snapshot.record(of: Absence.self), absence.userID != reader else { return snapshot }
    return absence.withoutKind.snapshot
  }
}

extension Absence {
  /// The same without the reason for which the member is absent.
  fileprivate var withoutKind: Absence {
    var absence = self
    (absence.kind, absence.note) = (.absent, nil)
    return absence
  }
}
