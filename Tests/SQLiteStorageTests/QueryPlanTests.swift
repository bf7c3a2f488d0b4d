import StorageCalls
import Testing
import TimeclockDomain

@testable import SQLiteStorage

/// How SQLite carries statements out (sqlite.org/eqp.html): a statement that walks a whole table, or sorts rows that an
/// index could have given in order, passes every test of its answers and fails in a year.
@Suite("Query plans")
struct QueryPlanTests {
  private static let organization = OrganizationKey(1)
  private static let instant = Instant(millisecondsSince1970: 1_795_165_200_123)
  private static let date = LocalDate(daysSince1970: 20_000)
  private static let cursor = TimeEntryCursor(date: date, createdAt: instant, row: 5)

  private static func plan(_ sql: String, on connection: SQLiteConnection) throws -> [String] {
    let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: connection.handle)
    defer { statement.finalize() }
    return try statement.all([]) { $0.text(3) }
  }

  private static func withStorage(_ test: (SQLiteStorage) async throws -> Void) async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    try await test(storage)
    await storage.close()
  }

  private static func plan(
    user: UserKey? = nil, range: TimeEntryRange = .dates(from: nil, through: nil),
    status: TimeEntryStatus? = nil, session: SessionID? = nil, cursor: TimeEntryCursor? = nil,
    in storage: SQLiteStorage
  ) throws -> [String] {
    try storage.read { connection in
      let selection = try TimeEntrySelection(
        TimeEntryQuery(
          organization: organization, user: user, range: range, status: status, session: session,
          cursor: cursor, limit: 100), on: connection)
      return try plan(selection.sql, on: connection)
    }
  }

  @Test("of lists walk one index, in its order, from where the page begins")
  func lists() async throws {
    try await Self.withStorage { storage in
      let ranges: [TimeEntryRange] = [
        .dates(from: nil, through: nil), .dates(from: Self.date, through: Self.date),
        .overlapping(from: nil, to: Self.instant),
      ]
      for range in ranges {
        for status in [nil, .clockedOut] as [TimeEntryStatus?] {
          for cursor in [nil, Self.cursor] {
            let ofMember = try Self.plan(
              user: UserKey(1), range: range, status: status, cursor: cursor, in: storage)
            #expect(ofMember.count == 1)
            #expect(ofMember[0].hasPrefix("SEARCH e USING PRIMARY KEY (organization_id=? AND user_id=?"))
            let ofAll = try Self.plan(range: range, status: status, cursor: cursor, in: storage)
            #expect(ofAll.count == 1)
            #expect(ofAll[0].hasPrefix("SEARCH e USING INDEX time_entries_by_date (organization_id=?"))
            for plan in [ofMember, ofAll] where cursor != nil {
              #expect(plan[0].contains("(date,created_at,entry_number)<(?,?,?)"))
            }
          }
        }
      }
    }
  }

  @Test("of a range of dates walk these dates only")
  func ranges() async throws {
    try await Self.withStorage { storage in
      let dates = TimeEntryRange.dates(from: Self.date, through: Self.date.adding(days: 5))
      let plans = [
        try Self.plan(user: UserKey(1), range: dates, in: storage), try Self.plan(range: dates, in: storage),
        try Self.plan(
          user: UserKey(1), range: .overlapping(from: Self.instant, to: Self.instant), in: storage),
      ]
      for plan in plans { #expect(plan[0].contains("date>? AND date<?")) }
    }
  }

  /// The entries that begin in the span are walked in order; of those before it each member's last one is found,
  /// however long the history, and those that reach into the span are sorted.
  @Test("of everyone's entries in a span look at no others than the span's and each member's last before it")
  func everyonesSpan() async throws {
    try await Self.withStorage { storage in
      let inOrder = "(date,created_at,entry_number)<(?,?,?)"
      for (cursor, end) in [(nil, "date<?"), (Self.cursor, inOrder)] {
        let plan = try Self.plan(
          range: .overlapping(from: Self.instant, to: Self.instant), cursor: cursor, in: storage)
        let ofMember = "time_entries_by_start (organization_id=? AND user_id=? AND clock_in"
        #expect(
          plan == [
            "MERGE (UNION ALL)",
            "LEFT",
            "SEARCH e USING INDEX time_entries_by_date (organization_id=? AND date>? AND \(end))",
            "RIGHT",
            "SEARCH m USING COVERING INDEX members_in_order (organization_id=?)",
            "SEARCH e USING INDEX \(ofMember)=?\(cursor == nil ? "" : " AND \(inOrder)"))",
            "CORRELATED SCALAR SUBQUERY 2",
            "SEARCH b USING COVERING INDEX \(ofMember)<?)",
            "USE TEMP B-TREE FOR ORDER BY",
          ])
      }
    }
  }

  /// At most one row a member, which no index has in the list's order.
  @Test("of who is clocked in look at active entries only, and sort those")
  func active() async throws {
    try await Self.withStorage { storage in
      let plan = try Self.plan(status: .clockedIn, in: storage)
      #expect(
        plan == [
          "SEARCH e USING INDEX time_entries_one_active (organization_id=?)",
          "USE TEMP B-TREE FOR ORDER BY",
        ])
    }
  }

  @Test("of a session's list look at its entries only")
  func session() async throws {
    try await Self.withStorage { storage in
      let session = SessionID(high: 1, low: 2)
      try await storage.writer.write { transaction in
        try transaction.connection.execute(
          """
          INSERT INTO organizations (organization_id, id, name, time_zone, minimum_seconds, maximum_seconds, edit_window_days,
            look_back_hours, notes_maximum_characters, version, created_at, updated_at)
          VALUES (1, randomblob(16), '', '', 0, 60, 0, 0, 0, 1, 0, 0);
          INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
          VALUES (1, x'00000000000000010000000000000002', 0, '', 1, 0, 0)
          """)
      }
      let plan = try Self.plan(session: session, cursor: Self.cursor, in: storage)
      #expect(
        plan == [
          "SEARCH e USING INDEX time_entries_of_session "
            + "(organization_id=? AND session_id=? AND (date,created_at,entry_number)<(?,?,?))"
        ])
    }
  }

  @Test("of exports walk a member's entries in the order of the table, from where the page begins")
  func exports() async throws {
    try await Self.withStorage { storage in
      func plan(_ range: TimeEntryRange, after place: TimeEntryCursor?) throws -> [String] {
        let query = TimeEntryExportQuery(
          organization: Self.organization, user: nil, range: range, status: .clockedOut, session: nil)
        return try storage.read { connection in
          let selection = try TimeEntryExportSelection(query, of: UserKey(1), after: place, on: connection)
          return try Self.plan(selection.sql, on: connection)
        }
      }
      let member = "SEARCH e USING PRIMARY KEY (organization_id=? AND user_id=?"
      let dates = TimeEntryRange.dates(from: Self.date, through: Self.date.adding(days: 5))
      let place = "(date,created_at,entry_number)>(?,?,?)"
      let whole = TimeEntryRange.dates(from: nil, through: nil)
      let span = TimeEntryRange.overlapping(from: Self.instant, to: Self.instant)
      for (range, cursor, found) in [
        (whole, nil, ")"), (whole, Self.cursor, " AND \(place))"), (dates, nil, " AND date>? AND date<?)"),
        (dates, Self.cursor, " AND \(place) AND date<?)"), (span, nil, " AND date>? AND date<?)"),
      ] as [(TimeEntryRange, TimeEntryCursor?, String)] {
        let lines = try plan(range, after: cursor)
        #expect(lines == [member + found])
      }
    }
  }

  @Test("of sessions walk their dates from where the page begins, or what a member is assigned to")
  func sessions() async throws {
    try await Self.withStorage { storage in
      func plan(
        _ assignee: UserKey?, from: LocalDate? = nil, through: LocalDate? = nil, cursor: SessionCursor? = nil
      ) throws -> [String] {
        let query = SessionQuery(
          organization: Self.organization, assignee: assignee, from: from, through: through, cursor: cursor,
          limit: 100)
        return try storage.read { try Self.plan(SessionSelection(query).sql, on: $0) }
      }
      let index = "SEARCH s USING INDEX sessions_by_date (organization_id=?"
      let cursor = SessionCursor(date: Self.date, row: 5)
      #expect(try plan(nil) == [index + ")"])
      #expect(try plan(nil, from: Self.date, through: Self.date) == [index + " AND date>? AND date<?)"])
      let ofGroup = SessionQuery(organization: Self.organization, group: GroupKey(1), limit: 100)
      let lines = try storage.read { try Self.plan(SessionSelection(ofGroup).sql, on: $0) }
      #expect(lines.first == index + ")" && !lines.contains { $0.contains("SCAN") || $0.contains("TEMP") })
      // For the cursor's date the index is walked again, the rows are not.
      for from in [nil, Self.date, Self.date.adding(days: 1)] {
        #expect(try plan(nil, from: from, cursor: cursor) == [index + " AND date>?)"])
      }
      let assigned =
        "SEARCH a USING COVERING INDEX session_assignees_by_user (organization_id=? AND user_id=?)"
      for cursor in [nil, cursor] {
        #expect(
          try plan(UserKey(1), from: Self.date, cursor: cursor) == [
            assigned, "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)", "USE TEMP B-TREE FOR ORDER BY",
          ])
      }
      let month = try plan(UserKey(1), from: Self.date, through: Self.date.adding(days: 30))
      #expect(month.first == index + " AND date>? AND date<?)" && !month.contains { $0.contains("TEMP") })
      #expect(
        month.last
          == "SEARCH a USING PRIMARY KEY (organization_id=? AND session_id=? AND user_id=?)")
      let longer = try plan(UserKey(1), from: Self.date, through: Self.date.adding(days: 31))
      #expect(longer.first == assigned)
    }
  }

  /// The statements prepared by the one connection that reads and the one that writes.
  private static func preparedTexts(in storage: SQLiteStorage) async throws -> Set<String> {
    let read = try storage.read { $0.preparedTexts }
    return Set(try await storage.writer.write { $0.connection.preparedTexts }).union(read)
  }

  /// Runs every method of the protocol, and then asks SQLite about every statement that was prepared for it.
  @Test("of every statement of the storage search, and never scan or sort")
  func everyStatement() async throws {
    try await Self.withStorage { storage in
      try await StorageCalls.callAll(in: storage)
      let texts = try await Self.preparedTexts(in: storage)
      let relevant = texts.filter { !$0.hasPrefix("BEGIN") && !$0.contains("SAVEPOINT") }
      #expect(relevant.count > 30)
      // Tables of a row or two, whether there is any organization at all, and those that want people clocked out or reminded.
      let allowed = [
        "SCAN o USING COVERING INDEX organizations_with_auto_clock_out",
        "SCAN o USING COVERING INDEX organizations_with_reminders",
        "SCAN row_numbers", "SCAN schema_migrations", "SCAN CONSTANT ROW",
        "SCAN organizations USING COVERING INDEX organizations_by_id",
      ]
      for text in relevant {
        let lines = try storage.read { try Self.plan(text, on: $0) }
        for line in lines where line.hasPrefix("SCAN") || line.contains("TEMP B-TREE") {
          let sortsRowOfMember = text.contains("time_entries_one_active") || text.contains("UNION ALL")
          let sortsAssigned = text.contains("session_assignees_by_user")
          // The rows of a page, which a search has found.
          let isPage = line == "SCAN e" && lines.contains("CO-ROUTINE e")
          // The rows that a search has found, counted up to a limit.
          let isCount = line == "SCAN owned" && lines.contains("CO-ROUTINE owned")
          // The last row of the table, and the few organizations of one person.
          let isLastRow = text.hasSuffix("FROM changes ORDER BY change_number DESC LIMIT 1")
          // The few that are due.
          let sortsDue = text.contains("FROM push_targets p") && text.contains("p.due_at <= ")
          let sortsMemberships = text.contains("FROM members WHERE user_id = ?1 AND organization_id <> ?2")
          // The window of the log that an audit looks at, and the changes of one resource.
          let isWindow =
            lines.contains("CO-ROUTINE s") && (line == "SCAN s" || line == "USE TEMP B-TREE FOR ORDER BY")
          let sortsResource = text.contains("c.organization_id = ?1 AND c.resource_id = ?6")
          // Every organization, which a verification goes through.
          let isEveryone = text == "SELECT organization_id, id FROM organizations ORDER BY organization_id"
          // Every organization, once a minute, each with a search for entries over its maximum.
          let countsOverMaximum = line == "SCAN o" && text.contains("?1 - o.maximum_seconds * 1000")
          // The webhooks of organizations, of which each has few, once a minute for metrics.
          let countsFailures = text.contains("WHERE c.failures > 0 AND c.organization_id > ?1")
          // Every account, once at the start, for keys that SQL alone could not make.
          let seeksOldKeys = text.hasPrefix(
            "SELECT user_id, email_key, id FROM users WHERE length(email_key)")
          let isAllowed =
            countsOverMaximum || isCount || countsFailures || seeksOldKeys
            || allowed.contains(line) || sortsRowOfMember
            || sortsAssigned || isPage
            || isLastRow
            || sortsMemberships || sortsDue || isWindow || sortsResource || isEveryone
          #expect(isAllowed, "\(line): \(text)")
        }
      }
    }
  }

  /// A table in memory is made and dropped each time: for keys that an index found that is not unique, and for a list of more
  /// than two words after IN.
  @Test("of writes of one time entry and of its change make no table in memory")
  func tablesInMemory() async throws {
    try await Self.withStorage { storage in
      try await StorageCalls.callAll(in: storage)
      let texts = try await Self.preparedTexts(in: storage).filter { text in
        ["INSERT INTO time_entries", "INSERT INTO changes", "INSERT INTO change_seals"].contains(
          where: text.hasPrefix)
          || ["UPDATE time_entries", "DELETE FROM time_entries"].contains(where: text.hasPrefix)
            && text.contains("entry_number = ?5")
      }
      #expect(texts.count == 6)
      for text in texts {
        let operations = try storage.read { connection in
          let statement = try SQLiteStatement("EXPLAIN " + text, on: connection.handle)
          defer { statement.finalize() }
          return try statement.all([]) { $0.text(1) }
        }
        #expect(operations.count > 10)
        #expect(!operations.contains("OpenEphemeral"), "\(text)")
      }
    }
  }
}
