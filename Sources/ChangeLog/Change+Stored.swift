import TimeclockDomain

extension Change {
  /// Reads a change in the form in which a storage keeps it.
  ///
  /// - Throws: `DecodingError` if its content is not a snapshot.
  package init(_ stored: StoredChange) throws {
    self.init(
      sequence: stored.sequence, kind: stored.kind, resource: stored.resource, resourceID: stored.resourceID,
      context: stored.context,
      before: try stored.content.before.map { try Snapshot(kind: stored.resource, encoded: $0) },
      after: try stored.content.after.map { try Snapshot(kind: stored.resource, encoded: $0) },
      isErased: stored.content.salt == nil)
  }
}
