/// A time entry or a segment as one write of a member's clock has left it.
package struct ClockRow: Hashable, Sendable {
  package var id: ResourceID
  /// Nil if the write has deleted it, for nothing of it was left.
  package var version: Int64?
  /// The row of the work to which a break would have gone back that was deleted. The log of changes does not have it.
  package var resumes: Int64?

  package init(id: ResourceID, version: Int64?, resumes: Int64? = nil) {
    self.id = id
    self.version = version
    self.resumes = resumes
  }

  /// Makes the row of an entry that is there.
  package init(_ entry: TimeEntry) {
    self.init(id: ResourceID(entry.id), version: entry.version)
  }
}

/// A time entry that a write has begun or ended, and all rows of the member's clock that the write has changed.
package struct WrittenEntry: Hashable, Sendable {
  package var timeEntry: TimeEntry
  /// In the order of the changes.
  package var rows: [ClockRow]

  package init(timeEntry: TimeEntry, rows: [ClockRow]) {
    self.timeEntry = timeEntry
    self.rows = rows
  }
}
