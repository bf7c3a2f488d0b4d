/// The row of a group in the storage.
package struct GroupKey: Hashable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }
}

/// The members that a list or a report is about.
package enum MemberSelection: Hashable, Sendable {
  case everybody
  case member(UserKey)
  /// The members of a group at the time of the reading.
  case group(GroupKey)
  /// Somebody who manages a group at the time of the reading, and the members of all groups that they manage then.
  case managed(by: UserKey)

  /// The ways of selecting members, for each of which there are statements.
  package enum Way: Int, CaseIterable, Sendable {
    case everybody
    case member
    case group
    case managed
  }

  /// - Parameter user: Nil for everybody.
  package init(_ user: UserKey?) {
    self = user.map(MemberSelection.member) ?? .everybody
  }

  package var way: Way {
    switch self {
    case .everybody: .everybody
    case .member: .member
    case .group: .group
    case .managed: .managed
    }
  }

  /// The one member; nil for several.
  package var user: UserKey? {
    if case .member(let user) = self { user } else { nil }
  }

  /// The group whose members are selected; nil for any other selection.
  package var groupKey: GroupKey? {
    if case .group(let group) = self { group } else { nil }
  }

  /// The row of the member, of the group or of its manager; nil for everybody.
  package var row: Int64? {
    switch self {
    case .everybody: nil
    case .member(let user): user.value
    case .group(let group): group.value
    case .managed(by: let user): user.value
    }
  }
}
