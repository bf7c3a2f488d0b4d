import TimeclockDomain

/// Walks a page of an export: through the table itself, one member after the other, or through a session's entries.
struct TimeEntryExportWalk {
  private let query: TimeEntryExportQuery
  private let connection: SQLiteConnection
  private let rows: TimeEntryExportRows
  private var room: Int
  private var isFull = false
  private var last: TimeEntryExportCursor?

  init(
    _ query: TimeEntryExportQuery, on connection: SQLiteConnection, identifiers: PublicIdentifiers
  ) throws {
    self.query = query
    self.connection = connection
    rows = try TimeEntryExportRows(of: query.organization, on: connection, identifiers: identifiers)
    room = PageLimit.clamped(query.limit)
  }

  /// Hands the page's entries to `append`, until it returns false, and returns where the next page begins.
  ///
  /// - Throws: `TimeclockError.notFound(.session)`.
  mutating func run(_ append: (ExportedTimeEntry) -> Bool) throws -> TimeEntryExportCursor? {
    if query.session != nil || query.users != nil {
      for part in query.ofEachOwner where !isFull { try take(of: part.user, after: part.cursor, append) }
    } else {
      var user = query.cursor?.user
      if user != nil { try take(of: user, after: query.cursor, append) }
      while !isFull, let next = try member(after: user) {
        try take(of: next, after: nil, append)
        user = next
      }
    }
    return isFull ? last : nil
  }

  private mutating func take(
    of user: UserKey?, after cursor: TimeEntryExportCursor?, _ append: (ExportedTimeEntry) -> Bool
  ) throws {
    let selection = try TimeEntryExportSelection(query, of: user, after: cursor?.place, on: connection)
    try connection.statement(built: selection.sql).walk(selection.values + [PageLimit.count(room)]) { row in
      let exported = try rows.entry(row)
      let hasRoom = !query.filter.matches(exported.entry) || append(exported)
      room -= 1
      guard !hasRoom || room == 0 else { return true }
      last = TimeEntryExportCursor(user: UserKey(row.integer(1)), place: rows.place(row))
      isFull = true
      return false
    }
  }

  /// The member whose entries come next in the table.
  private func member(after user: UserKey?) throws -> UserKey? {
    let values: [SQLiteValue] = [.integer(query.organization.value), .integer(user?.value ?? .min)]
    return try connection.statement(Self.next[query.among.way.rawValue]).first(
      values + (query.among.row.map { [.integer($0)] } ?? [])
    ) { UserKey($0.integer(0)) }
  }

  /// By the ways of selecting members.
  private static let next = MemberSelection.Way.allCases.map { way in
    SQLiteText(
      """
      SELECT user_id FROM members WHERE organization_id = ?1 AND user_id > ?2
      \(way.condition(on: "user_id", organization: "?1", row: "?3")) ORDER BY user_id LIMIT 1
      """)
  }
}
