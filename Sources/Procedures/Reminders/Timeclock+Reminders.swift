import TimeclockDomain

extension Timeclock {
  /// Reminds everybody who has been clocked in for longer than the policy of their organization waits, once an entry.
  ///
  /// An organization where it fails does not keep the others from their turn. A canceled task ends between two batches.
  ///
  /// - Returns: The number of reminders that were made.
  /// - Throws: The first error.
  package func remind(at time: TrustedInstant) async throws -> Int {
    let now = time.instant
    let context = ChangeContext(author: .service, operation: .remind, time: now)
    return try await inParts(
      of: storage.organizationsWithDueReminders(at: now), limit: Self.reminderBatch
    ) { organization, limit in
      try await storage.createReminders(in: organization, limit: limit, context: context) {
        self.identifiers.next(at: now)
      }.count
    }
  }

  /// A page of reminders, newest first: a member's own, and for managers everybody's.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`.
  package func reminders(
    of wanted: WantedMembers, before cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Reminder, RowCursor> {
    let members = try await members(wanted, for: caller)
    return try await storage.reminders(
      of: caller.key.organization, of: members, before: cursor, limit: limit)
  }

  /// The number of reminders that are made in one transaction, which others wait for.
  private static var reminderBatch: Int { 50 }
}
