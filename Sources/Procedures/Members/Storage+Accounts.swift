import TimeclockDomain

extension Storage {
  /// Changes a person's own account data: in the account, and in every organization where log-ins are valid and the
  /// membership is active. All in one transaction, logged in each of these organizations.
  ///
  /// - Throws: `.wrongPassword` when the hash that was checked for a new address is no longer the user's;
  ///   `.addressTaken`. Then nothing is changed.
  package func updateAccount(
    of user: UserKey, _ changes: AccountChanges, context: ChangeContext
  ) async throws {
    let kind = RecordWrite(.everyone(because: .peopleSeeTheirOwnMemberships), changesAccess: true)
    try await write(kind, recording: nil) { transaction in
      let memberships = try await transaction.read(AccountStatements.ownMemberships, [.key(user)]) { row in
        (
          organization: OrganizationKey(row.integer("organization_id")),
          userID: try row.identifier("user") as UserID
        )
      }
      // In one order for everybody, so that two changes do not wait for each other.
      for (organization, userID) in memberships.sorted(by: { $0.organization.value < $1.organization.value })
      {
        let (before, _) = try await transaction.lockMember(userID, in: organization)
        // It may have ended meanwhile.
        guard before.isActive else { continue }
        let changed = try before.changed(at: context.time) { member in
          member.name = changes.name ?? member.name
          if let timeZone = changes.timeZone { member.timeZone = timeZone }
          if let language = changes.language { member.language = language }
          member.email = changes.address?.email.text ?? member.email
        }
        guard let changed else { continue }
        // `accepted` is of no consequence: no change changes it.
        try await transaction.update(
          StoredMember(member: changed, isAccepted: true), in: StoredMember.table, of: organization,
          key: user.value)
        try await transaction.log(from: .member(before), to: .member(changed), in: organization, context)
      }
      if let name = changes.name {
        try await transaction.run(AccountStatements.rename, [.key(user), .text(name)])
      }
      if let language = changes.language {
        try await transaction.run(AccountStatements.setLanguage, [.key(user), .optional(language?.rawValue)])
      }
      guard let (email, checkedHash) = changes.address else { return }
      try await transaction.lock(AccountStatements.lock, [.key(user)])
      guard
        try await transaction.exists(AccountStatements.withPassword, [.key(user), .text(checkedHash.text)])
      else {
        throw TimeclockError.wrongPassword
      }
      try await transaction.moveAccount(user, to: email)
    }
  }
}

extension RecordTransaction {
  /// Gives an account, which is locked, another address. The old one is free then.
  ///
  /// - Throws: `.addressTaken`.
  func moveAccount(_ user: UserKey, to email: EmailAddress) async throws {
    // The same address, perhaps one of several that older versions distinguished: it stays the account's.
    guard try await !exists(AccountStatements.hasAddress, [.key(user), .text(email.formerKey)]) else {
      return try await run(AccountStatements.respell, [.key(user), .text(email.text)])
    }
    if try await !exists(AccountStatements.hasAddress, [.key(user), .text(email.key)]) {
      // Two who take the address at the same time wait here for each other: an update alone would fail.
      let place = try await first(AccountStatements.reserve, [.text(email.key)]) { $0.integer("user_id") }
      guard let place else { throw TimeclockError.addressTaken }
      try await run(AccountStatements.giveBack, [.integer(place)])
    }
    try await run(AccountStatements.move, [.key(user), .text(email.text), .text(email.key)])
  }
}

extension AccountStatements {
  /// The organizations in which a person sets their own name.
  fileprivate static let ownMemberships = RecordStatement(
    """
    FROM members m JOIN users u ON u.user_id = m.user_id \
    JOIN organizations o ON o.organization_id = m.organization_id \
    WHERE m.user_id = $1 AND m.accepted AND m.active AND o.state = 'active' AND \(Departed.noneHasMoved("m"))
    """,
    columns: RecordColumns([("organization_id", "m.organization_id"), ("user", "u.id")]),
    across: .peopleSeeTheirOwnMemberships)
  fileprivate static let withPassword = RecordStatement(
    "FROM users WHERE user_id = $1 AND password_hash = $2", columns: RecordColumns("user_id"))
  fileprivate static let hasAddress = RecordStatement(
    "FROM users WHERE user_id = $1 AND email_key = $2", columns: RecordColumns("user_id"))
  fileprivate static let reserve = RecordStatement(
    reservation("gen_random_uuid()"), returning: RecordColumns("user_id"),
    sqlite: reservation("randomblob(16)"))
  fileprivate static let giveBack = RecordStatement("DELETE FROM users WHERE user_id = $1")
  fileprivate static let move = RecordStatement(
    "UPDATE users SET email = $2, email_key = $3 WHERE user_id = $1")

  fileprivate static let respell = RecordStatement("UPDATE users SET email = $2 WHERE user_id = $1")

  private static func reservation(_ id: String) -> String {
    """
    INSERT INTO users (id, email, email_key, name, created_at) VALUES (\(id), '', $1, '', 0) \
    ON CONFLICT (email_key) DO NOTHING
    """
  }
}
