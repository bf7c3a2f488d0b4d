import TimeclockDomain

/// The findings about one organization: its chain of changes, and its rows against them.
package struct OrganizationAudit: Sendable {
  package let id: OrganizationID
  /// The number of sealed changes.
  package let changeCount: Int64
  /// The number of sealed changes whose content was erased.
  package let erasedCount: Int64
  /// The number of changes that wait for their seals.
  package let waitingCount: Int64
  /// The number of compared rows, 0 of a deleted organization; nil if the schema is older, so that none was compared.
  package let rowCount: Int64?
  /// The hash of the last change.
  package let hash: [UInt8]
  /// The faults, a line for each.
  package let faults: [String]

  /// The end of the chain, by which a later run detects that the chain was cut off.
  package var head: String { ChangeChain.head(sequence: changeCount, hash: hash) }
}

extension OrganizationAudit {
  /// Checks an organization's chain of changes, and compares the organization's rows with it.
  ///
  /// - Parameter onChange: Called with the head after each change.
  /// - Throws: The database's errors.
  package init(
    of organization: (key: OrganizationKey, id: OrganizationID), in database: any AuditedDatabase,
    onChange: (String) -> Void = { _ in }
  ) throws {
    var verifier = ChangeChainVerifier()
    var anonymizations: [UserID: Int64] = [:]
    var isDeleted = false
    func note(_ change: StoredChange, _ sequence: Int64) {
      isDeleted = isDeleted || change.beginsDeletion
      guard let userID = change.anonymizedMember else { return }
      anonymizations[userID] = anonymizations[userID] ?? sequence
    }
    while true {
      let changes = try database.storedChanges(
        of: organization.key, after: verifier.sequence, limit: Self.batchSize)
      for change in changes {
        verifier.check(change)
        note(change, change.sequence)
        onChange(ChangeChain.head(sequence: change.sequence, hash: change.hash))
      }
      if changes.count < Self.batchSize { break }
    }
    let waiting = try database.waitingChanges(of: organization.key)
    for change in waiting { note(change, .max) }
    var faults = verifier.faults.map(\.description)
    let lost = try database.lostSealCount(of: organization.key)
    if lost > 0 { faults.append("\(lost) changes have lost their seals") }
    if isDeleted {
      // The records go while the chain stays.
      rowCount = 0
    } else if database.hasCurrentSchema {
      var comparison = RowComparison(
        of: organization.key, in: database, anonymizations: anonymizations)
      try comparison.run()
      faults += comparison.faults.map(\.description)
      rowCount = comparison.rowCount
    } else {
      rowCount = nil
    }
    id = organization.id
    changeCount = verifier.sequence
    erasedCount = verifier.erasedCount
    waitingCount = Int64(waiting.count)
    hash = verifier.hash
    self.faults = faults
  }

  private static let batchSize = 1_000
}

extension StoredChange {
  /// Whether the organization's records are deleted from here on. The chain says so, not the row: altering one more row
  /// does not hide others.
  fileprivate var beginsDeletion: Bool {
    guard resource == .organization else { return false }
    guard kind != .deleted else { return true }
    guard let after = content.after,
      case .organization(let organization)? = try? Snapshot(kind: .organization, encoded: after)
    else { return false }
    return organization.state == .deleting
  }

  /// The member that the change anonymized.
  fileprivate var anonymizedMember: UserID? {
    guard resource == .member, let after = content.after,
      case .member(let member)? = try? Snapshot(kind: .member, encoded: after), member.anonymizedAt != nil
    else { return nil }
    return member.userID
  }
}
