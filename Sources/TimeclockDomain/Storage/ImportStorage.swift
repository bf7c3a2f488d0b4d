/// The storage of the members and entries that a file holds.
package protocol ImportStorage: Sendable {
  /// Adds people as inactive members, and keeps closed entries of them and of members there are, all in one
  /// transaction: each entry as `TimeEntryStorage.createTimeEntries` keeps it with `.accepted`, and also for members
  /// who are inactive, unless they are anonymized. Members and entries are logged one by one.
  ///
  /// A person who is a member by now is not added, and the entries of that new member are refused with `.memberExists`.
  ///
  /// - Parameter isDryRun: Whether nothing is kept and nothing recorded; the result is then the outcome that the import
  ///   would have had.
  func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome
}

/// Entries of a file that have passed the rules, and the people in it who are no members yet.
package struct ImportBatch: Sendable {
  package var organization: OrganizationKey
  /// They get the role of a member, and no password. An account with the address is joined.
  package var newMembers: [NewAccount]
  /// Their source is `.import`.
  package var entries: [ImportedEntry]
  package var context: ChangeContext

  package init(
    organization: OrganizationKey, newMembers: [NewAccount], entries: [ImportedEntry], context: ChangeContext
  ) {
    self.organization = organization
    self.newMembers = newMembers
    self.entries = entries
    self.context = context
  }
}

/// An entry to keep, and its owner.
package struct ImportedEntry: Sendable {
  package enum Owner: Hashable, Sendable {
    case member(MemberKey)
    /// One of the batch's new members, by their place from 0 on; the entry gets the id that the member has in the end.
    case newMember(Int)
  }

  package var owner: Owner
  package var entry: TimeEntry

  package init(owner: Owner, entry: TimeEntry) {
    self.owner = owner
    self.entry = entry
  }

  /// The entry to keep, once the batch's new members are there.
  ///
  /// - Throws: The error for which its member could not be added.
  package func resolved(
    among members: [Result<CreatedMember, TimeclockError>], context: ChangeContext
  ) throws -> NewTimeEntry {
    switch owner {
    case .member(let key):
      return NewTimeEntry(member: key, entry: entry, needsSessionAssignment: false, context: context)
    case .newMember(let index):
      guard members.indices.contains(index) else { throw TimeclockError.notFound(.member) }
      let created = try members[index].get()
      var entry = entry
      entry.userID = created.member.userID
      return NewTimeEntry(member: created.key, entry: entry, needsSessionAssignment: false, context: context)
    }
  }
}

/// The outcome of a batch.
package struct ImportOutcome: Sendable {
  /// The result of each new member, in their order.
  package var members: [Result<CreatedMember, TimeclockError>]
  /// The result of each entry, in their order.
  package var entries: [Result<TimeEntry, TimeclockError>]

  package init(
    members: [Result<CreatedMember, TimeclockError>], entries: [Result<TimeEntry, TimeclockError>]
  ) {
    self.members = members
    self.entries = entries
  }
}

/// A member who was just added, and the membership's row.
package struct CreatedMember: Hashable, Sendable {
  package var member: Member
  package var key: MemberKey

  package init(member: Member, key: MemberKey) {
    self.member = member
    self.key = key
  }
}

/// Ends the transaction of a dry run, and carries what was found out in it.
package struct NothingImported: Error {
  package let outcome: ImportOutcome

  package init(_ outcome: ImportOutcome) {
    self.outcome = outcome
  }
}
