import TimeclockDomain

/// A storage that runs procedures on plain records. The methods of `Storage` on organizations, members, tokens and
/// sessions are written once, as extensions of this protocol; lists with plans of their own are the storages'.
package protocol RecordStorage: Storage {
  associatedtype Transaction: RecordTransaction

  /// Runs a statement that reads, and reads each row that it gives.
  ///
  /// - Parameters:
  ///   - scope: The owner of the rows that it is about.
  ///   - limit: The approximate number of rows that it gives; many of them keep no event loop.
  func read<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope, limit: Int,
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> Value
  ) async throws -> [Value]

  /// Runs a transaction; committed when it returns.
  ///
  /// - Parameters:
  ///   - recording: Keeps the answer to the request in the transaction; a request that was answered before does
  ///     nothing, and throws `AnsweredBefore`.
  ///   - body: May run again where the database asks for it.
  /// - Throws: Any error of `body`, and then nothing is done.
  func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (Transaction) async throws -> Value
  ) async throws -> Value

  /// Tells those who listen in this process, and other processes soon, of timers that may have been committed.
  func announce(_ timers: [ChangedTimer])
}

/// The owner of the rows that a statement or a transaction is about.
package enum RecordScope: Sendable {
  case organization(OrganizationKey)
  /// The organization that the transaction makes.
  case newOrganization
  /// No organization: accounts belong to none.
  case accounts
  case everyone(because: CrossingReason)
}

/// The rows that a transaction is about, and the effects that it may have on others.
package struct RecordWrite: Sendable {
  package var scope: RecordScope
  /// Whether it may change what a token stands for: when it returns, no access cached before is honored.
  package var changesAccess: Bool
  /// Whether it changes any number of rows, which short transactions do not wait for.
  package var isLong: Bool
  /// The member whose rows it locks, of whom this process writes one transaction at a time; nil where it is about none, or
  /// where it is long.
  package var member: MemberKey?

  package init(_ scope: RecordScope, changesAccess: Bool = false, isLong: Bool = false) {
    self.scope = scope
    self.changesAccess = changesAccess
    self.isLong = isLong
  }

  /// A short transaction about a member's own rows.
  package init(of member: MemberKey) {
    self.init(.organization(member.organization))
    self.member = member
  }
}

extension RecordStorage {
  /// The first row that a statement gives; nil where it gives none.
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
  /// The number that the caller asks for, limited to what memory can hold.
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
