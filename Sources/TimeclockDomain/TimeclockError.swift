/// Every refusal of the service, with the values that help the client to go on.
///
/// `code` is stable and part of the contract; `detail` is for people. The API maps each code to a status.
package enum TimeclockError: Error, Hashable, Sendable {
  // The caller.
  case invalidToken
  case invalidCredentials
  case wrongPassword
  /// The password was not looked at.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// The caller, their organization or their network holds as many places at something scarce as one may; nothing was
  /// done.
  case tooManyAtOnce(retryAfterSeconds: Int)
  case forbidden
  case callerDeactivated

  // The resources that a request is about.
  case notFound(Resource)
  /// The resource has another version than the change is meant for.
  case changed(current: CurrentResource)
  case sessionNotFound
  case sessionNotAssigned
  case memberDeactivated

  // Time entries.
  case alreadyClockedIn(active: TimeEntry)
  case notClockedIn
  case notesTooLong(maximumCharacters: Int64)
  case notesInvalid
  case reasonInvalid
  /// A change to another's entry says no reason.
  case reasonRequired
  /// The entry is still running.
  case entryActive
  /// The member's time to change past work is over.
  case editWindowClosed
  case inFuture
  case endNotAfterStart
  case tooLong(maximumSeconds: Int64)
  case tooShort(minimumSeconds: Int64)
  case tooFarBack(hours: Int64)
  /// Time that a member enters by hand.
  case daysTooFarBack(days: Int64)
  /// The entries in the way, oldest first, at most `TimeEntryStorageLimits.overlapsShown` of `count`.
  case overlap([TimeEntry], count: Int)
  /// A clock-in before the end of an entry that was clocked out, as the clock has it: it was ahead then, or is behind now.
  case clockedOutLater(end: Instant, [TimeEntry], count: Int)
  /// Some of the entries that were to be kept together are refused, so none of `count` is kept.
  case bulkRefused([BulkRefusal], count: Int)
  /// The segments in the way, oldest first, at most `TimeEntryStorageLimits.overlapsShown` of `count`.
  case segmentOverlap([Segment], count: Int)
  /// The absences in the way, by their first dates, at most `TimeEntryStorageLimits.overlapsShown` of `count`.
  case absenceOverlap([Absence], count: Int)
  /// A mark binds the dates that a change touches, of `count` records if those are counted.
  case periodLocked(PeriodMark, count: Int?)
  case invalidDateRange
  /// More dates than `ReportLimits.days`.
  case reportTooLong
  /// A report cannot count active entries to a time that has not come.
  case reportInFuture
  case unknownTimeZone

  // Sessions.
  /// Time entries refer to the session, `count` of them.
  case sessionInUse(count: Int)
  /// Segments refer to the project or to its tasks, `count` of them.
  case projectInUse(count: Int)
  /// Segments refer to the task, `count` of them.
  case taskInUse(count: Int)

  // Timers.
  /// The timer's state does not allow it.
  indirect case timerConflict(TimerConflict, MemberTimer)
  /// The timer, or its settings, have another version than the change is meant for.
  indirect case timerChanged(current: CurrentTimerResource)
  /// The setting, and its rule.
  case invalidTimerSettings(String, String)

  // Organizations, members, tokens.
  case invalidName
  case invalidEmail(EmailAddress.Fault)
  case invalidPassword
  /// The new password is among the first that anybody would try.
  case passwordTooCommon
  /// The new password is the present one.
  case passwordUnchanged
  /// The limit, and its rule.
  case invalidPolicy(String, String)
  case invalidExpiry
  case memberExists
  case emailInUse
  case lastAdmin
  /// The member has to be deactivated first.
  case memberActive
  /// The person is not known any more, and does not come back as this member.
  case memberAnonymized
  case accountShared

  /// A refusal that carries nothing else. Its own file has it as a member of this type, such as `invalidTitle`.
  case plain(PlainRefusal)

  // Requests that come again.
  /// The key was used for another request.
  case idempotencyKeyReused
  /// The first request under the key has not been answered yet.
  case requestInProgress

  // The service itself.
  /// Nothing was done, or (after a lost commit) it is unknown whether it was; trying again later may help.
  case unavailable(retryAfterSeconds: Int)
  /// The disk is full; nothing was done.
  case storageFull
  /// The instance only reads; nothing was done, and one that writes may do it.
  case readOnlyInstance
  /// The organization is being moved to another cell; nothing was done, and there or here it may be done soon.
  case organizationMoving
  /// The organization has moved to the cell at this address; nothing was done.
  case organizationMoved(address: String)

  /// Whether it is about the service, and not about what is asked for: it may be done later or elsewhere.
  package var isOfService: Bool {
    switch self {
    case .unavailable, .storageFull, .readOnlyInstance, .organizationMoving, .organizationMoved: true
    default: false
    }
  }

  /// Whether it is because the organization is elsewhere, or on its way.
  package var isDeparture: Bool {
    switch self {
    case .organizationMoving, .organizationMoved: true
    default: false
    }
  }

  /// The things that can be absent.
  package typealias Resource = Snapshot.Kind
}
