extension Correction {
  /// The time, in milliseconds, in which a member may object to a change: fourteen days.
  package static let objectionTime: Int64 = 14 * 86_400_000

  /// Whether the member decides, and not a manager: where the policy asks for their consent to what somebody else proposes.
  package func isForMember(under policy: Policy) -> Bool {
    by != userID && policy.correctionsNeed == .consent
  }

  /// Refuses everybody without a say in it: it is decided by the member, or by a manager who neither proposes it nor has
  /// it made of their own time. A policy may let managers decide about their own.
  ///
  /// - Throws: `TimeclockError.consentRequired`, `.selfApproval`.
  package func requireDecider(_ caller: Membership) throws {
    if isForMember(under: caller.policy) {
      guard caller.userID == userID else { throw TimeclockError.consentRequired }
      return
    }
    let isOwn = caller.userID == userID || caller.userID == by
    guard caller.role >= .manager, caller.policy.isSelfApprovalAllowed || !isOwn else {
      throw TimeclockError.selfApproval
    }
  }

  /// The weakest mark that binds the change once it is agreed to; nil if none does, for an admin has a part in it.
  ///
  /// - Parameters:
  ///   - decider: The role of the person who agrees.
  ///   - author: The role that the author has now; nil if that is no active member.
  package func boundBy(decider: Role, author: Role?, under policy: Policy) -> PeriodMark.Kind? {
    let role = isForMember(under: policy) ? author : decider
    return role == .admin ? nil : .approved
  }

  /// Decides about it.
  ///
  /// - Throws: `TimeclockError.correctionDecided`.
  package mutating func decide(
    _ decision: CorrectionDecision, answer: String?, by userID: UserID, at time: Instant
  ) throws {
    try settle(as: decision.state, by: userID, at: time)
    self.answer = answer
  }

  /// Notes that its author has made the change at once.
  package mutating func apply(at time: Instant) {
    (state, decidedBy, decidedAt) = (.applied, by, time)
  }

  /// Takes it back.
  ///
  /// - Throws: `TimeclockError.correctionDecided`; `.forbidden` to everybody but its author.
  package mutating func withdraw(by userID: UserID, at time: Instant) throws {
    guard state == .open else { throw TimeclockError.correctionDecided }
    guard userID == by else { throw TimeclockError.forbidden }
    try settle(as: .withdrawn, by: userID, at: time)
  }

  /// Objects to a change that somebody else has made. The times stay as they are.
  ///
  /// - Throws: `TimeclockError.correctionDecided` if it was not applied by somebody else in the last fourteen days;
  ///   `.forbidden` to everybody but the member.
  package mutating func object(because answer: String, by userID: UserID, at time: Instant) throws {
    guard state == .applied, by != self.userID, let decidedAt,
      time.milliseconds(since: decidedAt) <= Self.objectionTime
    else { throw TimeclockError.correctionDecided }
    guard userID == self.userID else { throw TimeclockError.forbidden }
    (state, self.answer) = (.objected, answer)
  }

  private mutating func settle(as state: CorrectionState, by userID: UserID, at time: Instant) throws {
    guard self.state == .open else { throw TimeclockError.correctionDecided }
    (self.state, decidedBy, decidedAt) = (state, userID, time)
  }
}
