import TimeclockDomain

extension Storage {
  /// Creates an organization together with its first admin and a token for that admin.
  ///
  /// The admin becomes a new account, or, if the e-mail address has an account and no password hash is given, the
  /// person with that account. The token of a new account is a log-in; that of an account which exists is an API token,
  /// valid in the new organization only: the operator of the service does not get to act as that person elsewhere. Its
  /// id is the organization's. Log-ins of an account that exists are valid in the new organization only after
  /// `TokenStorage.acceptMembership`.
  ///
  /// - Returns: The admin as a user.
  /// - Throws: `.emailInUse` when the address has an account and a password hash is given.
  package func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>? = nil
  ) async throws -> User {
    try await write(RecordWrite(.newOrganization, changesAccess: true), recording: recording) {
      transaction in
      let row = try await transaction.insert(
        organization, into: Organization.table, of: transaction.newOrganization)
      let key = OrganizationKey(row ?? 0)
      let account = try await transaction.account(admin, createdAt: organization.createdAt)
      try await transaction.insertMember(
        admin, account: account, NewMember(organization: key, role: .admin, timeZone: nil), at: context.time)
      try await transaction.log(from: nil, to: .organization(organization), in: key, context)
      let member = try await transaction.requireMember(account.user.id, in: key).member
      try await transaction.log(from: nil, to: .member(member), in: key, context)
      if account.isNew {
        try await transaction.insertLogIn(token, of: account.key)
      } else {
        // The owner of an existing account's password is unknown here: the founder gets a token of this organization
        // instead.
        let apiToken = ApiToken(
          id: ApiTokenID(high: organization.id.high, low: organization.id.low), name: organization.name,
          userID: account.user.id, scope: .full, createdAt: token.createdAt, expiresAt: token.expiresAt,
          lastUsedAt: nil)
        try await transaction.insert(apiToken, digest: token.digest, of: account.key, in: key)
        try await transaction.log(from: nil, to: .apiToken(apiToken), in: key, context)
      }
      return account.user
    }
  }

  /// The organization in this row.
  ///
  /// - Throws: `.notFound(.organization)`.
  package func organization(_ key: OrganizationKey) async throws -> Organization {
    let found = try await first(
      Organization.one, [.key(key)], in: .organization(key), Organization.init)
    guard let found else { throw TimeclockError.notFound(.organization) }
    return found
  }

  /// Changes an organization: reads it, lets `change` change name, time zone, policy and state, raises the version
  /// and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// - Parameter expectedVersion: The version that the change is meant for; nil means any.
  /// - Throws: `.changed` when the version is another; any error of `change`; `.periodLocked` for another zone while a
  ///   member has a mark, and for other pay rules while one has approved time. Then nothing is changed.
  package func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization {
    try await write(RecordWrite(.organization(key), changesAccess: true), recording: nil) { transaction in
      let before = try await transaction.requireOrganization(key, isLocked: true)
      try before.requireVersion(expectedVersion)
      guard let changed = try before.changed(at: context.time, by: change) else { return before }
      if changed.timeZone != before.timeZone { try await transaction.requireNoMarks(in: key) }
      if changed.policy.payRules != before.policy.payRules {
        let rows = try await transaction.datedPayRules(of: key)
        try await transaction.requireOpenPayRules(
          from: PayRulesCalendar(before: before.policy.payRules, then: rows.byDate),
          to: PayRulesCalendar(before: changed.policy.payRules, then: rows.byDate), in: key)
      }
      try await transaction.update(changed, in: Organization.table, of: key)
      try await transaction.log(from: .organization(before), to: .organization(changed), in: key, context)
      return changed
    }
  }
}

extension RecordTransaction {
  /// The policy, which does not change until the transaction ends. Throws `.notFound(.organization)`.
  package func lockedPolicy(of organization: OrganizationKey) async throws -> Policy {
    let policy = try await first(Organization.lockedPolicy, [.key(organization)]) { Policy(&$0) }
    guard let policy else { throw TimeclockError.notFound(.organization) }
    return policy
  }

  /// The organization, which nobody else changes then once it is locked. Throws `.notFound(.organization)`.
  func requireOrganization(_ key: OrganizationKey, isLocked: Bool = false) async throws -> Organization {
    let statement = isLocked ? Organization.locked : Organization.one
    let found = try await first(statement, [.key(key)], Organization.init)
    guard let found else { throw TimeclockError.notFound(.organization) }
    return found
  }
}
