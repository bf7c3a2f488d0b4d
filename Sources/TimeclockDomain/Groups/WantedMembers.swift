/// The members that a client wants a list or a report of.
package struct WantedMembers: Hashable, Sendable {
  /// Nil leaves the condition out.
  package var userID: UserID?
  /// Nil leaves the condition out.
  package var groupID: GroupID?

  package init(userID: UserID? = nil, groupID: GroupID? = nil) {
    self.userID = userID
    self.groupID = groupID
  }
}
