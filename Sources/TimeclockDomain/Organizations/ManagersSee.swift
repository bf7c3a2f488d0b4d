extension Policy {
  /// The members that managers see, and act for. Admins see everyone.
  package enum ManagersSee: String, CaseIterable, Sendable {
    case everyone
    /// Themselves, and the members of the groups that they manage.
    case ownGroups
  }
}
