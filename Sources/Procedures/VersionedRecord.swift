import TimeclockDomain

/// A record with a version, which every change raises.
package protocol VersionedRecord: Equatable, Sendable {
  var version: Int64 { get set }
  var updatedAt: Instant { get set }

  /// Restores fields that no change may change.
  mutating func restoreFixed(from before: Self)
}

extension VersionedRecord {
  /// The record with a change and the next version; nil if the change changes nothing.
  ///
  /// - Parameter mayBeSame: Whether the version is raised even then, for something beside the record changes.
  package func changed(
    at time: Instant, mayBeSame: Bool = false, by change: (inout Self) throws -> Void
  ) throws -> Self? {
    var record = self
    try change(&record)
    record.restoreFixed(from: self)
    guard record != self || mayBeSame else { return nil }
    record.version += 1
    record.updatedAt = time
    return record
  }
}

extension TimeEntry: VersionedRecord {}
