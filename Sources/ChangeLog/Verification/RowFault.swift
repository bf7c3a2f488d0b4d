import TimeclockDomain

/// Where the database is not what its log of changes says.
package struct RowFault: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The row holds something else than the last change left.
    case differs
    /// The log says that there is one.
    case isMissing
    /// The log says that it was deleted.
    case wasDeleted
    /// The log never says that there is one.
    case isUnknown
    /// Content was erased, and nobody whose content it was has been anonymized since.
    case isErased
    /// The last change cannot be read.
    case isUnreadable
  }

  package let resource: Snapshot.Kind
  package let resourceID: ResourceID
  package let kind: Kind

  /// One line for a person, without anything that the row holds.
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
