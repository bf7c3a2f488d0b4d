import TimeclockDomain

extension Storage {
  /// Anonymizes a member as `PersonalDataStorage.anonymizeMember` says.
  ///
  /// - Throws: `.notFound(.member)`, `.memberActive`.
  package func takePersonalData(
    of userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member {
    let kind = RecordWrite(.organization(organization), changesAccess: true, isLong: true)
    return try await write(kind, recording: recording) { transaction in
      // Nobody writes entries of the member until the transaction ends.
      let (before, user) = try await transaction.lockMember(userID, in: organization)
      guard !before.isActive else { throw TimeclockError.memberActive }
      guard before.anonymizedAt == nil else { return before }
      var member = before.anonymous
      member.version += 1
      member.updatedAt = context.time
      member.anonymizedAt = context.time
      let work = Anonymization(
        transaction: transaction, userID: userID, key: MemberKey(organization: organization, user: user),
        context: context)
      try await AccountEnding(
        transaction: transaction, userID: userID, user: user, organization: organization, context: context
      ).run()
      try await work.write(member)
      try await work.takeContent()
      try await transaction.log(
        from: .member(before.anonymous), to: .member(member), in: organization, context)
      return member
    }
  }
}

/// The removal of a member's data, inside one transaction.
private struct Anonymization<Transaction: RecordTransaction> {
  let transaction: Transaction
  let userID: UserID
  let key: MemberKey
  let context: ChangeContext

  private var organization: RecordValue { .key(key.organization) }
  private var user: RecordValue { .key(key.user) }

  func write(_ member: Member) async throws {
    try await transaction.write(
      AnonymizationStatements.endMembership,
      [organization, user, .text(member.name), .integer(member.version), .instant(context.time)], rows: 1,
      of: StoredMember.table.name)
  }

  /// Removes the person's texts, which shows in the versions of its rows, and the content of the changes about the
  /// person.
  func takeContent() async throws {
    for table in PersonalTable.all {
      try await transaction.run(table.taking, [organization, user, .instant(context.time)])
    }
    for statement in TimerErasure.all + [PushTargetRows.erase] {
      try await transaction.run(statement, [organization, user])
    }
    try await transaction.run(
      AnonymizationStatements.eraseChanges,
      [organization, user, .identifier(userID), .text(userID.text)])
  }
}

private enum AnonymizationStatements {
  static let endMembership = RecordStatement(
    """
    UPDATE members SET name = $3, time_zone = NULL, language = NULL, personnel_number = NULL, accepted = FALSE, version = $4, updated_at = $5, \
    anonymized_at = $5, email = '' WHERE organization_id = $1 AND user_id = $2
    """)
  /// Erases the content of the changes about a person: of the membership, of the rows in personal tables, of the marks and
  /// approvals, whose reasons may name the person, and of deleted records, API tokens among them. An organization's own
  /// changes stay, though an API token may have its id.
  static let eraseChanges = RecordStatement(
    erasure(of: "$3::uuid", position: "strpos"), sqlite: erasure(of: "$3", position: "instr"))

  private static func erasure(of id: String, position: String) -> String {
    let tables =
      PersonalTable.all.map { ($0.name, $0.owner) }
      + [Period.table.rows.name, Approval.table.rows.name].map { ($0, "user_id") }
    let owned = tables.map { name, owner in
      "UNION ALL SELECT id FROM \(name) WHERE organization_id = $1 AND \(owner) = $2"
    }
    return """
      UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL \
      WHERE organization_id = $1 AND salt IS NOT NULL AND resource <> 'organization' AND resource_id IN ( \
      SELECT \(id) \(owned.joined(separator: " ")) \
      UNION ALL SELECT resource_id FROM changes WHERE organization_id = $1 AND kind = 'deleted' \
      AND substr(before, \(position)(before, '"userId":"') + 10, 36) = $4)
      """
  }
}

/// A table with rows of members that have personal content.
struct PersonalTable: Sendable {
  let name: String
  /// The column with the user whose row it is.
  let owner: String
  /// Removes the personal content of a member's rows: values are the organization, the user and the time.
  let taking: RecordStatement

  /// - Parameters:
  ///   - assignments: The assignments that remove the content.
  ///   - condition: Selects the rows that have some; the others stay as they are.
  init(_ name: String, owner: String, taking assignments: String, where condition: String) {
    self.name = name
    self.owner = owner
    taking = RecordStatement(
      """
      UPDATE \(name) SET \(assignments), version = version + 1, updated_at = $3 \
      WHERE organization_id = $1 AND \(owner) = $2 AND \(condition)
      """)
  }
}
