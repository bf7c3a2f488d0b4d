import TimeclockDomain

/// A difference between the database and its log of changes.
package struct RowFault: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The row differs from the record after the last change.
    case differs
    /// The row is missing, although the log has it.
    case isMissing
    /// The row exists, although the log says that it was deleted.
    case wasDeleted
    /// The row exists, although the log never mentions it.
    case isUnknown
    /// Content was erased, although no person whose content it was has been anonymized since.
    case isErased
    /// The last change cannot be read.
    case isUnreadable
  }

  package let resource: Snapshot.Kind
  package let resourceID: ResourceID
  package let kind: Kind

  /// One line for a person, without any content of the row.
  package var description: String {
    let name = "\(resource.rawValue) \(resourceID)"
    return switch kind {
    case .differs: "\(name): the row is not what the log's last change has left"
    case .isMissing: "\(name): there is no row, and the log knows of no deletion"
    case .wasDeleted: "\(name): there is a row, and the log says it was deleted"
    case .isUnknown: "\(name): there is a row, and the log knows nothing of it"
    case .isErased: "\(name): changes are erased, and nobody they were about has been anonymized since"
    case .isUnreadable: "\(name): the log's last change cannot be read"
    }
  }
}
