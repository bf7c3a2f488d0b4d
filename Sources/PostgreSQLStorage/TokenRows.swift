/// The statements on tokens and passwords.
enum TokenRows {
  static let authenticate = PostgreSQLStatement(
    """
    SELECT t.token_id, t.user_id, t.organization_id, t.expires_at, t.last_used_at, u.id, t.id, \
    m.role, m.active, m.time_zone, o.organization_id, o.time_zone, o.minimum_seconds, o.maximum_seconds, \
    o.edit_window_days, o.look_back_hours, o.notes_maximum_characters, o.auto_clock_out_seconds, \
    o.daily_overtime_seconds, o.weekly_overtime_seconds, o.week_start, \
    o.manual_entry_days \
    FROM tokens t JOIN users u ON u.user_id = t.user_id \
    LEFT JOIN organizations o \
    ON o.id = $2 AND (t.organization_id IS NULL OR t.organization_id = o.organization_id) \
    LEFT JOIN members m ON m.organization_id = o.organization_id AND m.user_id = t.user_id \
    AND (m.accepted OR t.organization_id IS NOT NULL) \
    WHERE t.digest = $1 AND t.expires_at > $3
    """)

  static let noteUse = PostgreSQLStatement(
    "UPDATE tokens SET last_used_at = greatest(last_used_at, $2) WHERE token_id = $1")

  static let logInAccount = PostgreSQLStatement(
    """
    SELECT user_id, id, email, name, password_hash, \
    EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.user_id AND m.active) \
    FROM users u WHERE email_key = $1
    """)

  static let passwordHash = PostgreSQLStatement("SELECT password_hash FROM users WHERE user_id = $1")

  /// Locks the account, so that its password stays what was checked, and its memberships, so that none ends.
  static let mayLogIn = PostgreSQLStatement(
    """
    WITH account AS (SELECT user_id FROM users WHERE user_id = $1 AND password_hash = $2 FOR SHARE) \
    SELECT m.user_id FROM members m JOIN account a ON a.user_id = m.user_id WHERE m.active FOR SHARE OF m
    """)

  static let deleteExpired = PostgreSQLStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND expires_at <= $2 AND id IS NULL")

  static let delete = PostgreSQLStatement("DELETE FROM tokens WHERE token_id = $1")

  static let changePassword = PostgreSQLStatement(
    "UPDATE users SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2 RETURNING user_id")

  private static let revoked = """
    RETURNING organization_id, id, name, (SELECT u.id FROM users u WHERE u.user_id = tokens.user_id), \
    created_at, expires_at
    """

  /// A user's log-ins but one, and the API tokens of the organizations where log-ins are good: what was made
  /// elsewhere is not for whoever knows the password to revoke.
  static let revokeOfAccount = PostgreSQLStatement(
    """
    DELETE FROM tokens WHERE user_id = $1 AND token_id IS DISTINCT FROM $2 AND (organization_id IS NULL \
    OR organization_id IN (SELECT organization_id FROM members WHERE user_id = $1 AND accepted)) \
    \(revoked)
    """)

  /// One API token.
  static let revokeApiToken = PostgreSQLStatement(
    "DELETE FROM tokens WHERE organization_id = $1 AND id = $2 \(revoked)")

  /// All tokens of a user.
  static let revokeAll = PostgreSQLStatement("DELETE FROM tokens WHERE user_id = $1 \(revoked)")

  /// A user's API tokens of one organization.
  static let revokeApiTokensOfMember = PostgreSQLStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND organization_id = $2 \(revoked)")

  /// A user's log-ins.
  static let revokeLogIns = PostgreSQLStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND organization_id IS NULL \(revoked)")

  /// The organization of an API token.
  static let organization = PostgreSQLStatement(
    """
    SELECT organization_id FROM tokens \
    WHERE digest = $1 AND user_id = $2 AND expires_at > $3 AND organization_id IS NOT NULL
    """)

  static let accept = PostgreSQLStatement(
    "UPDATE members SET accepted = TRUE WHERE organization_id = $1 AND user_id = $2")

  static let apiTokens = PostgreSQLStatement(
    """
    SELECT t.token_id, t.id, t.name, u.id, t.created_at, t.expires_at, t.last_used_at \
    FROM tokens t JOIN users u ON u.user_id = t.user_id \
    WHERE t.organization_id = $1 AND t.token_id > $2 ORDER BY t.token_id LIMIT $3
    """)

  /// The membership neither ends nor goes away until the transaction ends.
  static let lockMember = PostgreSQLStatement(
    """
    SELECT m.user_id, m.active FROM users u \
    JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id WHERE u.id = $2 FOR SHARE OF m
    """)

  static let insertApiToken = PostgreSQLStatement(
    """
    INSERT INTO tokens (user_id, digest, created_at, expires_at, last_used_at, organization_id, id, name) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    """)

  static let insertLogIn = PostgreSQLStatement(
    "INSERT INTO tokens (user_id, digest, created_at, expires_at) VALUES ($1, $2, $3, $4)")
}
