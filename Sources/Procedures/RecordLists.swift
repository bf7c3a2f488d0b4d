import TimeclockDomain

extension Snapshot.Kind {
  /// Reads all resources of this kind that an organization has, for `timeclock audit verify`.
  ///
  /// - Parameter read: Runs a statement with the integers that are its values, and reads each row that it gives.
  /// - Returns: Nil for a kind of which there may be many: each storage reads those in pages, by their ids.
  package func everything<Row>(
    of organization: OrganizationKey,
    _ read: (RecordStatement, [Int64], (inout RecordRow<Row>) throws -> Snapshot) throws -> [Snapshot]
  ) throws -> [Snapshot]? {
    let key = organization.value
    return switch form {
    case .shaped(let type): try (type as? any TabledRecord.Type)?.everything(key, read)
    case .organization: try read(Organization.one, [key]) { .organization(try Organization(&$0)) }
    case .member: try read(Member.page, [key, 0, .max]) { .member(try Member(&$0)) }
    case .apiToken: try read(ApiToken.page, [key, 0, .max]) { .apiToken(try ApiToken(&$0).withoutUse) }
    case .invitation: try read(Invitation.page, [key, 0, .max]) { .invitation(try Invitation(&$0)) }
    case .webhook: try read(Webhook.logged, [key, 0, .max]) { .webhook(try Webhook(&$0)) }
    case .reminder: try read(Reminder.page, [key, .max, .max]) { .reminder(try Reminder(&$0)) }
    case .timeEntry, .session, .segment: nil
    }
  }
}

// Of a type that is not known.
extension TabledRecord {
  fileprivate static var owned: OwnedTable { OwnedTable(shape.table, key: shape.key) }

  /// The table as one of personal content; nil if it has none, or no member owns such records.
  fileprivate static var personal: PersonalTable? {
    let texts = shape.fields.filter(\.isPersonal)
    guard let owner = shape.ownerColumn, !texts.isEmpty else { return nil }
    return PersonalTable(
      shape.table, owner: owner,
      taking: texts.map { "\($0.columnName) = \($0.anonymous)" }.joined(separator: ", "),
      where:
        "(\(texts.map { "\($0.columnName) IS DISTINCT FROM \($0.anonymous)" }.joined(separator: " OR ")))")
  }

  fileprivate static func everything<Row>(
    _ organization: Int64,
    _ read: (RecordStatement, [Int64], (inout RecordRow<Row>) throws -> Snapshot) throws -> [Snapshot]
  ) throws -> [Snapshot] {
    try read(table.pages[nil], [organization, 0, .max]) { try Self(&$0).snapshot }
  }
}

extension ShapeField {
  /// The value in SQL that takes the place of one that says something of a person.
  fileprivate var anonymous: String {
    if let anonymousWord { return "'\(anonymousWord)'" }
    return if case .text(let place) = kind, !place.isOptional { "'\(Anonymity.name)'" } else { "NULL" }
  }
}

extension OwnedTable {
  /// Each before those that it refers to. A test compares this list with the tables that are copied.
  package static let all =
    [
      // Marks bind other rows, and go before these.
      Period.owned,
      OwnedTable("group_people", key: "organization_id, group_id, part, user_id"),
      OwnedTable("record_read_people", key: "organization_id, record_read_id, user_id"),
      OwnedTable("record_reads", key: "record_read_id"),
      OwnedTable("session_assignees", key: "organization_id, session_id, user_id"),
      OwnedTable("timers", key: "organization_id, user_id"),
      OwnedTable("timer_sessions", key: "timer_session_id"),
      OwnedTable("push_targets", key: "push_target_id"),
      OwnedTable("segments", key: "segment_id"),
      OwnedTable("time_entries", key: "organization_id, user_id, date, created_at, entry_number"),
      OwnedTable("sessions", key: "session_id"),
    ] + tabledRecords.reversed().filter { $0 != Period.self }.map { $0.owned } + [
      OwnedTable("tokens", key: "token_id"),
      OwnedTable("invitations", key: "invitation_id"),
      // With their places and attempts, by the foreign keys.
      OwnedTable("webhooks", key: "webhook_id"),
      OwnedTable("reminders", key: "reminder_id"),
    ]
}

extension PersonalTable {
  private static let standardSegmentName = """
    CASE WHEN break_type_id IS NULL THEN '\(SegmentText.standardName)' ELSE '\(SegmentText.standardBreakName)' END
    """

  /// The tables with personal content written by members.
  static let all =
    [
      PersonalTable("time_entries", owner: "user_id", taking: "notes = NULL", where: "notes IS NOT NULL")
    ] + tabledRecords.compactMap { $0.personal } + [
      PersonalTable(
        "segments", owner: "user_id", taking: "name = \(standardSegmentName), tags = NULL",
        where: "(name <> \(standardSegmentName) OR tags IS NOT NULL)")
    ]
}
