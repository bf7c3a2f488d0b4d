import TimeclockDomain

extension RecordStorage {
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
      try await work.endAccess()
      try await work.write(member)
      try await work.takeContent()
      try await transaction.log(
        from: .member(before.anonymous), to: .member(member), in: organization, context)
      return member
    }
  }
}

/// The removal of a member's access and data, inside one transaction.
private struct Anonymization<Transaction: RecordTransaction> {
  let transaction: Transaction
  let userID: UserID
  let key: MemberKey
  let context: ChangeContext

  private var organization: RecordValue { .key(key.organization) }
  private var user: RecordValue { .key(key.user) }

  /// Revokes the API tokens, and where there is no other membership everything by which the account was known. The
  /// account is locked first, so that no other organization adds it meanwhile.
  func endAccess() async throws {
    let address = try await transaction.first(AnonymizationStatements.lockedAddress, [user]) {
      $0.text("email_key")
    }
    let elsewhere = try await transaction.first(
      AnonymizationStatements.memberElsewhere, [user, organization]
    ) { (email: $0.text("email"), name: $0.text("name")) }
    if let elsewhere {
      // The name and the address by which this organization called the person go from the account as well.
      try await transaction.run(
        AnonymizationStatements.renameAccount, [user, .text(elsewhere.email), .text(elsewhere.name)])
      try await transaction.revoke(.apiTokensOfMember, [user, organization], in: key.organization, context)
      return
    }
    try await transaction.revoke(.all, [user], in: key.organization, context)
    // Forgets the counts of the person's passwords, by the address and by the id.
    try await transaction.forgetLogInAttempts(of: [address ?? "", userID.text])
    // The id stands where an address is compared: nobody can ever state one that is the same.
    try await transaction.run(
      AnonymizationStatements.endAccount,
      [user, .text(Anonymity.email(of: userID)), .text(userID.text), .text(Anonymity.name)])
  }

  func write(_ member: Member) async throws {
    try await transaction.run(
      AnonymizationStatements.endMembership,
      [organization, user, .text(member.name), .integer(member.version), .instant(context.time)])
  }

  /// Takes the notes, which shows in the entries' versions, the answers that the person was given lately, and the
  /// content of the changes about the person.
  func takeContent() async throws {
    try await transaction.run(
      AnonymizationStatements.takeNotes, [organization, user, .instant(context.time)])
    try await transaction.run(AnonymizationStatements.forgetAnswers, [user])
    try await transaction.run(
      AnonymizationStatements.eraseChanges,
      [organization, user, .identifier(userID), .text(userID.text)])
  }
}

private enum AnonymizationStatements {
  static let lockedAddress = RecordStatement(
    "FROM users WHERE user_id = $1", columns: RecordColumns("email_key"), lock: "FOR UPDATE")
  static let memberElsewhere = RecordStatement(
    """
    FROM members WHERE user_id = $1 AND organization_id <> $2 AND anonymized_at IS NULL \
    ORDER BY accepted DESC, member_number LIMIT 1
    """, columns: RecordColumns("email", "name"), across: .accountsAreShared)
  static let renameAccount = RecordStatement("UPDATE users SET email = $2, name = $3 WHERE user_id = $1")
  static let endAccount = RecordStatement(
    """
    UPDATE users SET email = $2, email_key = $3, name = $4, password_hash = NULL, \
    one_time_password = FALSE WHERE user_id = $1
    """)
  static let endMembership = RecordStatement(
    """
    UPDATE members SET name = $3, time_zone = NULL, personnel_number = NULL, accepted = FALSE, version = $4, updated_at = $5, \
    anonymized_at = $5, email = '' WHERE organization_id = $1 AND user_id = $2
    """)
  static let takeNotes = RecordStatement(
    """
    UPDATE time_entries SET notes = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND user_id = $2 AND notes IS NOT NULL
    """)
  static let forgetAnswers = RecordStatement("DELETE FROM idempotency_keys WHERE user_id = $1")
  /// Erases the content of the changes about a person: of the membership, of the entries that there are, and of the
  /// entries and API tokens that were deleted. An organization's own changes stay, though an API token may have its id.
  static let eraseChanges = RecordStatement(
    erasure(of: "$3::uuid", position: "strpos"), sqlite: erasure(of: "$3", position: "instr"))

  private static func erasure(of id: String, position: String) -> String {
    """
    UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL \
    WHERE organization_id = $1 AND salt IS NOT NULL AND resource <> 'organization' AND resource_id IN ( \
    SELECT \(id) UNION ALL SELECT id FROM time_entries WHERE organization_id = $1 AND user_id = $2 \
    UNION ALL SELECT resource_id FROM changes WHERE organization_id = $1 AND kind = 'deleted' \
    AND substr(before, \(position)(before, '"userId":"') + 10, 36) = $4)
    """
  }
}
