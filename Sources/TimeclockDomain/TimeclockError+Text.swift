extension TimeclockError {
  /// The stable word for programs.
  package var code: String {
    switch self {
    case .invalidToken: "invalid_token"
    case .invalidCredentials: "invalid_credentials"
    case .wrongPassword: "wrong_password"
    case .tooManyAttempts: "too_many_attempts"
    case .tooManyAtOnce: "rate_limited"
    case .forbidden: "forbidden"
    case .callerDeactivated, .memberDeactivated: "member_deactivated"
    case .notFound(let resource): "\(resource.codeWord)_not_found"
    case .sessionNotFound: "session_not_found"
    case .sessionNotAssigned: "session_not_assigned"
    case .alreadyClockedIn: "already_clocked_in"
    case .notClockedIn: "not_clocked_in"
    case .notesTooLong: "notes_too_long"
    case .notesInvalid: "notes_invalid"
    case .reasonInvalid: "reason_invalid"
    case .reasonRequired: "reason_required"
    case .entryActive: "entry_active"
    case .editWindowClosed: "edit_window_closed"
    case .inFuture: "in_future"
    case .endNotAfterStart: "end_not_after_start"
    case .tooLong: "too_long"
    case .tooShort: "too_short"
    case .tooFarBack, .daysTooFarBack: "too_far_back"
    case .overlap: "overlap"
    case .segmentOverlap: "segment_overlap"
    case .absenceOverlap: "absence_overlap"
    case .clockedOutLater: "clocked_out_later"
    case .bulkRefused: "bulk_refused"
    case .periodLocked: "period_locked"
    case .invalidDateRange: "invalid_date_range"
    case .reportTooLong: "report_too_long"
    case .reportInFuture: "in_future"
    case .unknownTimeZone: "unknown_time_zone"
    case .sessionInUse: "session_in_use"
    case .projectInUse: "project_in_use"
    case .taskInUse: "task_in_use"
    case .invalidName: "invalid_name"
    case .invalidEmail: "invalid_email"
    case .invalidPassword, .passwordUnchanged: "invalid_password"
    case .passwordTooCommon: "password_too_common"
    case .invalidPolicy: "invalid_policy"
    case .timerConflict(let conflict, _): conflict.rawValue
    case .timerChanged: "precondition_failed"
    case .invalidTimerSettings: "invalid_timer_settings"
    case .invalidExpiry: "invalid_expiry"
    case .memberExists: "member_exists"
    case .emailInUse: "email_in_use"
    case .lastAdmin: "last_admin"
    case .memberActive: "member_active"
    case .memberAnonymized: "member_anonymized"
    case .accountShared: "account_shared"
    case .plain(let refusal): refusal.code
    case .changed: "precondition_failed"
    case .idempotencyKeyReused: "idempotency_key_reused"
    case .requestInProgress: "request_in_progress"
    case .unavailable: "unavailable"
    case .storageFull: "storage_full"
    case .readOnlyInstance: "read_only_instance"
    case .organizationMoving: "organization_moving"
    case .organizationMoved: "organization_moved"
    }
  }

  /// One English sentence or two for the person who reads the answer.
  package var detail: String {
    switch self {
    case .invalidToken: "The token is unknown, has expired or was revoked."
    case .invalidCredentials: "The e-mail address or the password is wrong."
    case .wrongPassword: "The current password is wrong."
    case .tooManyAttempts(let seconds):
      "Too many attempts to log in. Please try again in \(Self.length(Int64(seconds)))."
    case .tooManyAtOnce:
      "Too many such requests at once from you, your organization or your network. Please try again in a moment."
    case .forbidden: "Your role does not allow this."
    case .callerDeactivated: "Your membership in this organization has been deactivated."
    case .memberDeactivated: "This member has been deactivated."
    case .notFound(let resource): "There is no such \(resource.noun)."
    case .sessionNotFound: "There is no such session in this organization."
    case .sessionNotAssigned: "The session is not assigned to you."
    case .alreadyClockedIn: "You already have an active time entry. Please clock out first."
    case .notClockedIn: "No active time entry found. Please clock in first."
    case .notesTooLong(let limit): "Notes cannot exceed \(limit) characters"
    case .reasonInvalid:
      """
      The reason cannot exceed \(Reason.maximumCharacters) characters, nor hold control characters or bidirectional \
      overrides
      """
    case .reasonRequired: "State a reason for changing or deleting another member's record."
    case .entryActive: "The time entry is still active. Please clock out first."
    case .editWindowClosed: "This entry can no longer be changed. Ask a manager."
    case .notesInvalid: "Notes cannot hold control characters or bidirectional overrides"
    case .inFuture: "Cannot create time entries for future dates"
    case .endNotAfterStart: "End time must be after start time"
    case .tooLong(let seconds): "Time entry cannot exceed \(Self.length(seconds))"
    case .tooShort(let seconds): "Time entry must be at least \(Self.length(seconds)) long"
    case .tooFarBack(let hours): "The time cannot be more than \(hours) hours ago"
    case .daysTooFarBack(let days):
      "Members can enter time of the last \(days) days only. Please ask a manager."
    case .clockedOutLater:
      """
      Your last time entry ends in the future by the service's clock. Please ask a manager to correct it, or clock in \
      after its end.
      """
    case .overlap(_, let count):
      "The time overlaps \(count) other time \(count == 1 ? "entry" : "entries") of the same member."
    case .segmentOverlap(_, let count):
      "The time overlaps \(count) other \(count == 1 ? "segment" : "segments") of the same member."
    case .absenceOverlap(_, let count):
      "The dates are taken by \(count) other \(count == 1 ? "absence" : "absences") of the same member."
    case .bulkRefused(let refusals, let count):
      "\(refusals.count) of \(count) were refused, so nothing was stored. The reasons are in results."
    case .reportTooLong: "A report covers at most \(ReportLimits.days) days."
    case .reportInFuture: "A report cannot end in the future."
    case .periodLocked(let mark, _):
      "The time is \(mark.kind.rawValue) through \(mark.through.iso8601), and stays as it is until that is taken back."
    case .invalidDateRange: "startDate must not be after endDate"
    case .unknownTimeZone: "There is no such time zone. Use an IANA name such as Europe/Berlin."
    case .sessionInUse(let count):
      """
      \(count) time \(count == 1 ? "entry refers" : "entries refer") to the session. Delete it with detach=true to \
      take it off them.
      """
    case .projectInUse(let count):
      """
      \(count) \(count == 1 ? "segment refers" : "segments refer") to the project. Delete it with segments=detach to take it \
      off them, or with segments=delete to delete them too.
      """
    case .taskInUse(let count):
      """
      \(count) \(count == 1 ? "segment refers" : "segments refer") to the task. Hide it instead, or delete them first.
      """
    case .invalidName: "A name has 1 to \(Name.maximumCharacters) characters, none of them control characters"
    case .invalidEmail(let fault): fault.detail
    case .invalidPassword: "A password must be 8 to 1024 bytes long; a plain letter is one byte."
    case .passwordTooCommon:
      "This password is too common. Choose one that is hard to guess."
    case .passwordUnchanged: "The new password must differ from the current one."
    case .invalidPolicy(let limit, let requirement), .invalidTimerSettings(let limit, let requirement):
      "\(limit) \(requirement)"
    case .timerConflict(let conflict, _): conflict.detail
    case .invalidExpiry: "expiresAt must be in the future"
    case .memberExists:
      "This person is a member of the organization already. If they were deactivated, set active to true."
    case .emailInUse:
      """
      There is already an account with this e-mail address, so you cannot choose its password. Add the person \
      without a password.
      """
    case .lastAdmin: "An organization needs an active admin. Make another member admin first."
    case .memberActive: "The member is still active. Deactivate them first; anonymizing cannot be undone."
    case .memberAnonymized:
      "An anonymized member cannot be changed. Add the person as a new member."
    case .accountShared:
      """
      This person is a member of another organization too, so only they can change their password or e-mail address. \
      You can create an API token for them.
      """
    case .plain(let refusal): refusal.detail
    case .changed, .timerChanged:
      "It has changed since you read it. current has its present state."
    case .idempotencyKeyReused:
      "This Idempotency-Key was used for another request. Use a new key for each new request."
    case .requestInProgress:
      "The first request with this Idempotency-Key is still being answered. Please try again in a moment."
    case .unavailable: "The service cannot do this right now. Please try again."
    case .storageFull: "The server has no space left to store this."
    case .readOnlyInstance: "This instance of the service only reads: send this to one that writes."
    case .organizationMoving:
      "The organization is moving to another address. Please try again in some seconds."
    case .organizationMoved:
      "The organization has moved: send this to address, and everything about it from now on."
    }
  }

  /// `57600` as `16 hours`, `60` as `1 minute`, `90` as `90 seconds`.
  private static func length(_ seconds: Int64) -> String {
    let (count, unit): (Int64, String) =
      switch seconds {
      case _ where seconds > 0 && seconds % 3_600 == 0: (seconds / 3_600, "hour")
      case _ where seconds > 0 && seconds % 60 == 0: (seconds / 60, "minute")
      default: (seconds, "second")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
