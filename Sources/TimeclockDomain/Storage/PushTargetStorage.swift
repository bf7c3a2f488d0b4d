/// The places on members' phones to which messages go. Nobody but their member sees them: they are in no log of changes.
package protocol PushTargetStorage: Sendable {
  /// Keeps a push target, in the place of one with the same token in the organization, whoever's that is.
  ///
  /// - Parameter token: The row of the token with which it ends.
  /// - Throws: `.tooManyPushTargets`; `.invalidToken` where there is no such token; `.notFound(.member)` where the member is
  ///   anonymous.
  func createPushTarget(
    _ target: PushTarget, of member: MemberKey, token: Int64, recording: AnswerRecording<PushTarget>?
  ) async throws -> PushTarget

  /// A member's push targets whose time is not over, in the order in which they were made.
  func pushTargets(of member: MemberKey, at now: Instant) async throws -> [PushTarget]

  /// Deletes a push target.
  ///
  /// - Throws: `.pushTargetNotFound`.
  func deletePushTarget(_ id: PushTargetID, of member: MemberKey) async throws

  /// A page of the members of all organizations who have push targets whose time is not over.
  ///
  /// - Parameter isDue: Only those of whom a target is due.
  func membersWithPushTargets(
    at now: Instant, onlyDue isDue: Bool, after cursor: MemberKey?, limit: Int
  ) async throws -> [PushMember]

  /// A member's push targets with their progress.
  func pushDeliveries(of member: MemberKey, at now: Instant) async throws -> [PushDelivery]

  /// Writes down how far a target has come, if nobody has done so since the delivery was read: of several who have read the
  /// same, one goes on.
  ///
  /// - Parameter progress: Its `moves` are of no account.
  /// - Returns: The delivery as it is now; nil where somebody else was first, or the target is gone.
  func movePushTarget(_ delivery: PushDelivery, to progress: PushProgress) async throws -> PushDelivery?

  /// Deletes a target that takes nothing more, unless somebody else has written to it since the delivery was read.
  func endPushTarget(_ delivery: PushDelivery) async throws

  /// Deletes push targets of all organizations whose time is over.
  ///
  /// - Parameter limit: The most to delete, at least 1.
  /// - Returns: The number that was deleted; less than `limit` when none is left.
  func deleteExpiredPushTargets(at now: Instant, limit: Int) async throws -> Int
}

/// A member who has push targets.
package struct PushMember: Hashable, Sendable {
  package var key: MemberKey
  package var userID: UserID

  package init(key: MemberKey, userID: UserID) {
    (self.key, self.userID) = (key, userID)
  }
}
