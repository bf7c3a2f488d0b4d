import TimeclockDomain

extension Group: TabledRecord {
  package static let table = ShapedTable(shape)

  /// A page of the groups in which the user `$4` has a part.
  fileprivate static let ofPerson = table.page(
    where:
      "r.group_id IN (SELECT p.group_id FROM group_people p WHERE p.organization_id = $1 AND p.user_id = $4)")
  /// A page of the groups that the user `$4` manages.
  fileprivate static let ofManager = table.page(
    where: """
      r.group_id IN (SELECT p.group_id FROM group_people p \
      WHERE p.organization_id = $1 AND p.user_id = $4 AND p.part = 'manager')
      """)
  fileprivate static let addPerson = RecordStatement(
    "INSERT INTO group_people (organization_id, group_id, part, user_id) VALUES ($1, $2, $3, $4)")
  fileprivate static let removePart = RecordStatement(
    "DELETE FROM group_people WHERE organization_id = $1 AND group_id = $2 AND part = $3")
}

extension Group {
  fileprivate static let key = RecordStatement(
    "FROM groups WHERE organization_id = $1 AND id = $2", columns: RecordColumns("group_id"))
  fileprivate static let ofMembers = members(of: "")
  /// The same of the groups that the user `$2` manages.
  fileprivate static let ofMembersManaged = members(
    of: """
       AND EXISTS (SELECT 1 FROM group_people m WHERE m.organization_id = $1 AND m.user_id = $2 \
      AND m.part = 'manager' AND m.group_id = p.group_id)
      """)

  private static func members(of condition: String) -> RecordStatement {
    RecordStatement(
      """
      FROM group_people p JOIN groups g ON g.organization_id = p.organization_id AND g.group_id = p.group_id \
      WHERE p.organization_id = $1 AND p.part = 'member'\(condition)
      """, columns: RecordColumns([("user", "p.user_id"), ("id", "g.id"), ("name", "g.name")]))
  }

  fileprivate static let membership = RecordStatement(
    "FROM group_people WHERE organization_id = $1 AND group_id = $2 AND part = $4 AND user_id = $3",
    columns: RecordColumns("user_id"))
  /// The people of the groups that the user `$2` manages who are members of one, or that manager.
  fileprivate static let managed = RecordStatement(
    """
    FROM users u WHERE u.user_id IN (SELECT m.user_id FROM members m WHERE m.organization_id = $1\
    \(MemberSelection.Way.managed.condition(on: "m.user_id", row: "$2")))
    """, columns: RecordColumns([("id", "u.id")]))
}

// Members are locked before the group, as they are before a session.
extension Storage {
  /// Keeps a new group, with its people.
  ///
  /// - Throws: The refusal of the limit; `.notFound(.member)` for somebody who is no member.
  package func createGroup(
    _ group: Group, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Group>?
  ) async throws -> Group {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else counts meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let count = try await transaction.first(Group.table.count, [.key(organization)]) { $0.integer("count") }
      guard count ?? 0 < Group.limit.count else { throw Group.limit.refusal }
      let members = try await transaction.lockPeople(group.people, of: organization)
      let number = try await transaction.create(group, in: organization, context) ?? 0
      for part in Group.Part.allCases {
        try await transaction.add(group[part], as: part, toGroup: number, members, in: organization)
      }
      return group
    }
  }

  /// Changes a group, and writes that down; nothing if the change changes nothing. All of it happens or nothing.
  ///
  /// - Parameter people: All whom `change` may put into the group.
  /// - Throws: `.notFound(.group)`; `.changed` when the version is another; any error of `change`; `.notFound(.member)` for
  ///   somebody who is no member.
  package func updateGroup(
    _ update: ResourceUpdate<Group>, people: Set<UserID>,
    _ change: @escaping @Sendable (inout Group) throws -> Void
  ) async throws -> Group {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let members = try await transaction.lockPeople(people, of: organization)
      let found = try await transaction.require(update, by: Group.table.lockedForChange)
      let changed = try await transaction.change(found, in: organization, update.context, change)
      for part in Group.Part.allCases where changed[part] != found.record[part] {
        try await transaction.run(
          Group.removePart, [.key(organization), .integer(found.number), .text(part.rawValue)])
        try await transaction.add(changed[part], as: part, toGroup: found.number, members, in: organization)
      }
      return changed
    }
  }

  /// Deletes a group, and writes that down; its people go with it.
  ///
  /// - Throws: `.notFound(.group)`; `.changed` when the version is another.
  package func deleteGroup(_ deletion: ResourceUpdate<Group>) async throws {
    try await write(RecordWrite(.organization(deletion.organization)), recording: nil) { transaction in
      let found = try await transaction.require(deletion, by: Group.table.lockedForDeletion)
      try await transaction.delete(found, in: deletion.organization, deletion.context)
    }
  }

  /// One group; nil if the organization has none with this id.
  package func group(_ id: GroupID, in organization: OrganizationKey) async throws -> Group? {
    try await record(id, in: organization)
  }

  /// The row of a group; nil if the organization has none with this id.
  package func groupKey(of id: GroupID, in organization: OrganizationKey) async throws -> GroupKey? {
    try await first(Group.key, [.key(organization), .identifier(id)], in: .organization(organization)) {
      GroupKey($0.key)
    }
  }

  /// Whether somebody has a part in a group.
  package func has(
    _ user: UserKey, as part: Group.Part, _ group: GroupKey, in organization: OrganizationKey
  ) async throws -> Bool {
    try await first(
      Group.membership, [.key(organization), .integer(group.value), .key(user), .text(part.rawValue)],
      in: .organization(organization)
    ) { $0.key } != nil
  }

  /// The members of the groups that somebody manages, and, if there is such a group, the manager.
  package func peopleManaged(by user: UserKey, in organization: OrganizationKey) async throws -> Set<UserID> {
    Set(
      try await read(
        Group.managed, [.key(organization), .key(user)], in: .organization(organization), limit: 10_000
      ) { try $0.identifier("id") })
  }

  /// The group of each member who is in one: of several the first by name.
  ///
  /// - Parameter manager: Only groups that this person manages; nil means all.
  package func groupsOfMembers(
    in organization: OrganizationKey, managedBy manager: UserKey?
  ) async throws -> [UserKey: ReportedGroup] {
    let rows = try await read(
      manager == nil ? Group.ofMembers : Group.ofMembersManaged,
      [.key(organization)] + (manager.map { [.key($0)] } ?? []), in: .organization(organization),
      limit: 10_000
    ) { row in
      (
        UserKey(row.integer("user")),
        ReportedGroup(id: try row.identifier("id"), name: row.text("name"))
      )
    }
    return Dictionary(rows, uniquingKeysWith: min)
  }

  /// A page of groups, in the order in which they were made.
  ///
  /// - Parameters:
  ///   - user: Only those in which this person has a part; nil means all.
  ///   - isManager: Only those that the person manages.
  package func groups(
    of organization: OrganizationKey, with user: UserKey?, isManager: Bool = false, after cursor: RowCursor?,
    limit: Int
  ) async throws -> Page<Group, RowCursor> {
    let ofPerson = isManager ? Group.ofManager : Group.ofPerson
    return try await records(
      user == nil ? Group.table.pages[nil] : ofPerson, of: organization, after: cursor, limit: limit,
      and: user.map { [.key($0)] } ?? [])
  }
}

extension RecordTransaction {
  /// Keeps people from ceasing to be members until the transaction ends.
  ///
  /// - Throws: `.notFound(.member)` for somebody who is none.
  fileprivate func lockPeople(
    _ people: Set<UserID>, of organization: OrganizationKey
  ) async throws -> [UserID: LockedMember] {
    let members = try await lockMembers(Array(people), of: organization)
    guard members.count == people.count else { throw TimeclockError.notFound(.member) }
    return members
  }

  fileprivate func add(
    _ people: [UserID], as part: Group.Part, toGroup number: Int64, _ members: [UserID: LockedMember],
    in organization: OrganizationKey
  ) async throws {
    try await run(
      Group.addPerson,
      each: people.map { id in
        guard let member = members[id] else { throw TimeclockError.notFound(.member) }
        return [.key(organization), .integer(number), .text(part.rawValue), .key(member.user)]
      })
  }
}
