import ChangeLog
import TimeclockDomain

/// The parts of statements that write changes down.
enum ChangeLogWrites {
  /// Inserts a change for each row of a source, and queues it to be sealed: two common table expressions, to stand
  /// behind those that make the change.
  ///
  /// - Parameters:
  ///   - first: The number of the first of the eight parameters of `values`, which come in one run.
  ///   - organization: The expression for the organization's row.
  ///   - resourceID: The expression for the resource's public id.
  ///   - before: The expression for the resource before, as text.
  ///   - after: The expression for the resource afterwards, as text.
  ///   - source: What stands behind FROM.
  static func expressions(
    firstParameter first: Int, organization: String, kind: ChangeKind, resource: Snapshot.Kind,
    resourceID: String, before: String, after: String, from source: String
  ) -> String {
    let values = (first..<first + 8).map { "$\($0)" }.joined(separator: ", ")
    return """
      logged AS ( \
      INSERT INTO changes (organization_id, time, author_means, author_id, author_token_id, request_id, operation, \
      reason, salt, kind, resource, resource_id, before, after) \
      SELECT \(organization), \(values), '\(kind.rawValue)', '\(resource.rawValue)', \(resourceID), \(before), \
      \(after) FROM \(source) RETURNING change_number), \
      queued AS ( \
      INSERT INTO unsealed_changes (organization_id, change_number) \
      SELECT \(organization), change_number FROM logged)
      """
  }

  /// Time, author, operation, reason and salt, in the order of `expressions`.
  static func values(_ context: ChangeContext) -> [PostgreSQLValue] {
    [
      .instant(context.time), .text(context.author.means.rawValue), .optional(context.author.userID),
      .optional(context.author.apiTokenID), .optional(context.author.requestID), .text(context.operation),
      .optional(context.reason?.text), .bytes(ChangeChain.makeSalt()),
    ]
  }

  /// The values of `insert`, with a salt of the change's own; nil for what neither was nor is.
  fileprivate static func values(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) -> [PostgreSQLValue]? {
    guard let subject = after ?? before else { return nil }
    let kind = before == nil ? ChangeKind.created : after == nil ? .deleted : .updated
    return [.integer(organization.value)] + values(context) + [
      .text(kind.rawValue), .text(subject.kind.rawValue), .identifier(subject.resourceID),
      .optional(before?.encoded), .optional(after?.encoded),
    ]
  }

  fileprivate static let insert = PostgreSQLStatement(
    """
    WITH logged AS ( \
    INSERT INTO changes (organization_id, time, author_means, author_id, author_token_id, request_id, operation, \
    reason, salt, kind, resource, resource_id, before, after) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING change_number) \
    INSERT INTO unsealed_changes (organization_id, change_number) SELECT $1, change_number FROM logged
    """)
}

extension PostgreSQLTransaction {
  /// Writes down a change.
  ///
  /// - Parameters:
  ///   - before: What was there; nil for what is created.
  ///   - after: What is there now; nil for what is deleted.
  func log(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    guard let values = ChangeLogWrites.values(from: before, to: after, in: organization, context) else {
      return
    }
    try await run(ChangeLogWrites.insert, values, in: .organization(organization))
  }

  /// Writes down changes of one transaction, in their order, in one round trip.
  func log(
    each changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    try await run(
      ChangeLogWrites.insert,
      each: changes.compactMap {
        ChangeLogWrites.values(from: $0.before, to: $0.after, in: organization, context)
      }, in: .organization(organization))
  }
}
