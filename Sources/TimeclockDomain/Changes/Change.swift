/// The kind of a change of a resource.
package enum ChangeKind: String, CaseIterable, Sendable {
  case created
  case updated
  case deleted
}

/// One entry of an organization's log of changes. It is written in the transaction of the change, and never
/// changed afterwards.
package struct Change: Hashable, Sendable {
  /// The change's place among all of the organization, from 1 on without gaps, in the order in which they were
  /// committed.
  package var sequence: Int64
  package var kind: ChangeKind
  package var resource: Snapshot.Kind
  package var resourceID: ResourceID
  package var context: ChangeContext
  /// The resource before the change; nil if the change created it.
  package var before: Snapshot?
  /// The resource after the change; nil if the change deleted it.
  package var after: Snapshot?
  /// Whether before, after and reason have been erased, with their person.
  package var isErased: Bool

  package init(
    sequence: Int64, kind: ChangeKind, resource: Snapshot.Kind, resourceID: ResourceID,
    context: ChangeContext,
    before: Snapshot?, after: Snapshot?, isErased: Bool = false
  ) {
    self.sequence = sequence
    self.kind = kind
    self.resource = resource
    self.resourceID = resourceID
    self.context = context
    self.before = before
    self.after = after
    self.isErased = isErased
  }

  /// Whether it is about the person: the membership, an entry, an API token in the person's name.
  package func isAbout(_ userID: UserID) -> Bool {
    resourceID == ResourceID(userID) || (after ?? before)?.userID == userID
  }

  /// Whether it is about one of these people, or of a session to which one is or was assigned.
  func concerns(_ people: Set<UserID>) -> Bool {
    people.contains { person in
      isAbout(person) || [before, after].contains { $0?.hasAssignee(person) == true }
    }
  }

  /// The change as a member sees it who is no manager; nil for one of nothing that the member may read.
  ///
  /// A session that the member is taken off is deleted in the member's eyes, who may not read it any more.
  package func shown(to userID: UserID) -> Change? {
    switch resource.readers {
    case .owner:
      let isNobodys = (after ?? before).map { $0.userID == nil } ?? false
      return isNobodys || isAbout(userID) ? self : nil
    case .managers, .admins: return nil
    case .assignees:
      if after?.hasAssignee(userID) == true { return self }
      guard before?.hasAssignee(userID) == true else { return nil }
      var change = self
      (change.kind, change.after) = (.deleted, nil)
      return change
    }
  }
}

extension Change {
  /// The change as a manager sees it who sees some members alone; nil for one of nothing that the manager may read.
  ///
  /// A group that the manager does not manage any more is deleted in the manager's eyes.
  func shown(within seen: Set<UserID>, to manager: UserID) -> Change? {
    guard before != nil || after != nil else {
      return seen.contains { resourceID == ResourceID($0) } ? self : nil
    }
    var change = self
    change.before = before?.shown(within: seen, to: manager)
    change.after = after?.shown(within: seen, to: manager)
    guard change.before != nil || change.after != nil else { return nil }
    if change.after == nil { change.kind = .deleted }
    return change
  }
}

extension Snapshot {
  /// The resource as a manager sees it who sees some members alone; nil for one that the manager may not read.
  fileprivate func shown(within seen: Set<UserID>, to manager: UserID) -> Snapshot? {
    if case .session(let session) = self { return .session(session.shown(within: .members(seen))) }
    if let group = record(of: Group.self) {
      return group.managerIDs.contains(manager) ? .record(AnyRecord(group.shown(within: seen))) : nil
    }
    return userID.map(seen.contains) ?? true ? self : nil
  }

  fileprivate func hasAssignee(_ userID: UserID) -> Bool {
    guard case .session(let session) = self else { return false }
    return session.assigneeIDs.contains(userID)
  }
}

/// Changes after a place in the log.
package struct ChangeFeed: Sendable {
  package var changes: [Change]
  /// The sequence number of the last change that was looked at; the stated one if there is none after it.
  package var nextAfter: Int64
  /// The log's epoch, which `nextAfter` is of.
  package var epoch: LogEpoch

  package init(changes: [Change], nextAfter: Int64, epoch: LogEpoch) {
    self.changes = changes
    self.nextAfter = nextAfter
    self.epoch = epoch
  }
}
