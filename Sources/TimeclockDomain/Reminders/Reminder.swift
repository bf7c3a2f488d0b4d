/// The public id of a reminder.
package typealias ReminderID = Identifier<Reminder>

/// The service's word to a member, and to that member's managers, about something that is due. It is made once, and nothing
/// changes it.
package struct Reminder: Hashable, Sendable {
  /// The thing that is due.
  package enum Kind: String, CaseIterable, Sendable {
    /// A time entry is active for longer than the policy's `remindAfter`.
    case clockedInTooLong = "clocked_in_too_long"
  }

  package var id: ReminderID
  package var organizationID: OrganizationID
  package var userID: UserID
  package var kind: Kind
  /// The entry that it is about, which may be closed or deleted by now.
  package var timeEntryID: TimeEntryID
  package var createdAt: Instant

  package init(
    id: ReminderID, organizationID: OrganizationID, userID: UserID, kind: Kind, timeEntryID: TimeEntryID,
    createdAt: Instant
  ) {
    self.id = id
    self.organizationID = organizationID
    self.userID = userID
    self.kind = kind
    self.timeEntryID = timeEntryID
    self.createdAt = createdAt
  }
}

extension Policy {
  /// The instant before which active entries began that are due for a reminder; nil if nobody is reminded.
  package func remindBefore(_ now: Instant) -> Instant? {
    remindAfterSeconds.map { now.adding(milliseconds: -$0 * 1_000) }
  }
}
