import TimeclockDomain

/// How many rows a list asks for.
enum PageLimit {
  /// What a caller asked for, kept to what can be held in memory.
  static func clamped(_ limit: Int) -> Int { min(max(limit, 1), 100_000) }

  /// As many rows as the list may have.
  static func count(_ limit: Int) -> PostgreSQLValue { .integer(Int64(clamped(limit))) }

  /// One row more than the page has, which tells whether there is a next page.
  static func rows(_ limit: Int) -> PostgreSQLValue { .integer(Int64(clamped(limit)) + 1) }
}

extension Page where Cursor == RowCursor {
  /// A page out of one row more than it may have, each with its number.
  init(rows: [(element: Element, row: Int64)], limit: Int) {
    let shown = rows.prefix(PageLimit.clamped(limit))
    self.init(
      elements: shown.map(\.element),
      next: rows.count > shown.count ? shown.last.map { RowCursor(row: $0.row) } : nil)
  }
}
