/// The starts of a file's rows that are entries by now, by their members. Entries of a member never overlap, so a start
/// identifies one.
package struct ImportedStarts: Sendable {
  private var starts: [UserID: Set<Instant>] = [:]

  package init() {}

  /// Whether a row before this one is the entry that begins then.
  func contains(_ entry: TimeEntry) -> Bool {
    starts[entry.userID]?.contains(entry.clockInTime) ?? false
  }

  mutating func insert(_ entry: TimeEntry) {
    starts[entry.userID, default: []].insert(entry.clockInTime)
  }
}
