/// The user that a token speaks for, and the user's membership in the organization that was asked about.
package struct Authentication: Hashable, Sendable {
  /// The token's row.
  package var tokenKey: Int64
  package var user: UserKey
  package var userID: UserID
  /// Set for an API token, which is valid in one organization; nil for a log-in.
  package var scope: OrganizationKey?
  /// The public id of an API token; nil for a log-in.
  package var apiTokenID: ApiTokenID?
  /// The client of the log-in; nil if that was not stated, and for an API token.
  package var client: LogInClient?
  /// Whether the token is an API token that changes nothing.
  package var isReadOnly: Bool
  /// Whether the token is a log-in with a one-time password, which does nothing but change it.
  package var mustChangePassword: Bool
  package var expiresAt: Instant
  package var lastUsedAt: Instant?
  /// The person's membership in the organization that was asked about; nil if there is none, or if the token's scope is
  /// another organization.
  package var membership: Membership?
  /// Whether the operator has deactivated the organization that was asked about.
  package var isOrganizationDeactivated: Bool

  package init(
    tokenKey: Int64, user: UserKey, userID: UserID, scope: OrganizationKey?,
    apiTokenID: ApiTokenID?, client: LogInClient?, isReadOnly: Bool, mustChangePassword: Bool,
    expiresAt: Instant,
    lastUsedAt: Instant?, membership: Membership?, isOrganizationDeactivated: Bool = false
  ) {
    self.tokenKey = tokenKey
    self.user = user
    self.userID = userID
    self.scope = scope
    self.apiTokenID = apiTokenID
    self.client = client
    self.isReadOnly = isReadOnly
    self.mustChangePassword = mustChangePassword
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
    self.membership = membership
    self.isOrganizationDeactivated = isOrganizationDeactivated
  }

  /// The person behind the token, as an author of changes.
  package func author(requestID: RequestID?) -> Author {
    Author(
      means: scope == nil ? .logIn : .apiToken, userID: userID, apiTokenID: apiTokenID, requestID: requestID)
  }

  /// The active membership in the organization that was asked about, with the source of its person's entries.
  ///
  /// - Throws: `TimeclockError.notFound(.organization)` if the person is no member of it, exactly as if it did not
  ///   exist; `.organizationDeactivated`; `.callerDeactivated` if the membership has ended.
  package func requireMembership() throws -> Membership {
    guard var membership else { throw TimeclockError.notFound(.organization) }
    guard !isOrganizationDeactivated else { throw TimeclockError.organizationDeactivated }
    guard membership.isActive else { throw TimeclockError.callerDeactivated }
    membership.source = client?.source ?? .api
    return membership
  }

  /// Refuses log-ins with a one-time password.
  ///
  /// - Throws: `TimeclockError.passwordChangeRequired`.
  package func requireOwnPassword() throws {
    guard !mustChangePassword else { throw TimeclockError.passwordChangeRequired }
  }

  /// Refuses tokens that only read.
  ///
  /// - Throws: `TimeclockError.readOnlyToken`.
  package func requireWriting() throws {
    guard !isReadOnly else { throw TimeclockError.readOnlyToken }
  }

  /// Refuses API tokens, which act in one organization and never for the account.
  ///
  /// - Throws: `TimeclockError.forbidden`.
  package func requireLogIn() throws {
    guard scope == nil else { throw TimeclockError.forbidden }
  }
}
