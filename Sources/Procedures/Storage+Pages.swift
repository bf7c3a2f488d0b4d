import TimeclockDomain

extension Storage {
  /// The first row that a statement gives; nil if it gives none.
  func first<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope,
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> Value
  ) async throws -> Value? {
    try await read(statement, values, in: scope, limit: 1, row).first
  }

  /// A page of a list whose rows are in the order of their numbers.
  ///
  /// - Parameters:
  ///   - statement: Has the organization, the number of the last row before the page, and the number of rows as its
  ///     values.
  ///   - others: Its values beside these.
  func page<Element: Sendable>(
    _ statement: RecordStatement, of organization: OrganizationKey, after cursor: RowCursor?, limit: Int,
    and others: [RecordValue] = [],
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> (element: Element, row: Int64)
  ) async throws -> Page<Element, RowCursor> {
    let count = PageSize.clamped(limit)
    let rows = try await read(
      statement, [.key(organization), .integer(cursor?.row ?? 0), .integer(Int64(count) + 1)] + others,
      in: .organization(organization), limit: limit, row)
    return Page(rows: rows, limit: limit)
  }
}

/// The number of rows of a page.
package enum PageSize {
  /// The number that the caller asks for, limited to a page that fits in memory.
  package static func clamped(_ limit: Int) -> Int { min(max(limit, 1), 100_000) }
}

extension Page where Cursor == RowCursor {
  /// A page out of one row more than it may have, each with its number.
  package init(rows: [(element: Element, row: Int64)], limit: Int) {
    let shown = rows.prefix(PageSize.clamped(limit))
    self.init(
      elements: shown.map(\.element),
      next: rows.count > shown.count ? shown.last.map { RowCursor(row: $0.row) } : nil)
  }
}
