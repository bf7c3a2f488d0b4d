/// The storage of reminders, and its search for what is due for one.
package protocol ReminderStorage: Sendable {
  /// The organizations with an active entry that began longer ago than their policy's `remindAfterSeconds`, and of which
  /// nobody has been reminded. Costs as much as there are organizations that want reminders, and such entries.
  func organizationsWithDueReminders(at now: Instant) async throws -> [OrganizationKey]

  /// Makes reminders of entries that are due by the organization's policy, those that began first, and logs each; an entry
  /// gets one at most, also where several servers look for it at once.
  ///
  /// - Parameters:
  ///   - limit: The most reminders to make, at least 1.
  ///   - context: The author and the time of the making; the time decides which entries are due.
  ///   - newID: Gives the id of each.
  /// - Returns: The reminders that were made.
  func createReminders(
    in organization: OrganizationKey, limit: Int, context: ChangeContext,
    newID: @escaping @Sendable () -> ReminderID
  ) async throws -> [Reminder]

  /// A page of reminders, newest first.
  ///
  /// - Parameter user: Only this member's; nil for everybody's.
  func reminders(
    of organization: OrganizationKey, user: UserKey?, before cursor: RowCursor?, limit: Int
  ) async throws -> Page<Reminder, RowCursor>
}
