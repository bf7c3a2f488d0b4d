import TimeclockDomain

/// A token as the table keeps one: a log-in, or an API token, which has an id, a name and an organization.
package struct StoredToken: Sendable {
  var user: UserKey
  var digest: TokenDigest
  var createdAt: Instant
  var expiresAt: Instant
  var client: LogInClient?
  var apiToken: ApiToken?

  package static let apiTokens = RecordTable(
    "tokens", key: .numbered("token_id"), number: "token_id", fields: fields)
  /// Tokens that are good for all of the user's organizations.
  static let logIns = RecordTable(
    "tokens", key: .numbered("token_id"), number: "token_id", across: .logInsBelongToNoOrganization,
    fields: fields)

  private static let fields: [RecordField<StoredToken>] = [
    .fixed("user_id", .integer) { .key($0.user) },
    .fixed("digest", .bytes) { .bytes($0.digest.bytes) },
    .fixed("created_at", .integer) { .instant($0.createdAt) },
    .fixed("expires_at", .integer) { .instant($0.expiresAt) },
    .field("last_used_at", .integer) { .optional($0.apiToken?.lastUsedAt) },
    .fixed("id", .identifier) { $0.apiToken.map { .identifier($0.id) } ?? .null },
    .fixed("name", .text) { .optional($0.apiToken?.name) },
    .fixed("read_only", .bool) { .bool($0.apiToken?.scope == .read) },
    .fixed("client", .text) { .optional($0.client?.rawValue) },
  ]
}

extension ApiToken {
  package static let page = RecordStatement(
    """
    FROM tokens t JOIN users u ON u.user_id = t.user_id \
    WHERE t.organization_id = $1 AND t.token_id > $2 ORDER BY t.token_id LIMIT $3
    """,
    columns: RecordColumns([
      ("token_id", "t.token_id"), ("id", "t.id"), ("name", "t.name"), ("user", "u.id"),
      ("read_only", "t.read_only"), ("created_at", "t.created_at"), ("expires_at", "t.expires_at"),
      ("last_used_at", "t.last_used_at"),
    ]))

  /// The token in a row of `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), name: row.text("name"), userID: try row.identifier("user"),
      scope: row.bool("read_only") ? .read : .full, createdAt: row.instant("created_at"),
      expiresAt: row.instant("expires_at"),
      lastUsedAt: row.optionalInstant("last_used_at"))
  }
}

extension ApiToken {
  /// The token as the log of changes knows it, which leaves out its uses.
  package var withoutUse: ApiToken {
    var token = self
    token.lastUsedAt = nil
    return token
  }
}

/// The tokens that are revoked.
package enum Revocation {
  /// One API token: values are the organization and the id.
  case apiToken
  /// One token, a log-in or an API token: the value is its number.
  case token
  /// All tokens of a user.
  case all
  /// A user's API tokens of one organization.
  case apiTokensOfMember
  /// A user's log-ins.
  case logIns
  /// A user's log-ins but one, and the API tokens of the organizations where log-ins are valid: tokens that were made
  /// elsewhere are not to be revoked with the password alone.
  case ofAccount

  private static let revoked = RecordColumns([
    ("organization_id", "organization_id"), ("id", "id"), ("name", "name"),
    ("user", "(SELECT u.id FROM users u WHERE u.user_id = tokens.user_id)"), ("read_only", "read_only"),
    ("created_at", "created_at"),
    ("expires_at", "expires_at"), ("last_used_at", "NULL"),
  ])

  /// The invitations that end with the tokens, which have the first of the values as theirs, or both; nil for none.
  fileprivate var invitations: (end: InvitationEnd, valueCount: Int)? {
    switch self {
    case .apiToken, .token, .logIns: nil
    case .all: (.ofUser, 1)
    case .apiTokensOfMember: (.ofMember, 2)
    case .ofAccount: (.ofAccount, 1)
    }
  }

  fileprivate var statement: RecordStatement {
    switch self {
    case .apiToken: Self.oneApiToken
    case .token: Self.oneToken
    case .all: Self.allOfUser
    case .apiTokensOfMember: Self.allApiTokensOfMember
    case .logIns: Self.allLogIns
    case .ofAccount: Self.allOfAccount
    }
  }

  private static let oneApiToken = RecordStatement(
    "DELETE FROM tokens WHERE organization_id = $1 AND id = $2", returning: revoked)
  private static let oneToken = RecordStatement("DELETE FROM tokens WHERE token_id = $1", returning: revoked)
  private static let allOfUser = RecordStatement(
    "DELETE FROM tokens WHERE user_id = $1", returning: revoked, across: .accountsEndEverywhere)
  private static let allApiTokensOfMember = RecordStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND organization_id = $2", returning: revoked)
  private static let allLogIns = RecordStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND organization_id IS NULL", returning: revoked,
    across: .logInsBelongToNoOrganization)
  private static let allOfAccount = RecordStatement(
    """
    DELETE FROM tokens WHERE user_id = $1 AND token_id IS DISTINCT FROM $2 AND (organization_id IS NULL \
    OR organization_id IN (SELECT organization_id FROM members WHERE user_id = $1 AND accepted)) \
    AND \(Departed.noneHasMoved("tokens"))
    """, returning: revoked,
    sqlite: """
      DELETE FROM tokens WHERE user_id = $1 AND token_id IS NOT $2 AND (organization_id IS NULL \
      OR organization_id IN (SELECT organization_id FROM members WHERE user_id = $1 AND accepted = 1))
      """, across: .logInsBelongToNoOrganization)
}

extension RecordTransaction {
  /// Revokes tokens, and logs the end of each API token in its own organization. A person's invitations end with their
  /// API tokens.
  ///
  /// - Parameter context: The context of the change. Organizations other than `organization` learn its author only if
  ///   that is the token's owner.
  /// - Returns: The number of revoked API tokens.
  @discardableResult
  package func revoke(
    _ revocation: Revocation, _ values: [RecordValue], in organization: OrganizationKey?,
    _ context: ChangeContext
  ) async throws -> Int {
    let revoked = try await read(revocation.statement, values) {
      row -> (key: OrganizationKey, token: ApiToken)? in
      guard let key = row.optionalInteger("organization_id").map(OrganizationKey.init) else { return nil }
      return (key, try ApiToken(&row))
    }.compactMap { $0 }
    // In the order in which they were made, in any order of the database's answer.
    for (key, token) in revoked.sorted(by: { $0.token.id.text < $1.token.id.text }) {
      var context = context
      if key != organization, token.userID != context.author.userID { context.author = .service }
      try await log(from: .apiToken(token), to: nil, in: key, context)
    }
    if let (invitations, count) = revocation.invitations {
      try await end(invitations, Array(values.prefix(count)), in: organization, context)
    }
    return revoked.count
  }

  /// Keeps a token that is valid in one organization.
  func insert(
    _ apiToken: ApiToken, digest: TokenDigest, of user: UserKey, in organization: OrganizationKey
  ) async throws {
    let token = StoredToken(
      user: user, digest: digest, createdAt: apiToken.createdAt, expiresAt: apiToken.expiresAt, client: nil,
      apiToken: apiToken)
    _ = try await insert(token, into: StoredToken.apiTokens, of: organization)
  }

  /// Keeps a token that is good for all of the user's organizations.
  func insertLogIn(_ token: NewToken, of user: UserKey) async throws {
    let token = StoredToken(
      user: user, digest: token.digest, createdAt: token.createdAt, expiresAt: token.expiresAt,
      client: token.client, apiToken: nil)
    _ = try await insert(token, into: StoredToken.logIns, of: nil)
  }
}
