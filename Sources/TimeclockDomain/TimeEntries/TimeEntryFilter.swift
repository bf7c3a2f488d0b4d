/// The filter of a list of entries beyond member, days, status and session: conditions that no index knows.
///
/// The entries that it leaves out are looked at, so a page looks at `window` of them at most and says where to go on.
package struct TimeEntryFilter: Hashable, Sendable {
  /// Entries with at least one of these; empty for all entries.
  package var flags: TimeEntryFlags
  /// Entries from one of these; empty for all entries.
  package var sources: Set<TimeEntrySource>
  /// Entries that were last changed then or later.
  package var updatedSince: Instant?

  package init(
    flags: TimeEntryFlags = [], sources: Set<TimeEntrySource> = [], updatedSince: Instant? = nil
  ) {
    self.flags = flags
    self.sources = sources
    self.updatedSince = updatedSince
  }

  /// The most entries of one member, or of everyone, that a page looks at.
  package static let window = 5_000

  /// Whether the filter leaves nothing out.
  package var isEmpty: Bool { flags.isEmpty && sources.isEmpty && updatedSince == nil }

  /// Whether an entry passes every condition.
  package func matches(_ entry: TimeEntry) -> Bool {
    (flags.isEmpty || !flags.isDisjoint(with: entry.flags))
      && (sources.isEmpty || sources.contains(entry.source))
      && updatedSince.map { entry.updatedAt >= $0 } ?? true
  }
}
