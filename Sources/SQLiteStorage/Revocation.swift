import TimeclockDomain

/// The statements that revoke tokens.
enum Revocation {
  private static let revoked = "RETURNING organization_id, id, name, user_id, created_at, expires_at"

  /// One API token.
  static let apiToken = SQLiteText("DELETE FROM tokens WHERE organization_id = ?1 AND id = ?2 \(revoked)")

  /// All tokens of a user.
  static let all = SQLiteText("DELETE FROM tokens WHERE user_id = ?1 \(revoked)")

  /// A user's API tokens of one organization.
  static let apiTokensOfMember = SQLiteText(
    "DELETE FROM tokens WHERE user_id = ?1 AND organization_id = ?2 \(revoked)")

  /// A user's log-ins, and API tokens of one organization.
  static let ofMember = SQLiteText(
    "DELETE FROM tokens WHERE user_id = ?1 AND (organization_id IS NULL OR organization_id = ?2) \(revoked)")

  /// A user's log-ins but one, and the API tokens of the organizations where log-ins are good: what was made
  /// elsewhere is not for whoever knows the password to revoke.
  static let ofAccount = SQLiteText(
    """
    DELETE FROM tokens WHERE user_id = ?1 AND token_id IS NOT ?2 AND (organization_id IS NULL
      OR organization_id IN (SELECT organization_id FROM members WHERE user_id = ?1 AND accepted = 1))
    \(revoked)
    """)
}

extension SQLiteTransaction {
  /// Revokes tokens, and logs the end of each API token in its own organization.
  ///
  /// - Parameters:
  ///   - statement: One of `Revocation`.
  ///   - context: Who does it. Another organization than the person's own does not learn who it was, unless it
  ///     was its owner.
  /// - Returns: How many API tokens there were.
  @discardableResult
  func revoke(
    _ statement: SQLiteText, _ values: [SQLiteValue], _ identifiers: PublicIdentifiers,
    in organization: OrganizationKey?, _ context: ChangeContext
  ) throws -> Int {
    let revoked = try self.statement(statement).all(values) {
      row -> (key: OrganizationKey, token: ApiToken)? in
      guard let key = row.optionalInteger(0).map(OrganizationKey.init) else { return nil }
      let token = ApiToken(
        id: try row.identifier(1), name: row.text(2),
        userID: try identifiers.user(row.integer(3), on: connection),
        createdAt: row.instant(4), expiresAt: row.instant(5), lastUsedAt: nil)
      return (key, token)
    }.compactMap { $0 }
    // In the order in which they were made, whatever order the database gives them in.
    for (key, token) in revoked.sorted(by: { $0.token.id.text < $1.token.id.text }) {
      var context = context
      if key != organization, token.userID != context.author.userID { context.author = .service }
      try log(from: .apiToken(token), to: nil, in: key, context)
    }
    return revoked.count
  }
}
