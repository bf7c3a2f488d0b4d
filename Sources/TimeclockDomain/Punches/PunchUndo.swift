/// The punch to take back.
package struct PunchUndo: Sendable {
  /// The name under which it is remembered, with the person who applied it.
  package var punch: IdempotencyKey
  /// The member whose clock it is about.
  package var member: MemberKey
  package var context: ChangeContext

  package init(punch: IdempotencyKey, member: MemberKey, context: ChangeContext) {
    self.punch = punch
    self.member = member
    self.context = context
  }
}
