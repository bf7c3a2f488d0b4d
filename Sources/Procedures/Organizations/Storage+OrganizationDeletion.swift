import TimeclockDomain

extension Storage {
  /// Closes some of an organization's active entries at the time of the change, as those of a deactivated member are.
  ///
  /// - Parameter limit: The most entries to close, at least 1.
  /// - Returns: The number of those that were closed.
  package func closeActiveEntries(
    of organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> Int {
    let kind = RecordWrite(.organization(organization), isLong: true)
    return try await write(kind, recording: nil) { transaction in
      let members = try await transaction.read(
        DeletionStatements.activeMembers, [.key(organization), .integer(Int64(max(limit, 1)))]
      ) { UserKey($0.integer("user_id")) }
      guard !members.isEmpty else { return 0 }
      let policy = try await transaction.requireOrganization(organization).policy
      for user in members {
        let member = MemberKey(organization: organization, user: user)
        // A request that began before the deletion may yet write the member's entry.
        try await transaction.lockForSegments(member)
        try await transaction.closeAbandonedEntry(of: member, by: policy, context)
      }
      return members.count
    }
  }

  /// Deletes some of the records of an organization that is being deleted: entries, sessions and the like, of one table
  /// in one transaction. Members, tokens and changes stay.
  ///
  /// - Parameter limit: The most records to delete, at least 1.
  /// - Returns: The number of those that were deleted; 0 if none is left.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  package func deleteRecords(of organization: OrganizationKey, limit: Int) async throws -> Int {
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      try await transaction.requireDeletion(of: organization)
      for table in OwnedTable.all {
        let count = try await transaction.read(
          table.deletion, [.key(organization), .integer(Int64(max(limit, 1)))]
        ) { _ in }.count
        if count > 0 { return count }
      }
      return 0
    }
  }

  /// Ends some of the memberships of an organization that is being deleted, with their tokens, and the accounts that are
  /// members of no other organization, as `PersonalDataStorage.anonymizeMember` ends one.
  ///
  /// - Parameter limit: The most memberships to end, at least 1.
  /// - Returns: The number of those that were ended; 0 if none is left.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`; an error of the
  ///   database if records are left.
  package func endMemberships(
    of organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> Int {
    let kind = RecordWrite(.organization(organization), changesAccess: true, isLong: true)
    return try await write(kind, recording: nil) { transaction in
      try await transaction.requireDeletion(of: organization)
      let users = try await transaction.read(
        DeletionStatements.members, [.key(organization), .integer(Int64(max(limit, 1)))]
      ) { row in (key: UserKey(row.integer("user_id")), id: try row.identifier("id") as UserID) }
      // In one order for everybody, so that two deletions do not wait for each other.
      for user in users.sorted(by: { $0.key.value < $1.key.value }) {
        try await AccountEnding(
          transaction: transaction, userID: user.id, user: user.key, organization: organization,
          context: context
        ).run()
        try await transaction.run(
          DeletionStatements.endMembership, [.key(user.key), .key(organization)])
      }
      return users.count
    }
  }

  /// Writes down that an organization without members is deleted; nothing if that was written before.
  ///
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  package func logDeletion(of organization: OrganizationKey, context: ChangeContext) async throws {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let record = try await transaction.requireDeletion(of: organization)
      let values: [RecordValue] = [.key(organization), .identifier(record.id)]
      guard try await !transaction.exists(DeletionStatements.loggedDeletion, values) else { return }
      try await transaction.log(from: .organization(record), to: nil, in: organization, context)
    }
  }

  /// Erases the content of some of the changes of an organization that is being deleted. Once all are erased, it is
  /// deleted.
  ///
  /// - Parameters:
  ///   - sequence: Only changes after this one; 0 for all.
  ///   - limit: The most changes to erase, at least 1.
  /// - Returns: The sequence number to go on after; nil if it is deleted now.
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  package func eraseChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> Int64? {
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      try await transaction.requireDeletion(of: organization)
      let last = sequence + Int64(max(limit, 1))
      try await transaction.run(
        DeletionStatements.eraseChanges, [.key(organization), .integer(sequence), .integer(last)])
      if try await transaction.exists(DeletionStatements.laterSeal, [.key(organization), .integer(last)]) {
        return last
      }
      try await transaction.run(DeletionStatements.end, [.key(organization)])
      return nil
    }
  }
}

extension RecordTransaction {
  /// The organization, which nobody else changes until the transaction ends.
  ///
  /// - Throws: `.organizationActive` for one that is not being deleted; `.notFound(.organization)`.
  @discardableResult
  fileprivate func requireDeletion(of organization: OrganizationKey) async throws -> Organization {
    let found = try await requireOrganization(organization, isLocked: true)
    guard found.state == .deleting else { throw TimeclockError.organizationActive }
    return found
  }
}

/// A table of an organization's records that are deleted with it, but for members.
package struct OwnedTable: Sendable {
  package let name: String
  /// Deletes some rows of an organization: values are the organization and the most rows.
  let deletion: RecordStatement

  /// - Parameter key: The columns of the primary key on SQLite.
  init(_ name: String, key: String, only condition: String = "") {
    self.name = name
    let rows = "WHERE organization_id = $1\(condition) LIMIT $2"
    // By their places, so that no plan goes through the table for a part of it.
    deletion = RecordStatement(
      "DELETE FROM \(name) WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(name) \(rows)))",
      returning: RecordColumns("organization_id"),
      sqlite: "DELETE FROM \(name) WHERE (\(key)) IN (SELECT \(key) FROM \(name) \(rows))")
  }
}

private enum DeletionStatements {
  static let activeMembers = RecordStatement(
    "FROM time_entries WHERE organization_id = $1 AND clock_out IS NULL ORDER BY user_id LIMIT $2",
    columns: RecordColumns("user_id"))
  static let members = RecordStatement(
    """
    FROM members m JOIN users u ON u.user_id = m.user_id WHERE m.organization_id = $1 \
    ORDER BY m.member_number LIMIT $2
    """, columns: RecordColumns([("user_id", "m.user_id"), ("id", "u.id")]))
  static let endMembership = RecordStatement(
    "DELETE FROM members WHERE user_id = $1 AND organization_id = $2")
  static let loggedDeletion = RecordStatement(
    """
    FROM changes WHERE organization_id = $1 AND resource_id = $2 AND resource = 'organization' \
    AND kind = 'deleted' LIMIT 1
    """, columns: RecordColumns("change_number"))
  static let eraseChanges = RecordStatement(
    """
    UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL WHERE organization_id = $1 \
    AND salt IS NOT NULL AND change_number IN (SELECT change_number FROM change_seals \
    WHERE organization_id = $1 AND sequence > $2 AND sequence <= $3)
    """)
  static let laterSeal = RecordStatement(
    "FROM change_seals WHERE organization_id = $1 AND sequence > $2 LIMIT 1",
    columns: RecordColumns("sequence"))
  static let end = RecordStatement("UPDATE organizations SET state = 'deleted' WHERE organization_id = $1")
}
