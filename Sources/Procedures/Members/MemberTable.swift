import TimeclockDomain

/// A member as the table keeps one.
package struct StoredMember: Sendable {
  var member: Member
  /// Whether the account's log-ins are valid in the organization.
  var isAccepted: Bool

  package static let table = RecordTable<StoredMember>(
    "members", key: .known("user_id"), number: "member_number", isUnlessThere: true,
    fields: [
      .field("email", .text) { .text($0.member.email) },
      .field("name", .text) { .text($0.member.name) },
      .field("role", .text) { .text($0.member.role.rawValue) },
      .field("time_zone", .text) { .optional($0.member.timeZone?.name) },
      .field("language", .text) { .optional($0.member.language?.rawValue) },
      .field("personnel_number", .text) { .optional($0.member.personnelNumber) },
      .field("active", .bool) { .bool($0.member.isActive) },
      .fixed("accepted", .bool) { .bool($0.isAccepted) },
      .field("version", .integer) { .integer($0.member.version) },
      .fixed("created_at", .integer) { .instant($0.member.createdAt) },
      .field("updated_at", .integer) { .instant($0.member.updatedAt) },
      .fixed("anonymized_at", .integer) { .optional($0.member.anonymizedAt) },
    ])
}

extension Member {
  /// The columns, of the tables `m`, `u` and `o`.
  private static let columns = RecordColumns(
    [
      ("member_number", "m.member_number"), ("user_id", "m.user_id"), ("user", "u.id"),
      ("organization", "o.id"),
    ] + StoredMember.table.columns(of: "m"))

  private static let byID = """
    FROM users u JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id \
    JOIN organizations o ON o.organization_id = $1 WHERE u.id = $2
    """

  static let one = RecordStatement(byID, columns: columns)
  static let locked = RecordStatement(byID, columns: columns, lock: "FOR NO KEY UPDATE OF m")
  package static let page = pages[.everybody]
  static let pages = SelectingStatements(by: "m.user_id", row: "$4") {
    RecordStatement(
      """
      FROM members m JOIN users u ON u.user_id = m.user_id \
      JOIN organizations o ON o.organization_id = m.organization_id \
      WHERE m.organization_id = $1 AND m.member_number > $2\($0) ORDER BY m.member_number LIMIT $3
      """, columns: columns)
  }

  /// The member in a row of `one` or `page`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    let member = Member(
      userID: try row.identifier("user"), organizationID: try row.identifier("organization"),
      email: row.text("email"), name: row.text("name"), role: try row.choice("role"),
      timeZone: try row.optionalTimeZone("time_zone"), language: try row.optionalChoice("language"),
      personnelNumber: row.optionalText("personnel_number"), isActive: row.bool("active"),
      version: row.integer("version"), createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"), anonymizedAt: row.optionalInstant("anonymized_at"))
    self = member.anonymizedAt == nil ? member : member.anonymous
  }

  static let withPersonnelNumber = RecordStatement(
    // As the unique index compares them, in any collation of the database.
    """
    FROM members WHERE organization_id = $1 AND personnel_number COLLATE "C" = $2 AND user_id <> $3
    """,
    columns: RecordColumns("user_id"),
    sqlite: """
      FROM members INDEXED BY members_by_personnel_number WHERE organization_id = $1 AND personnel_number = $2 \
      AND user_id <> $3
      """)
  static let anyAdmin = RecordStatement(
    "FROM members WHERE organization_id = $1 AND role = 'admin' AND active LIMIT 1",
    columns: RecordColumns("user_id"),
    sqlite: """
      FROM members INDEXED BY members_admins WHERE organization_id = $1 AND role = 'admin' AND active = 1 LIMIT 1
      """)
  static let activeElsewhere = RecordStatement(
    "FROM members WHERE user_id = $1 AND organization_id <> $2 AND active LIMIT 1",
    columns: RecordColumns("user_id"), across: .accountsAreShared)
  static let anywhereElse = RecordStatement(
    "FROM members WHERE user_id = $1 AND organization_id <> $2 AND anonymized_at IS NULL LIMIT 1",
    columns: RecordColumns("user_id"), across: .accountsAreShared)
  static let acceptedElsewhere = RecordStatement(
    "FROM members WHERE user_id = $1 AND organization_id <> $2 AND accepted LIMIT 1",
    columns: RecordColumns("user_id"), across: .accountsAreShared)
}

extension Member: VersionedRecord {
  package mutating func restoreFixed(from before: Member) {
    var record = before
    record.email = email
    record.name = name
    record.role = role
    record.timeZone = timeZone
    record.language = language
    record.personnelNumber = personnelNumber
    record.isActive = isActive
    self = record
  }
}

extension Membership {
  /// The columns but for the organization's number, of the tables `u`, `m` and `o`.
  private static let columns = RecordColumns(
    [
      ("user_id", "m.user_id"), ("organization", "o.id"), ("user", "u.id"), ("role", "m.role"),
      ("active", "m.active"), ("member_time_zone", "m.time_zone"), ("time_zone", "o.time_zone"),
    ] + Policy.columns(of: "o"))

  private static let tables = """
    FROM users u JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id \
    JOIN organizations o ON o.organization_id = $1
    """

  package static let one = RecordStatement(tables + " WHERE u.id = $2", columns: columns)
  /// The memberships of the users whose ids are in a JSON array, on PostgreSQL.
  package static let several = RecordStatement(
    tables + " WHERE u.id IN (SELECT one.id::uuid FROM json_array_elements_text($2::text::json) one (id))",
    columns: columns)

  package init<Row>(_ row: inout RecordRow<Row>, in organization: OrganizationKey) throws {
    self.init(
      key: MemberKey(organization: organization, user: UserKey(row.integer("user_id"))),
      organizationID: try row.identifier("organization"), userID: try row.identifier("user"),
      role: try row.choice("role"), isActive: row.bool("active"),
      memberTimeZone: try row.optionalTimeZone("member_time_zone"),
      organizationTimeZone: try row.timeZone("time_zone"), policy: Policy(&row))
  }
}

extension Profile {
  static let rows = RecordStatement(
    """
    FROM users u LEFT JOIN members m ON m.user_id = u.user_id \
    LEFT JOIN organizations o ON o.organization_id = m.organization_id \
    LEFT JOIN organization_departures d ON d.organization_id = m.organization_id \
    WHERE u.user_id = $1 ORDER BY m.member_number
    """,
    columns: RecordColumns([
      ("user", "u.id"), ("user_email", "u.email"), ("user_name", "u.name"), ("user_language", "u.language"),
      ("organization_id", "o.organization_id"), ("organization", "o.id"), ("organization_name", "o.name"),
      ("role", "m.role"), ("time_zone", "m.time_zone"),
      ("active", "m.active AND o.state = 'active' AND d.address IS NULL"), ("accepted", "m.accepted"),
      ("email", "m.email"), ("name", "m.name"), ("language", "m.language"), ("address", "d.address"),
    ]), across: .peopleSeeTheirOwnMemberships)
}

extension ProfileMembership {
  init?<Row>(_ row: inout RecordRow<Row>) throws {
    guard let organization = row.optionalInteger("organization_id") else { return nil }
    self.init(
      organization: OrganizationKey(organization), organizationID: try row.identifier("organization"),
      organizationName: row.text("organization_name"), role: try row.choice("role"),
      timeZone: try row.optionalTimeZone("time_zone"), isActive: row.bool("active"),
      isAccepted: row.bool("accepted"), email: row.text("email"), name: row.text("name"),
      language: try row.optionalChoice("language"), movedTo: row.optionalText("address"))
  }
}
