/// The members whose records a manager sees.
package enum Sight: Hashable, Sendable {
  case everyone
  /// The manager, and the members of the groups that they manage: as of the moment at which the request came.
  case members(Set<UserID>)

  /// Whether it takes a member in.
  package func contains(_ userID: UserID) -> Bool {
    switch self {
    case .everyone: true
    case .members(let ids): ids.contains(userID)
    }
  }
}

extension Membership {
  /// Whether the person's sight has to be looked up.
  package var seesOwnGroups: Bool { role == .manager && policy.managersSee == .ownGroups }

  /// Whether the person may read the records of somebody; nobody's are everybody's.
  package func sees(_ userID: UserID?) -> Bool {
    guard let userID, userID != self.userID else { return true }
    return role >= .manager && sight.contains(userID)
  }

  /// All members whose records a manager sees.
  package var seen: MemberSelection {
    switch sight {
    case .everyone: .everybody
    // A manager of nobody sees their own.
    case .members(let ids): ids == [userID] ? .member(key.user) : .managed(by: key.user)
    }
  }
}
