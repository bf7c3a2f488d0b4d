/// The changes that a reader of an organization's log sees.
package struct ChangeView: Sendable {
  /// The kinds of resources whose changes are shown.
  package let resources: Set<Snapshot.Kind>
  /// The member whose changes are shown, as that member sees them; nil for everybody's.
  package let userID: UserID?
  /// The members whose changes are shown to a manager.
  private let sight: Sight
  /// The members of the group whose changes are shown alone; nil for no group's.
  private let group: Set<UserID>?
  private let caller: UserID
  private let absences: AbsenceView

  /// Whether everything is shown that is of `resources`.
  package var isWhole: Bool { userID == nil && sight == .everyone && group == nil }

  /// The view that a role gives the caller: members see their own records, as `Change.shown(to:)` says, and API tokens
  /// and invitations are for admins only.
  ///
  /// - Parameters:
  ///   - userID: Only this member's view; nil for all that the caller may see.
  ///   - group: Only changes that concern one of these members; nil leaves the condition out.
  ///   - resources: Only changes of these kinds; a kind that the caller may not see brings nothing.
  package init(
    of caller: Membership, asSeenBy userID: UserID? = nil, group: Set<UserID>? = nil,
    resources: Set<Snapshot.Kind> = Set(Snapshot.Kind.allCases)
  ) {
    self.resources = resources.filter { !$0.isOfAdmins || caller.role >= .admin }
    self.userID = caller.role < .manager ? caller.userID : userID
    sight = caller.sight
    self.group = group
    self.caller = caller.userID
    absences = AbsenceView(of: caller)
  }

  /// The change as the reader sees it; nil for one that the reader does not see.
  package func shown(_ change: Change) -> Change? {
    guard resources.contains(change.resource) else { return nil }
    let seen: Change? =
      if let userID {
        change.shown(to: userID)
      } else if case .members(let members) = sight {
        change.shown(within: members, to: caller)
      } else {
        change
      }
    guard let seen, group.map(seen.concerns) ?? true else { return nil }
    return absences.shown(seen)
  }
}

extension ChangeFeed {
  /// The part of changes found after a place that a reader sees, at most `limit` of them.
  @inline(never)
  package init(_ found: [Change], after place: LogPlace, limit: Int, seeing view: ChangeView) {
    let seen = found.compactMap(view.shown)
    let shown = Array(seen.prefix(limit))
    let last = seen.count > shown.count ? shown.last : found.last
    self.init(changes: shown, nextAfter: last?.sequence ?? place.sequence, epoch: place.epoch)
  }
}
