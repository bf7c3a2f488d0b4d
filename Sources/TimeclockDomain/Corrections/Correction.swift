/// The public id of a correction.
package typealias CorrectionID = Identifier<Correction>

/// A change of a member's time that somebody proposes and somebody else decides about: an entry to add, to change or to
/// delete.
package struct Correction: ShapedRecord {
  package var head: Head<Correction>
  /// The member whose time it is; none only before the record is filled.
  package var userID: UserID?
  /// The entry to change or to delete; nil of one to add, until it is added.
  package var timeEntryID: TimeEntryID?
  /// Nil for a time that stays as it is, and of a deletion.
  package var clockInTime: Instant?
  /// Nil as `clockInTime` is.
  package var clockOutTime: Instant?
  package var isDeletion = false
  /// Nil once the member is anonymized, and of an entry that a manager added without stating any.
  package var reason: String?
  /// The author of the proposal.
  package var by: UserID?
  package var state = CorrectionState.open
  /// The words of the decision, or of the member's objection.
  package var answer: String?
  /// Nil until it is decided.
  package var decidedBy: UserID?
  package var decidedAt: Instant?

  package init(head: Head<Correction>) {
    self.head = head
  }

  package static let shape = Shape<Correction>(
    .correction, list: "corrections", owner: .member(\.userID),
    fields: [
      .resource("timeEntryId", \.timeEntryID, onCreate: .never),
      .optionalInstant("clockInTime", \.clockInTime, onCreate: .never).within("proposal"),
      .optionalInstant("clockOutTime", \.clockOutTime, onCreate: .never).within("proposal"),
      .flag("delete", \.isDeletion, onCreate: .never, column: "is_deletion").within("proposal"),
      .optionalText("reason", \.reason, onCreate: .never, isPersonal: true) {
        try Reason.sanitized($0)?.text
      },
      .user("by", \.by, onCreate: .never, column: "requested_by"),
      .choice("state", \.state, onCreate: .never),
      .optionalText("answer", \.answer, onCreate: .never, isPersonal: true) {
        try Reason.sanitized($0)?.text
      },
      .user("decidedBy", \.decidedBy, onCreate: .never),
      .optionalInstant("decidedAt", \.decidedAt, onCreate: .never),
    ])

  /// Of those that are open.
  package static let limit = RecordLimit(200, orThrow: .tooManyCorrections)
}

/// The stages of a correction.
package enum CorrectionState: String, CaseIterable, Sendable {
  /// It awaits a decision.
  case open
  /// Somebody agreed, and the change was made.
  case agreed
  case refused
  /// Its author took it back.
  case withdrawn
  /// The change was made by its author, without anybody's decision.
  case applied
  /// The member objects to a change that was applied.
  case objected
}

/// A decision about a correction.
package enum CorrectionDecision: String, CaseIterable, Sendable {
  case agree
  case refuse

  /// The state that it leads to.
  var state: CorrectionState {
    switch self {
    case .agree: .agreed
    case .refuse: .refused
    }
  }
}

extension TimeclockError {
  package static let correctionDecided = TimeclockError.plain(
    PlainRefusal(
      "correction_decided", against: .state,
      "The correction is not open to that any more. Request another one if the time has to change."))

  package static let consentRequired = TimeclockError.plain(
    PlainRefusal(
      "consent_required", against: .state,
      "The member has to agree to a change of their times. Request a correction."))

  package static let tooManyCorrections = TimeclockError.plain(
    PlainRefusal(
      "too_many_corrections", against: .state, "A member has at most 200 corrections that await a decision."))
}
