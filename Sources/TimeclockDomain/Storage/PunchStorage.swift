/// The storage of punches as such. They are applied by the writes that they stand for, and remembered as answers are.
package protocol PunchStorage: Sendable {
  /// Puts back what the punch has changed, and remembers that it was taken back, all in one transaction: what it began goes,
  /// what it ended goes on, what it discarded is there again, each with a change of its own in the log. A punch that was taken
  /// back before changes nothing.
  ///
  /// - Throws: `.punchNotFound` where the author has applied none of this name; `.undoExpired`; `.punchSuperseded` where an
  ///   entry or a segment of the member has changed since, or the member was deactivated. Then nothing is changed.
  func undoPunch(_ undo: PunchUndo) async throws
}

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
