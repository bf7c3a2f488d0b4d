/// A member who has push targets.
package struct PushMember: Hashable, Sendable {
  package var key: MemberKey
  package var userID: UserID

  package init(key: MemberKey, userID: UserID) {
    (self.key, self.userID) = (key, userID)
  }
}
