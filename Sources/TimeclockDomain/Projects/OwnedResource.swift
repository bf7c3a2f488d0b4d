/// A resource that is the organization's, or a member's own.
package protocol OwnedResource: Sendable {
  /// The owner; nil for the organization's. It stays as it was made.
  var ownerID: UserID? { get }
}

extension OwnedResource {
  /// Whether the caller may see it: the organization's and their own, and a manager those of all whom they see.
  package func isVisible(to caller: Membership) -> Bool { caller.sees(ownerID) }

  /// Refuses members a change of others' records. The owner never changes, so the answer stays true.
  ///
  /// - Throws: `.forbidden`.
  package func requireWritable(by caller: Membership) throws {
    if ownerID != caller.userID { try caller.require(.manager) }
  }
}

/// The owners whose resources a list shows.
package enum OwnerSelection: Hashable, Sendable {
  /// Everybody, and the organization.
  case everybody
  /// The organization.
  case organization
  /// A member.
  case member(UserKey)
  /// The organization and a member.
  case organizationAndMember(UserKey)
  /// The organization, and those whom a manager of groups sees.
  case organizationAndManaged(by: UserKey)
}

/// The resources that a list is narrowed to, by their owner.
package enum OwnerFilter: String, CaseIterable, Sendable {
  /// The caller's own.
  case me
  /// The organization's, which no member owns.
  case organization = "none"
}

extension OwnerFilter? {
  /// The owners whose resources a caller sees under the filter: the organization, the caller, and, for a manager, all
  /// whom they see.
  package func owners(for caller: Membership) -> OwnerSelection {
    switch self {
    case .me: .member(caller.key.user)
    case .organization: .organization
    case nil:
      switch caller.seen {
      case .managed(by: let manager): .organizationAndManaged(by: manager)
      case .everybody where caller.role >= .manager: .everybody
      default: .organizationAndMember(caller.key.user)
      }
    }
  }
}
