import ChangeLog
import TimeclockDomain

/// The parts of statements that write changes down.
enum ChangeLogWrites {
  /// Inserts a change for each row of a source, and queues it to be sealed: two common table expressions, to stand
  /// behind those that make the change. Their statement has the parameters of `parameters()`.
  ///
  /// - Parameters:
  ///   - organization: The expression for the organization's row.
  ///   - resourceID: The expression for the resource's public id.
  ///   - before: The expression for the resource before, as text.
  ///   - after: The expression for the resource afterwards, as text.
  ///   - source: The text behind FROM.
  static func expressions(
    organization: String, kind: ChangeKind, resource: Snapshot.Kind, resourceID: String, before: String,
    after: String, from source: String
  ) -> String {
    let columns = columns(
      organization: organization, kind: "'\(kind.rawValue)'", resource: "'\(resource.rawValue)'",
      resourceID: resourceID, before: before, after: after)
    return """
      logged AS ( \
      INSERT INTO changes (\(columns.names)) SELECT \(columns.values) FROM \(source) RETURNING change_number), \
      queued AS ( \
      INSERT INTO unsealed_changes (organization_id, change_number) \
      SELECT \(organization), change_number FROM logged)
      """
  }

  /// The columns of a change and their expressions, with the parameters of `parameters()`.
  private static func columns(
    organization: String, kind: String, resource: String, resourceID: String, before: String, after: String
  ) -> InsertedColumns {
    [
      "organization_id": organization, "time": "$time", "author_means": "$means", "author_id": "$author",
      "author_token_id": "$authorToken", "request_id": "$request", "operation": "$operation",
      "reason": "$reason", "salt": "$salt", "kind": kind, "resource": resource, "resource_id": resourceID,
      "before": before, "after": after,
    ]
  }

  /// Time, author, operation and reason of a change, and a salt of its own.
  static func parameters<Input: ChangeInput>() -> NamedParameters<Input> {
    [
      "time": { .instant($0.context.time) },
      "means": { .text($0.context.author.means.rawValue) },
      "author": { .optional($0.context.author.userID) },
      "authorToken": { .optional($0.context.author.apiTokenID) },
      "request": { .optional($0.context.author.requestID) },
      "operation": { .text($0.context.operation) },
      "reason": { .optional($0.context.reason?.text) },
      "salt": { _ in .bytes(ChangeChain.makeSalt()) },
    ]
  }

  fileprivate static let insert = NamedStatement<LoggedChange>(
    ["organization": { .integer($0.organization.value) }], parameters(),
    [
      "kind": { .text($0.kind.rawValue) },
      "resource": { .text($0.subject.kind.rawValue) },
      "resourceID": { .identifier($0.subject.resourceID) },
      "before": { .optional($0.before?.encoded) },
      "after": { .optional($0.after?.encoded) },
    ],
    text: """
      WITH logged AS ( \
      INSERT INTO changes (\(inserted.names)) VALUES (\(inserted.values)) RETURNING change_number) \
      INSERT INTO unsealed_changes (organization_id, change_number) SELECT $organization, change_number FROM logged
      """)

  private static let inserted = columns(
    organization: "$organization", kind: "$kind", resource: "$resource", resourceID: "$resourceID",
    before: "$before", after: "$after")
}

/// The input of a statement that writes a change down.
protocol ChangeInput: Sendable {
  var context: ChangeContext { get }
}

extension NewTimeEntry: ChangeInput {}
extension ClockOut: ChangeInput {}

/// A change to write down.
private struct LoggedChange: ChangeInput {
  let organization: OrganizationKey
  let before: Snapshot?
  let after: Snapshot?
  /// The resource after the change, or else before it.
  let subject: Snapshot
  let context: ChangeContext

  /// Nil if there is no resource before or after.
  init?(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) {
    guard let subject = after ?? before else { return nil }
    self.organization = organization
    self.before = before
    self.after = after
    self.subject = subject
    self.context = context
  }

  var kind: ChangeKind { before == nil ? .created : after == nil ? .deleted : .updated }
}

extension PostgreSQLTransaction {
  /// Writes down a change.
  ///
  /// - Parameters:
  ///   - before: The resource before the change; nil if it is created.
  ///   - after: The resource after the change; nil if it is deleted.
  /// - Throws: `.periodLocked` for a change that a mark binds.
  func log(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    guard let change = LoggedChange(from: before, to: after, in: organization, context) else { return }
    try await requireOpen([(before, after)], in: organization, context)
    let insert = ChangeLogWrites.insert
    try await run(insert.statement, insert.values(change), in: .organization(organization))
  }

  /// Writes down changes of one transaction, in their order, in one round trip.
  ///
  /// - Throws: `.periodLocked` for a change that a mark binds.
  func log(
    each changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    try await requireOpen(changes, in: organization, context)
    let changes = changes.compactMap {
      LoggedChange(from: $0.before, to: $0.after, in: organization, context)
    }
    let insert = ChangeLogWrites.insert
    try await run(insert.statement, each: changes.map(insert.values), in: .organization(organization))
  }
}
