/// The rows of a list of entries, newest first, of which a filter leaves some out: takes them one by one, and knows when it
/// has enough for a page.
package struct TimeEntryWalk: Sendable {
  private let filter: TimeEntryFilter
  private let limit: Int
  private let rowLimit: Int
  private var found: [(entry: TimeEntry, place: TimeEntryCursor)] = []
  private var rowCount = 0
  /// The place of the last row that was looked at.
  package private(set) var end: TimeEntryCursor?
  /// Whether it has met a row beyond those that it may look at.
  package private(set) var hasMore = false

  /// - Parameter limit: The most entries of the page, at least 1.
  package init(_ query: TimeEntryQuery, limit: Int) {
    filter = query.filter
    self.limit = limit
    rowLimit = query.rowLimit(limit)
    found.reserveCapacity(min(limit, 100))
  }

  /// The most rows that it may look at yet.
  package var rowsLeft: Int { rowLimit - rowCount }

  /// Takes the next row; false if it needs no more of them.
  package mutating func take(
    _ entry: @autoclosure () throws -> TimeEntry, at place: @autoclosure () -> TimeEntryCursor
  ) rethrows -> Bool {
    guard rowCount < rowLimit, found.count < limit else {
      hasMore = true
      return false
    }
    rowCount += 1
    let place = place()
    end = place
    let entry = try entry()
    if filter.matches(entry) { found.append((entry, place)) }
    return true
  }

  /// Makes a page of the entries found by the walks through several members' entries: the first of all.
  package static func page(of walks: [TimeEntryWalk], limit: Int) -> Page<TimeEntry, TimeEntryCursor> {
    // Behind it, a walk may have left out entries that belong before another's.
    let frontier = walks.lazy.filter(\.hasMore).compactMap(\.end).max()
    var found = walks.count == 1 ? walks[0].found : walks.flatMap(\.found).sorted { $0.place > $1.place }
    if walks.count > 1, let frontier { found.removeAll { $0.place < frontier } }
    let shown = found.prefix(limit)
    return Page(
      elements: shown.map(\.entry), next: found.count > shown.count ? shown.last?.place : frontier)
  }
}

extension TimeEntryCursor: Comparable {
  /// The order of dates, oldest first: that of lists the other way round.
  package static func < (one: TimeEntryCursor, other: TimeEntryCursor) -> Bool {
    (one.date, one.createdAt, one.row) < (other.date, other.createdAt, other.row)
  }
}
