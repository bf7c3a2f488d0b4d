import TimeclockDomain

/// An invitation as the table keeps one.
package struct StoredInvitation: Sendable {
  var invitation: Invitation
  var user: UserKey
  var digest: TokenDigest

  package static let table = RecordTable<StoredInvitation>(
    "invitations", key: .numbered("invitation_id"), number: "invitation_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.invitation.id) },
      .fixed("user_id", .integer) { .key($0.user) },
      .fixed("digest", .bytes) { .bytes($0.digest.bytes) },
      .fixed("created_at", .integer) { .instant($0.invitation.createdAt) },
      .fixed("expires_at", .integer) { .instant($0.invitation.expiresAt) },
    ])
}

extension Invitation {
  package static let page = RecordStatement(
    """
    FROM invitations i JOIN users u ON u.user_id = i.user_id \
    WHERE i.organization_id = $1 AND i.invitation_id > $2 ORDER BY i.invitation_id LIMIT $3
    """,
    columns: RecordColumns([
      ("invitation_id", "i.invitation_id"), ("id", "i.id"), ("user", "u.id"), ("created_at", "i.created_at"),
      ("expires_at", "i.expires_at"),
    ]))

  /// The invitation in a row of `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), userID: try row.identifier("user"),
      createdAt: row.instant("created_at"), expiresAt: row.instant("expires_at"))
  }
}

extension Storage {
  /// Keeps an invitation; an earlier one of the same member ends.
  ///
  /// - Throws: `.notFound(.member)`; `.memberDeactivated`; `.accountShared` for a member who has accepted this
  ///   organization and another: there is nothing to accept, and the password is not for this one to set.
  package func createInvitation(
    _ invitation: Invitation, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else invites the member meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let members = try await transaction.lockMembers([invitation.userID], of: organization)
      guard let member = members[invitation.userID] else { throw TimeclockError.notFound(.member) }
      guard member.isActive else { throw TimeclockError.memberDeactivated }
      let ids: [RecordValue] = [.key(member.user), .key(organization)]
      if try await transaction.exists(InvitationStatements.accepted, ids),
        try await transaction.exists(Member.acceptedElsewhere, ids)
      {
        throw TimeclockError.accountShared
      }
      try await transaction.end(.ofMember, ids, in: organization, context)
      let stored = StoredInvitation(invitation: invitation, user: member.user, digest: digest)
      _ = try await transaction.insert(stored, into: StoredInvitation.table, of: organization)
      try await transaction.log(from: nil, to: .invitation(invitation), in: organization, context)
    }
  }

  /// A page of invitations, expired ones included, in the order in which they were made.
  package func invitations(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Invitation, RowCursor> {
    try await page(Invitation.page, of: organization, after: cursor, limit: limit) { row in
      let number = row.integer("invitation_id")
      return (try Invitation(&row), number)
    }
  }

  /// Revokes an invitation.
  ///
  /// - Throws: `.notFound(.invitation)`.
  package func deleteInvitation(
    _ id: InvitationID, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let count = try await transaction.end(
        .one, [.key(organization), .identifier(id)], in: organization, context)
      guard count == 1 else { throw TimeclockError.notFound(.invitation) }
    }
  }

  /// The account behind an invitation.
  ///
  /// - Parameter now: An expired invitation is as good as none.
  package func invitedAccount(by digest: TokenDigest, at now: Instant) async throws -> InvitedAccount? {
    try await first(
      InvitationStatements.account, [.bytes(digest.bytes), .instant(now)],
      in: .everyone(because: .tokensAreFoundByDigest)
    ) { row in
      InvitedAccount(
        key: UserKey(row.integer("user_id")),
        user: User(
          id: try row.identifier("id"), email: row.text("email"), name: row.text("name"),
          language: try row.optionalChoice("language")),
        passwordHash: PasswordHash(&row), organizationName: row.text("organization_name"),
        isShared: row.bool("is_shared"))
    }
  }

  /// Uses an invitation up: sets the account's password, makes log-ins valid in the inviting organization, revokes
  /// everything that a new password revokes, the invitation included, and keeps a token for a log-in. All in one
  /// transaction, and once, however many try at the same moment.
  ///
  /// - Parameters:
  ///   - current: The hash of the password that was given; needed if log-ins open another organization.
  ///   - context: At its time, an expired invitation is as good as none.
  /// - Throws: `.notFound(.invitation)`; `.wrongPassword` if log-ins open another organization, and the hash is not
  ///   `current`. Then nothing is changed.
  package func acceptInvitation(
    _ digest: TokenDigest, from current: PasswordHash?, to new: PasswordHash, logIn: NewToken,
    context: ChangeContext
  ) async throws {
    let token: [RecordValue] = [.bytes(digest.bytes), .instant(context.time)]
    let found = try await first(
      InvitationStatements.invited, token, in: .everyone(because: .tokensAreFoundByDigest)
    ) { (OrganizationKey($0.integer("organization_id")), UserKey($0.integer("user_id"))) }
    guard let (organization, user) = found else { throw TimeclockError.notFound(.invitation) }
    let kind = RecordWrite(.organization(organization), changesAccess: true)
    try await write(kind, recording: nil) { transaction in
      // Of several who have the token, one succeeds; the others find it used up.
      try await transaction.lock(AccountStatements.lock, [.key(user)])
      guard try await transaction.exists(InvitationStatements.invited, token) else {
        throw TimeclockError.notFound(.invitation)
      }
      if try await transaction.exists(Member.acceptedElsewhere, [.key(user), .key(organization)]) {
        guard let current else { throw TimeclockError.wrongPassword }
        try await transaction.replacePassword(of: user, from: current, to: new, orThrow: .wrongPassword)
      } else {
        try await transaction.run(
          AccountStatements.setPassword, [.key(user), .text(new.text), .bool(new.isOneTime)])
      }
      try await transaction.run(PasswordStatements.accept, [.key(organization), .key(user)])
      // The invitation is among it.
      try await transaction.revoke(.ofAccount, [.key(user), .null], in: organization, context)
      try await transaction.insertLogIn(logIn, of: user)
    }
  }
}

/// The invitations that end.
enum InvitationEnd {
  /// One: values are the organization and the id.
  case one
  /// A member's: values are the user and the organization.
  case ofMember
  /// All of a user's.
  case ofUser
  /// A user's in the organizations where log-ins are valid.
  case ofAccount

  private static let ended = RecordColumns([
    ("organization_id", "organization_id"), ("id", "id"),
    ("user", "(SELECT u.id FROM users u WHERE u.user_id = invitations.user_id)"),
    ("created_at", "created_at"), ("expires_at", "expires_at"),
  ])

  fileprivate var statement: RecordStatement {
    switch self {
    case .one: Self.oneInvitation
    case .ofMember: Self.allOfMember
    case .ofUser: Self.allOfUser
    case .ofAccount: Self.allOfAccount
    }
  }

  private static let oneInvitation = RecordStatement(
    "DELETE FROM invitations WHERE organization_id = $1 AND id = $2", returning: ended)
  private static let allOfMember = RecordStatement(
    "DELETE FROM invitations WHERE user_id = $1 AND organization_id = $2", returning: ended)
  private static let allOfUser = RecordStatement(
    "DELETE FROM invitations WHERE user_id = $1", returning: ended, across: .accountsEndEverywhere)
  private static let allOfAccount = RecordStatement(
    """
    DELETE FROM invitations WHERE user_id = $1 \
    AND organization_id IN (SELECT organization_id FROM members WHERE user_id = $1 AND accepted) \
    AND \(Departed.noneHasMoved("invitations"))
    """, returning: ended, across: .logInsBelongToNoOrganization)
}

extension RecordTransaction {
  /// Ends invitations, and logs each end in its own organization.
  ///
  /// - Parameter context: The context of the change. Organizations other than `organization` learn its author only if
  ///   that is the invited person.
  /// - Returns: The number of invitations that ended.
  @discardableResult
  func end(
    _ invitations: InvitationEnd, _ values: [RecordValue], in organization: OrganizationKey?,
    _ context: ChangeContext
  ) async throws -> Int {
    let ended = try await read(invitations.statement, values) { row in
      (key: OrganizationKey(row.integer("organization_id")), invitation: try Invitation(&row))
    }
    for (key, invitation) in ended.sorted(by: { $0.invitation.id.text < $1.invitation.id.text }) {
      var context = context
      if key != organization, invitation.userID != context.author.userID { context.author = .service }
      try await log(from: .invitation(invitation), to: nil, in: key, context)
    }
    return ended.count
  }
}

/// The statements on invitations that are used.
private enum InvitationStatements {
  private static let good = """
    JOIN organizations o ON o.organization_id = i.organization_id \
    WHERE i.digest = $1 AND i.expires_at > $2 AND o.state = 'active'
    """
  static let invited = RecordStatement(
    "FROM invitations i " + good,
    columns: RecordColumns([("organization_id", "i.organization_id"), ("user_id", "i.user_id")]))
  static let account = RecordStatement(
    "FROM invitations i JOIN users u ON u.user_id = i.user_id " + good,
    columns: RecordColumns([
      ("user_id", "u.user_id"), ("id", "u.id"), ("email", "u.email"), ("name", "u.name"),
      ("language", "u.language"),
      ("password_hash", "u.password_hash"), ("one_time_password", "u.one_time_password"),
      ("organization_name", "o.name"),
      (
        "is_shared",
        """
        EXISTS (SELECT 1 FROM members m WHERE m.user_id = i.user_id \
        AND m.organization_id <> i.organization_id AND m.accepted)
        """
      ),
    ]), across: .tokensAreFoundByDigest)
  static let accepted = RecordStatement(
    "FROM members WHERE user_id = $1 AND organization_id = $2 AND accepted",
    columns: RecordColumns("user_id"))
}
