import TimeclockDomain

/// The change of a member's time that a correction proposes, as the procedures of entries make it. Its context says by
/// which marks it is bound.
package enum ProposedChange: Sendable {
  case add(NewTimeEntry)
  case change(TimeEntryUpdate, @Sendable (inout TimeEntry) throws -> Void)
  case delete(TimeEntryUpdate)

  package var context: ChangeContext {
    switch self {
    case .add(let new): new.context
    case .change(let update, _), .delete(let update): update.context
    }
  }

  /// Refuses a change that the rules do not let be made of the entry as it is.
  ///
  /// - Parameter entry: Of no consequence for an entry to add, which has met the rules.
  func check(on entry: TimeEntry?) throws {
    guard case .change(_, let change) = self, var entry else { return }
    try change(&entry)
  }
}

/// An entry before and after a change.
struct ChangedEntry: Sendable {
  /// Nil if it was added.
  let before: TimeEntry?
  /// Nil if it was deleted.
  let after: TimeEntry?

  var isChanged: Bool { before != after }
}

extension RecordTransaction {
  /// Makes a change of a member's time, with all that is of the entry, and writes that down. The member is locked.
  ///
  /// - Throws: The errors of `TimeEntryStorage` for the change.
  func make(
    _ change: ProposedChange, of user: UserKey, in organization: OrganizationKey
  ) async throws -> ChangedEntry {
    guard change.context.boundBy == nil else { return try await make(change, in: organization) }
    // The database lets nobody else into locked time, and this transaction until its end at most.
    try await run(CorrectingStatements.begin, [.key(organization), .key(user)])
    let changed = try await make(change, in: organization)
    try await write(
      CorrectingStatements.end, [.key(organization), .key(user)], rows: 1, of: "correcting")
    return changed
  }

  private func make(
    _ change: ProposedChange, in organization: OrganizationKey
  ) async throws -> ChangedEntry {
    switch change {
    case .add(let new):
      return ChangedEntry(before: nil, after: try await createEntry(new))
    case .change(let update, let change):
      let before = try await entry(update.id, in: organization)
      return ChangedEntry(before: before, after: try await updateEntry(update, change))
    case .delete(let update):
      return ChangedEntry(before: try await deleteEntry(update) { _ in }, after: nil)
    }
  }
}

private enum CorrectingStatements {
  static let begin = RecordStatement(
    "INSERT INTO correcting (organization_id, user_id, ending) VALUES ($1, $2, 0)")
  static let end = RecordStatement("DELETE FROM correcting WHERE organization_id = $1 AND user_id = $2")
}
