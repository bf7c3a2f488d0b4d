import TimeclockDomain

/// Compares every resource of an organization with what the log of changes says last of it, by both as the program
/// reads them: what a migration has added, and how a database spells it, is the same on both sides then.
///
/// Both lists are walked by the resources' ids, a window at a time, so memory does not grow with them.
struct RowComparison {
  let database: any AuditedDatabase
  let organization: OrganizationKey
  /// The sequence numbers of the changes that anonymized members, those without a seal as `Int64.max`.
  let anonymizations: [UserID: Int64]

  private(set) var rowCount: Int64 = 0
  private(set) var faults: [RowFault] = []

  init(
    of organization: OrganizationKey, in database: any AuditedDatabase, anonymizations: [UserID: Int64]
  ) {
    self.database = database
    self.organization = organization
    self.anonymizations = anonymizations
  }

  /// How many changed resources, and how many rows of each kind, are looked at together.
  private static let windowSize = 1_000

  mutating func run() throws {
    var start: ResourceID?
    repeat { start = try compareWindow(after: start) } while start != nil
  }

  /// - Returns: The last id of the window; nil where there is nothing behind it.
  private mutating func compareWindow(after start: ResourceID?) throws -> ResourceID? {
    let size = Self.windowSize
    let changes = try database.lastChanges(of: organization, after: start, limit: size)
    var ends = changes.count >= size ? [changes.last?.resourceID] : []
    var rows: [Key: Snapshot] = [:]
    for kind in Snapshot.Kind.allCases {
      let found = try database.resources(kind, of: organization, after: start, limit: size)
      if found.count >= size { ends.append(found.last?.resourceID) }
      for row in found { rows[Key(resource: kind, id: row.resourceID)] = row }
    }
    // Where one list goes on behind its last id, the others are looked at up to there only.
    let end = ends.compactMap { $0 }.min { $0.isBefore($1) }
    func isInside(_ id: ResourceID) -> Bool { end.map { !$0.isBefore(id) } ?? true }
    for change in changes where isInside(change.resourceID) {
      compare(change, with: rows.removeValue(forKey: Key(resource: change.resource, id: change.resourceID)))
    }
    let unknown = rows.keys.filter { isInside($0.id) }.sorted { $0.id.isBefore($1.id) }
    for key in unknown {
      rowCount += 1
      faults.append(RowFault(resource: key.resource, resourceID: key.id, kind: .isUnknown))
    }
    return end
  }

  private mutating func compare(_ change: LastChange, with row: Snapshot?) {
    if row != nil { rowCount += 1 }
    let fault: RowFault.Kind? =
      switch (change.kind, row) {
      case (.deleted, nil): nil
      case (.deleted, .some): .wasDeleted
      case (_, nil): .isMissing
      case (_, .some(let row)): change.isErased ? nil : difference(of: row, from: change)
      }
    for fault in [fault, mayBeErased(change, row) ? nil : .isErased] {
      guard let fault else { continue }
      faults.append(RowFault(resource: change.resource, resourceID: change.resourceID, kind: fault))
    }
  }

  private func difference(of row: Snapshot, from change: LastChange) -> RowFault.Kind? {
    guard let after = change.after else { return .isUnreadable }
    let encoded = row.comparable.encoded
    // Bytes are compared: Swift takes texts for equal that Unicode takes for equal.
    if encoded.utf8.elementsEqual(after.utf8) { return nil }
    guard let logged = try? Snapshot(kind: change.resource, encoded: after) else { return .isUnreadable }
    return logged.comparable.encoded.utf8.elementsEqual(encoded.utf8) ? nil : .differs
  }

  /// Whether the person whom erased changes were about has been anonymized after all of them.
  ///
  /// Of what was deleted before, the log says no more whose it was: there it is enough that somebody was.
  private func mayBeErased(_ change: LastChange, _ row: Snapshot?) -> Bool {
    guard let erasure = change.lastErasure else { return true }
    let anonymization: Int64?
    switch change.resource {
    case .organization, .session: anonymization = nil
    case .member:
      anonymization = anonymizations[UserID(high: change.resourceID.high, low: change.resourceID.low)]
    case .apiToken, .timeEntry:
      if let owner = row?.userID ?? change.owner {
        anonymization = anonymizations[owner]
      } else {
        anonymization = change.kind == .deleted && change.isErased ? anonymizations.values.max() : nil
      }
    }
    return anonymization.map { erasure < $0 } ?? false
  }

  private struct Key: Hashable {
    let resource: Snapshot.Kind
    let id: ResourceID
  }
}

extension LastChange {
  /// Whose the resource was, as far as the content still says.
  fileprivate var owner: UserID? {
    (after ?? before).flatMap { try? Snapshot(kind: resource, encoded: $0) }?.userID
  }
}

extension Snapshot {
  /// The same resource with what has no order of its own in one order.
  fileprivate var comparable: Snapshot {
    guard case .session(var session) = self else { return self }
    session.assigneeIDs.sort { $0.isBefore($1) }
    return .session(session)
  }
}

extension Identifier {
  /// The order in which both databases sort ids: that of their bytes.
  package func isBefore(_ other: Identifier) -> Bool {
    (high, low) < (other.high, other.low)
  }
}
