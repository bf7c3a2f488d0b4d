import TimeclockDomain

extension Storage {
  /// Keeps a read, with the group's name, and the members whose time it is of: those that are stated, or all of the group.
  ///
  /// - Throws: `.notFound(.group)` if it is gone; `.notFound(.member)` if one of them is no member of it.
  package func keepRead(
    _ read: RecordRead, as representation: Representation, in organization: OrganizationKey
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let group = RecordValue.integer(representation.group.value)
      let name = try await transaction.first(
        RecordReadStatements.groupName, [.key(organization), group]
      ) { $0.text("name") }
      guard let name else { throw TimeclockError.notFound(.group) }
      var read = read
      read.groupName = name
      let number = RecordValue.optional(
        try await transaction.insert(read, into: RecordRead.table, of: organization))
      if representation.people.isEmpty {
        try await transaction.run(RecordReadStatements.addMembers, [.key(organization), number, group])
      } else {
        let counts = try await transaction.run(
          RecordReadStatements.addMember,
          each: representation.people.map { [.key(organization), number, group, .key($0.key)] })
        guard counts.allSatisfy({ $0 == 1 }) else { throw TimeclockError.notFound(.member) }
      }
    }
  }

  /// A page of reads, newest first.
  package func recordReads(_ query: RecordReadQuery) async throws -> Page<RecordRead, RowCursor> {
    try await page(
      RecordReadStatements.page(of: query), of: query.organization,
      after: query.cursor ?? RowCursor(row: .max), limit: query.limit,
      and: RecordReadStatements.values(of: query)
    ) { row in
      let number = row.integer("record_read_id")
      return (try RecordRead(&row), number)
    }
  }
}
