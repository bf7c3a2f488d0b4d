import TimeclockDomain

/// Compares every resource of an organization with its last change in the log, both as the program reads them: columns
/// that a migration has added, and the database's representation of values, are the same on both sides then.
///
/// Both lists are read in the order of the resources' ids, a window at a time, so memory does not grow with them.
struct RowComparison {
  let database: any AuditedDatabase
  let organization: OrganizationKey
  /// The sequence numbers of the changes that anonymized members; a change without a seal counts as `Int64.max`.
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

  /// The number of changed resources, and of rows of each kind, that are compared together.
  private static let windowSize = 1_000

  mutating func run() throws {
    var start: ResourceID?
    repeat { start = try compareWindow(after: start) } while start != nil
  }

  /// - Returns: The last id of the window; nil if the window is the last one.
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
    // If one list continues after its last id, the others are compared only up to that id.
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
    // The bytes are compared, because Swift treats texts as equal that are canonically equivalent in Unicode.
    if encoded.utf8.elementsEqual(after.utf8) { return nil }
    guard let logged = try? Snapshot(kind: change.resource, encoded: after) else { return .isUnreadable }
    return logged.comparable.encoded.utf8.elementsEqual(encoded.utf8) ? nil : .differs
  }

  /// Whether the person of erased changes has been anonymized after all of them.
  ///
  /// If the resource was deleted before, the log no longer shows its owner: then it is enough that any member has been
  /// anonymized.
  private func mayBeErased(_ change: LastChange, _ row: Snapshot?) -> Bool {
    guard let erasure = change.lastErasure else { return true }
    let anonymization: Int64?
    if !change.resource.isOfMember {
      anonymization = nil
    } else if change.resource == .member {
      anonymization = anonymizations[UserID(high: change.resourceID.high, low: change.resourceID.low)]
    } else if let owner = row?.userID ?? change.owner {
      anonymization = anonymizations[owner]
    } else {
      anonymization = change.kind == .deleted && change.isErased ? anonymizations.values.max() : nil
    }
    return anonymization.map { erasure < $0 } ?? false
  }

  private struct Key: Hashable {
    let resource: Snapshot.Kind
    let id: ResourceID
  }
}

extension LastChange {
  /// The owner of the resource, if the content still shows it.
  fileprivate var owner: UserID? {
    (after ?? before).flatMap { try? Snapshot(kind: resource, encoded: $0) }?.userID
  }
}

extension Snapshot {
  /// The same resource with its unordered parts in one order.
  fileprivate var comparable: Snapshot {
    guard case .session(var session) = self else { return self }
    session.assigneeIDs.sort { $0.isBefore($1) }
    return .session(session)
  }
}

extension Identifier {
  /// Whether both databases sort the id before the other one: they sort by the bytes.
  package func isBefore(_ other: Identifier) -> Bool {
    (high, low) < (other.high, other.low)
  }
}
