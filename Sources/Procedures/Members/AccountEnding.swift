import TimeclockDomain

/// The removal of a member's access, and of the account if no other organization has the person, inside one
/// transaction.
struct AccountEnding<Transaction: RecordTransaction> {
  let transaction: Transaction
  let userID: UserID
  let user: UserKey
  let organization: OrganizationKey
  let context: ChangeContext

  private var organizationValue: RecordValue { .key(organization) }
  private var userValue: RecordValue { .key(user) }

  /// Revokes the API tokens and forgets the answers that the person was given lately; if there is no other membership,
  /// takes everything by which the account was known. The account is locked first, so that no other organization adds
  /// it meanwhile.
  func run() async throws {
    let address = try await transaction.first(AccountEndingStatements.lockedAddress, [userValue]) {
      $0.text("email_key")
    }
    try await transaction.run(AccountEndingStatements.forgetAnswers, [userValue])
    let elsewhere = try await transaction.first(
      AccountEndingStatements.memberElsewhere, [userValue, organizationValue]
    ) { (email: $0.text("email"), name: $0.text("name"), language: $0.optionalText("language")) }
    if let elsewhere {
      // The name, the address and the language as this organization wrote them go from the account as well. The address
      // for log-ins stays: an organization that they had left before may know an older address.
      let isPresent = EmailAddress.key(of: elsewhere.email) == address.map { EmailAddress.key(of: $0) }
      let email = isPresent ? elsewhere.email : address ?? elsewhere.email
      try await transaction.run(
        AccountEndingStatements.renameAccount,
        [userValue, .text(email), .text(elsewhere.name), .optional(elsewhere.language)])
      try await transaction.revoke(
        .apiTokensOfMember, [userValue, organizationValue], in: organization, context)
      return
    }
    try await transaction.revoke(.all, [userValue], in: organization, context)
    // Forgets the counts of the person's passwords, by the address and by the id.
    try await transaction.forgetLogInAttempts(of: [EmailAddress.key(of: address ?? ""), userID.text])
    // The id stands where an address is compared: nobody can ever state one that is the same.
    try await transaction.run(
      AccountEndingStatements.endAccount,
      [userValue, .text(Anonymity.email(of: userID)), .text(userID.text), .text(Anonymity.name)])
  }
}

private enum AccountEndingStatements {
  static let lockedAddress = RecordStatement(
    "FROM users WHERE user_id = $1", columns: RecordColumns("email_key"), lock: "FOR UPDATE")
  static let memberElsewhere = RecordStatement(
    """
    FROM members WHERE user_id = $1 AND organization_id <> $2 AND anonymized_at IS NULL \
    ORDER BY accepted DESC, member_number LIMIT 1
    """, columns: RecordColumns("email", "name", "language"), across: .accountsAreShared)
  static let forgetAnswers = RecordStatement("DELETE FROM idempotency_keys WHERE user_id = $1")
  static let renameAccount = RecordStatement(
    "UPDATE users SET email = $2, name = $3, language = $4 WHERE user_id = $1")
  static let endAccount = RecordStatement(
    """
    UPDATE users SET email = $2, email_key = $3, name = $4, language = NULL, password_hash = NULL, \
    one_time_password = FALSE WHERE user_id = $1
    """)
}
