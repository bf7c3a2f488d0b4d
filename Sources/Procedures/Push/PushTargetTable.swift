import TimeclockDomain

/// A push target as the table keeps one.
package struct StoredPushTarget: Sendable {
  var target: PushTarget
  /// The member's row.
  var user: UserKey
  /// The row of the token with which it ends.
  var token: Int64
  var progress: PushProgress

  package static let table = RecordTable<StoredPushTarget>(
    "push_targets", key: .numbered("push_target_id"), number: "push_target_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.target.id) },
      .fixed("user_id", .integer) { .integer($0.user.value) },
      .fixed("token_id", .integer) { .integer($0.token) },
      .fixed("kind", .text) { .text($0.target.kind.rawValue) },
      .fixed("form", .text) { .optional($0.target.form?.rawValue) },
      .fixed("token", .bytes) { .bytes($0.target.token.bytes) },
      .fixed("topic", .text) { .text($0.target.topic.text) },
      .fixed("environment", .text) { .text($0.target.environment.rawValue) },
      .fixed("dates", .text) { .text($0.target.dates.rawValue) },
      .fixed("attributes_type", .text) { .optional($0.target.attributesType) },
      .fixed("created_at", .integer) { .instant($0.target.createdAt) },
      .fixed("expires_at", .integer) { .optional($0.target.expiresAt) },
    ] + progress.map { $0.within { $0.progress } })

  /// The columns that messages change, but for `moves`.
  static let progress: [RecordField<PushProgress>] = [
    .field("activity", .text) { .optional($0.activity) },
    .field("state_tag", .text) { .optional($0.stateTag) },
    .field("tag", .text) { .optional($0.tag) },
    .field("content", .text) { .optional($0.content) },
    .field("sent_at", .integer) { .optional($0.sentAt) },
    .field("sent_day", .integer) { .integer($0.day) },
    .field("sent_count", .integer) { .integer($0.dayCount) },
    .field("failures", .integer) { .integer($0.failures) },
    .field("due_at", .integer) { .optional($0.dueAt) },
    .field("moves", .integer) { .integer($0.moves) },
  ]
}

extension PushTarget {
  /// The target in a row of `PushTargetRows`.
  init<Row>(_ row: inout RecordRow<Row>) throws {
    let id: PushTargetID = try row.identifier("id")
    let kind: Kind = try row.choice("kind")
    self.init(
      id: id, kind: kind, form: row.optionalText("form").flatMap(LiveActivityForm.init),
      token: PushToken(stored: row.blob("token")), topic: PushTopic(stored: row.text("topic")),
      environment: try row.choice("environment"), dates: try row.choice("dates"),
      attributesType: row.optionalText("attributes_type"), createdAt: row.instant("created_at"),
      expiresAt: row.optionalInstant("expires_at"))
  }
}

extension PushProgress {
  /// The progress in a row of `PushTargetRows`.
  init<Row>(_ row: inout RecordRow<Row>) {
    self.init(
      activity: row.optionalText("activity"), stateTag: row.optionalText("state_tag"),
      tag: row.optionalText("tag"), content: row.optionalText("content"),
      sentAt: row.optionalInstant("sent_at"), day: row.integer("sent_day"),
      dayCount: row.integer("sent_count"), failures: row.integer("failures"),
      dueAt: row.optionalInstant("due_at"), moves: row.integer("moves"))
  }
}

/// The statements on push targets. `$1` is the organization, and `$2` the member, if nothing else is said.
enum PushTargetRows {
  private static let columns = RecordColumns(StoredPushTarget.table.columns(of: "p"))

  /// Those whose time is not over at `$3`, at most `$4`.
  static let all = RecordStatement(
    """
    FROM push_targets p WHERE p.organization_id = $1 AND p.user_id = $2 \
    AND (p.expires_at IS NULL OR p.expires_at > $3) ORDER BY p.push_target_id LIMIT $4
    """, columns: columns)

  static let member = RecordStatement(
    "FROM members WHERE organization_id = $1 AND user_id = $2 AND anonymized_at IS NULL",
    columns: RecordColumns("user_id"), lock: "FOR NO KEY UPDATE")

  /// The token in the row `$1`, which stays until the transaction ends. A log-in belongs to no organization.
  static let token = RecordStatement(
    "FROM tokens WHERE token_id = $1", columns: RecordColumns("token_id"), lock: "FOR KEY SHARE",
    across: .tokensAreFoundByKey)

  /// Deletes the one with the token `$2`.
  static let deleteSame = RecordStatement(
    "DELETE FROM push_targets WHERE organization_id = $1 AND token = $2")

  /// Deletes those of the member whose time is over at `$3`.
  static let deleteOver = RecordStatement(
    "DELETE FROM push_targets WHERE organization_id = $1 AND user_id = $2 AND expires_at <= $3")

  static let count = RecordStatement(
    "FROM push_targets WHERE organization_id = $1 AND user_id = $2",
    columns: RecordColumns([("count", "count(*)")]))

  static let delete = RecordStatement(
    "DELETE FROM push_targets WHERE organization_id = $1 AND user_id = $2 AND id = $3",
    returning: RecordColumns("push_target_id"))

  /// Deletes all of a member.
  static let erase = RecordStatement("DELETE FROM push_targets WHERE organization_id = $1 AND user_id = $2")

  /// The members behind the place `$1`, `$2` with targets whose time is not over at `$3`, at most `$4`.
  static let members = RecordStatement(
    """
    FROM push_targets p \(behindPlace) AND \(Departed.none("p")) GROUP BY p.organization_id, p.user_id, u.id \(inOrder)
    """,
    columns: memberColumns,
    sqlite: """
      FROM push_targets p INDEXED BY push_targets_of_member \(behindPlace) \
      GROUP BY p.organization_id, p.user_id \(inOrder)
      """, across: .pushIsDelivered)

  private static let behindPlace = """
    JOIN users u ON u.user_id = p.user_id \
    WHERE (p.organization_id, p.user_id) > ($1, $2) AND (p.expires_at IS NULL OR p.expires_at > $3)
    """
  private static let inOrder = "ORDER BY p.organization_id, p.user_id LIMIT $4"

  /// The same, with targets that are due.
  static let dueMembers = RecordStatement(
    """
    FROM push_targets p JOIN users u ON u.user_id = p.user_id \
    WHERE p.due_at <= $3 AND (p.organization_id, p.user_id) > ($1, $2) \
    AND (p.expires_at IS NULL OR p.expires_at > $3) AND \(Departed.none("p")) \
    GROUP BY p.organization_id, p.user_id, u.id ORDER BY p.organization_id, p.user_id LIMIT $4
    """, columns: memberColumns, across: .pushIsDelivered)

  private static let memberColumns = RecordColumns([
    ("organization_id", "p.organization_id"), ("user_id", "p.user_id"), ("id", "u.id"),
  ])

  /// Writes the progress `$5` and so on down, if the one with the id `$3` was written `$4` times.
  static let move: RecordStatement = {
    let columns = StoredPushTarget.progress.dropLast()
    let assignments = columns.enumerated().map { "\($1.name) = $\($0 + 5)" }.joined(separator: ", ")
    return RecordStatement(
      """
      UPDATE push_targets SET \(assignments), moves = moves + 1 \
      WHERE organization_id = $1 AND user_id = $2 AND id = $3 AND moves = $4
      """, returning: RecordColumns("push_target_id"))
  }()

  /// Deletes the one with the id `$3`, if it was written `$4` times.
  static let end = RecordStatement(
    "DELETE FROM push_targets WHERE organization_id = $1 AND user_id = $2 AND id = $3 AND moves = $4")

  /// Deletes those whose time is over at `$1`, at most `$2`.
  static let deleteExpired = RecordStatement(
    """
    DELETE FROM push_targets WHERE ctid = ANY (ARRAY(\
    SELECT ctid FROM push_targets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2))
    """,
    returning: RecordColumns("push_target_id"),
    sqlite: """
      DELETE FROM push_targets WHERE push_target_id IN (\
      SELECT push_target_id FROM push_targets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
      """, across: .pushIsDelivered)
}
