extension Policy {
  /// The say of members in what managers and admins change of their times.
  package enum CorrectionsNeed: String, CaseIterable, Sendable {
    /// None.
    case nothing
    /// A correction is kept with each change, and the member may object to it.
    case notice
    /// Nothing is changed before the member has agreed to a correction.
    case consent
  }
}

extension Membership {
  /// The say that a member has in a change of their times by the caller; none in the caller's own.
  package func correctionsNeed(of owner: UserID) -> Policy.CorrectionsNeed {
    owner == userID ? .nothing : policy.correctionsNeed
  }

  /// Refuses a change of times that the member has to agree to before.
  ///
  /// - Throws: `TimeclockError.consentRequired`.
  package func requireNoConsent(of owner: UserID) throws {
    guard correctionsNeed(of: owner) != .consent else { throw TimeclockError.consentRequired }
  }
}
