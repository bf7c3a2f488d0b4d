import TimeclockDomain

/// The effects of a change of a member on everything around it, inside one transaction.
struct MemberUpdate<Transaction: RecordTransaction> {
  let transaction: Transaction
  let key: MemberKey
  let context: ChangeContext

  private var organization: RecordValue { .key(key.organization) }
  private var user: RecordValue { .key(key.user) }

  /// The organization's name and language for a person who logs in to no other organization are the account's too.
  func haveAccountFollow(from before: Member, to member: Member) async throws {
    guard before.name != member.name || before.language != member.language, try await !logsInElsewhere()
    else {
      return
    }
    if before.name != member.name {
      try await transaction.run(AccountStatements.rename, [user, .text(member.name)])
    }
    if before.language != member.language {
      try await transaction.run(AccountStatements.setLanguage, [user, .optional(member.language?.rawValue)])
    }
  }

  /// Gives the account another address. Throws `.accountShared` if another organization uses the account in any way:
  /// the owner of the address owns the account.
  func moveAccount(to email: String) async throws {
    try await transaction.lock(AccountStatements.lock, [user])
    guard try await !transaction.exists(Member.anywhereElse, [user, organization]) else {
      throw TimeclockError.accountShared
    }
    try await transaction.moveAccount(key.user, to: EmailAddress(email))
  }

  /// Throws `.accountShared` if the password opens another organization too, unless the operator sets it.
  func replacePassword(_ hash: PasswordHash) async throws {
    let isShared = try await logsInElsewhere()
    guard !isShared || context.author.means == .operator else { throw TimeclockError.accountShared }
    try await transaction.run(AccountStatements.setPassword, [user, .text(hash.text), .bool(hash.isOneTime)])
    try await transaction.revoke(.logIns, [user], in: key.organization, context)
    try await transaction.revoke(.apiTokensOfMember, [user, organization], in: key.organization, context)
  }

  /// Revokes every access, and closes the active entry.
  func endMembership() async throws {
    if try await transaction.exists(Member.activeElsewhere, [user, organization]) {
      try await transaction.revoke(.apiTokensOfMember, [user, organization], in: key.organization, context)
    } else {
      try await transaction.revoke(.all, [user], in: key.organization, context)
    }
    let policy = try await transaction.requireOrganization(key.organization).policy
    try await transaction.closeAbandonedEntry(of: key, by: policy, context)
  }

  /// Throws `.lastAdmin` if the change has left no active admin.
  func requireAdmin() async throws {
    guard try await transaction.exists(Member.anyAdmin, [organization]) else {
      throw TimeclockError.lastAdmin
    }
  }

  /// Whether log-ins are valid in another organization, or will be again once the person is active there.
  private func logsInElsewhere() async throws -> Bool {
    try await transaction.lock(AccountStatements.lock, [user])
    return try await transaction.exists(Member.acceptedElsewhere, [user, organization])
  }
}
