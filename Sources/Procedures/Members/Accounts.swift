import TimeclockDomain

/// The account that a person logs in with.
package struct Account: Sendable {
  /// The person, as the organization that adds them calls them.
  package let user: User
  package let key: UserKey
  /// Whether the account was made just now.
  package let isNew: Bool
}

/// The statements on accounts.
enum AccountStatements {
  static let create = RecordStatement(
    """
    INSERT INTO users (id, email, email_key, name, password_hash, created_at, one_time_password) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (email_key) DO NOTHING
    """, returning: RecordColumns("user_id"))
  /// The address stays the account's meanwhile, and its person can log in.
  static let withEmail = RecordStatement(
    "FROM users WHERE email_key = $1", columns: RecordColumns("user_id", "id"), lock: "FOR KEY SHARE")
  static let isMember = RecordStatement(
    "FROM members WHERE organization_id = $1 AND user_id = $2", columns: RecordColumns("user_id"))
  /// The account accepts no other organization meanwhile.
  static let lock = RecordStatement(
    "FROM users WHERE user_id = $1", columns: RecordColumns("user_id"), lock: "FOR UPDATE")
  static let rename = RecordStatement("UPDATE users SET name = $2 WHERE user_id = $1")
  static let setLanguage = RecordStatement("UPDATE users SET language = $2 WHERE user_id = $1")
  static let setPassword = RecordStatement(
    "UPDATE users SET password_hash = $2, one_time_password = $3 WHERE user_id = $1")
}

extension RecordTransaction {
  /// The account with the address, or a new one; called as it was stated, however another organization calls it.
  ///
  /// - Parameter organization: The organization of which the account's person may not be a member yet; nil for a new
  ///   organization.
  /// - Throws: `.memberExists`; `.emailInUse` for an account that exists and a password that would be lost.
  func account(
    _ new: NewAccount, createdAt: Instant, toJoin organization: OrganizationKey? = nil
  ) async throws -> Account {
    while true {
      let created = try await first(
        AccountStatements.create,
        [
          .identifier(new.userID), .text(new.email.text), .text(new.email.key), .text(new.name),
          .optional(new.passwordHash?.text), .instant(createdAt), .bool(new.passwordHash?.isOneTime ?? false),
        ]
      ) { $0.integer("user_id") }
      if let created {
        let user = User(id: new.userID, email: new.email.text, name: new.name, language: nil)
        return Account(user: user, key: UserKey(created), isNew: true)
      }
      var existing: Account?
      for key in new.email.storedKeys where existing == nil {
        existing = try await first(AccountStatements.withEmail, [.text(key)]) { row in
          Account(
            user: User(id: try row.identifier("id"), email: new.email.text, name: new.name, language: nil),
            key: UserKey(row.integer("user_id")), isNew: false)
        }
      }
      // The person who had the address was anonymized meanwhile: it is free.
      guard let existing else { continue }
      if let organization,
        try await exists(AccountStatements.isMember, [.key(organization), .key(existing.key)])
      {
        throw TimeclockError.memberExists
      }
      guard new.passwordHash == nil else { throw TimeclockError.emailInUse }
      return existing
    }
  }

  /// Adds a membership. The account's log-ins are valid in it only if the account is new too.
  ///
  /// - Parameter new: The name and the address by which the organization calls the person.
  /// - Throws: `.memberExists` if another transaction was quicker.
  func insertMember(
    _ new: NewAccount, account: Account, _ member: NewMember, at time: Instant
  ) async throws {
    let record = StoredMember(
      member: Member(
        userID: account.user.id, organizationID: OrganizationID(high: 0, low: 0), email: new.email.text,
        name: new.name, role: member.role, timeZone: member.timeZone, language: nil,
        personnelNumber: member.personnelNumber,
        isActive: member.isActive, version: 1, createdAt: time, updatedAt: time), isAccepted: account.isNew)
    let inserted = try await insert(
      record, into: StoredMember.table, of: member.organization, key: account.key.value)
    guard inserted != nil else { throw TimeclockError.memberExists }
  }
}
