import Foundation
import StorageCalls
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// How PostgreSQL carries statements out (postgresql.org/docs/current/using-explain.html), on tables that are large
/// enough that walking one would be slow, and with statistics, so that it may choose freely. A statement that walks a
/// whole table, or sorts rows that an index could have given in order, passes every test of its answers and fails in a
/// year.
@Suite("PostgreSQL's plans")
struct QueryPlanTests {
  /// 400 organizations, 4,000 people, and 60,000 entries, half of them in one organization of 100 members.
  /// Autovacuum leaves the organizations' statistics as they are here: the tests change some of these rows, and an index of
  /// few rows costs about as much as walking them.
  private static let rows = """
    ALTER TABLE organizations SET (autovacuum_enabled = false);
    INSERT INTO organizations SELECT n, md5('o' || n)::uuid, 'O', 'UTC', 60, 57600, 30, 72, 500, 1, 0, 0
      FROM generate_series(1001, 1400) n;
    INSERT INTO users SELECT n, md5('u' || n)::uuid, n || '@x.example', n || '@x.example', 'U', 'a', 0
      FROM generate_series(10001, 14000) n;
    INSERT INTO members (organization_id, user_id, name, role, active, accepted, version, created_at, updated_at)
      SELECT 1001 + n % 400, n, 'M', CASE WHEN n % 10 = 0 THEN 'admin' ELSE 'member' END, true, true, 1, 0, 0
      FROM generate_series(10001, 14000) n;
    INSERT INTO members (organization_id, user_id, name, role, active, accepted, version, created_at, updated_at)
      SELECT 1001, n, 'M', 'member', true, true, 1, 0, 0 FROM generate_series(10001, 10100) n
      ON CONFLICT DO NOTHING;
    INSERT INTO tokens (user_id, digest, created_at, expires_at)
      SELECT n, sha256(n::text::bytea), 0, 4102444800000 FROM generate_series(10001, 14000) n;
    INSERT INTO tokens (user_id, digest, created_at, expires_at, organization_id, id, name)
      SELECT user_id, sha256((user_id || '-' || organization_id)::bytea), 0, 4102444800000, organization_id,
      md5('t' || user_id || '-' || organization_id)::uuid, 'T' FROM members;
    INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
      SELECT 1001 + n % 400, md5('s' || n)::uuid, 20000 + n % 300, 'S', 1, 0, 0 FROM generate_series(1, 4000) n;
    INSERT INTO session_assignees SELECT s.organization_id, s.session_id, m.user_id
      FROM sessions s JOIN members m USING (organization_id) WHERE m.user_id % 3 = 0;
    INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
      SELECT 1001, md5('t' || n)::uuid, 20000 + n / 10, 'S', 1, 0, 0 FROM generate_series(1, 3000) n;
    INSERT INTO sessions (organization_id, id, date, title, version, created_at, updated_at)
      SELECT 1002 + n % 399, md5('v' || n)::uuid, 20000 + n / 100, 'S', 1, 0, 0 FROM generate_series(1, 40000) n;
    INSERT INTO session_assignees SELECT 1001, session_id, m.user_id FROM sessions s, members m
      WHERE s.organization_id = 1001 AND m.organization_id = 1001 AND (session_id + m.user_id) % 10 = 0
      AND m.user_id % 2 = 0 ON CONFLICT DO NOTHING;
    INSERT INTO session_assignees SELECT 1001, session_id, 10005 FROM sessions
      WHERE organization_id = 1001 AND session_id % 1000 = 7 ON CONFLICT DO NOTHING;
    INSERT INTO invitations (organization_id, user_id, id, digest, created_at, expires_at)
      SELECT organization_id, user_id, md5('i' || user_id || '-' || organization_id)::uuid,
      sha256(('i' || user_id || '-' || organization_id)::bytea), 0, 1 FROM members;
    INSERT INTO webhooks (organization_id, id, url, enabled, secret, version, created_at, updated_at)
      SELECT 1001 + n % 400, md5('h' || n)::uuid, 'https://a', n % 7 > 0, sha256('h'), 1, 0, 0 FROM generate_series(1, 20000) n;
    INSERT INTO push_targets (organization_id, user_id, id, token_id, kind, form, token, topic, environment, dates,
      created_at, expires_at, sent_day, sent_count, failures, due_at, moves)
      SELECT organization_id, user_id, gen_random_uuid(), token_id, 'liveActivity', 'rest',
      sha256((token_id || '-' || n)::bytea), 'com.example.app', 'production', 'reference', n, 1795165200000 + token_id,
      0, 0, 0, CASE WHEN token_id % 100 = 0 THEN 1795165200000 + n END, 0
      FROM tokens, generate_series(1, 5) n WHERE organization_id IS NOT NULL;
    INSERT INTO webhook_cursors SELECT organization_id, webhook_id, 0, 0, NULL, 1795165200000 + webhook_id FROM webhooks;
    INSERT INTO webhook_attempts (organization_id, webhook_id, sequence, time, milliseconds)
      SELECT organization_id, webhook_id, n, n, 1 FROM webhooks, generate_series(1, 5) n;
    INSERT INTO projects (organization_id, id, owner_id, name, color, archived, billable, version, created_at, updated_at)
      SELECT m.organization_id, md5('p' || m.user_id || '-' || m.organization_id || '-' || n)::uuid,
      CASE WHEN n > 1 THEN m.user_id END, 'P', '#007AFF', n % 7 = 0, true, 1, 0, 0
      FROM members m, generate_series(1, 5) n;
    INSERT INTO tasks (organization_id, id, owner_id, project_id, name, hidden, version, created_at, updated_at)
      SELECT p.organization_id, md5('k' || p.project_id || '-' || n)::uuid, p.owner_id,
      CASE WHEN n > 1 THEN p.project_id END, 'K', n % 3 = 0, 1, 0, 0 FROM projects p, generate_series(1, 3) n;
    INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, clock_out, time_zone,
      offset_seconds, source, flags, version, updated_at, session_id)
      SELECT m.organization_id, m.user_id, 20000 + day, (20000 + day) * 86400000::bigint, gen_random_uuid(),
      (20000 + day) * 86400000::bigint + 28800000, (20000 + day) * 86400000::bigint + 57600000, 'UTC', 0, 'api', 0, 1, 0,
      CASE WHEN day % 10 = 0 THEN (SELECT min(session_id) FROM sessions s
        WHERE s.organization_id = m.organization_id) END
      FROM members m, generate_series(1, CASE WHEN m.organization_id = 1001 THEN 300 ELSE 7 END) day;
    INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, time_zone,
      offset_seconds, source, flags, version, updated_at)
      SELECT organization_id, user_id, 20302, 20302 * 86400000::bigint, gen_random_uuid(), 20302 * 86400000::bigint, 'UTC', 0,
      'api', 0, 1, 0 FROM members WHERE user_id % 4 = 0;
    INSERT INTO reminders (organization_id, user_id, id, kind, time_entry_id, created_at)
      SELECT organization_id, user_id, gen_random_uuid(), 'clocked_in_too_long', id, 0 FROM time_entries WHERE date % 3 = 0;
    INSERT INTO segments (organization_id, user_id, id, start_time, end_time, time_entry_id, project_id, task_id, is_paid,
      billable, name, time_zone, source, version, created_at, updated_at)
      SELECT e.organization_id, e.user_id, gen_random_uuid(), e.clock_in, e.clock_out - 3600000, e.id, t.project_id, t.task_id,
      true, true, 'S', 'UTC', 'api', 1, 0, 0
      FROM time_entries e JOIN (SELECT organization_id, owner_id, max(project_id) project_id, max(task_id) task_id FROM tasks
        GROUP BY organization_id, owner_id) t ON t.organization_id = e.organization_id AND t.owner_id = e.user_id
      WHERE (e.user_id + e.date) % 2 = 0;
    INSERT INTO timers (organization_id, user_id, state, id, type, start_time, end_time, last_start_time, paused_by_background,
      paused_time, original_time, adjusted_time, was_adjusted, pauses_in_background, streak, auto_starts, due_at, version,
      updated_at)
      SELECT organization_id, user_id, 'running', gen_random_uuid(), 'focus', user_id, user_id + 1500000, user_id, false, 0,
      1500000, 0, false, false, 0, 0, user_id + 1500000, 1, user_id FROM members;
    INSERT INTO timer_sessions (organization_id, user_id, id, type, start_time, end_time, minutes, interruption_minutes, seconds,
      outcome, archived, created_at)
      SELECT organization_id, user_id, gen_random_uuid(), 'focus', n * 2000000, n * 2000000 + 1500000, 25, 0, 1500, 'finished',
      false, 0 FROM members, generate_series(1, 10) n;
    INSERT INTO changes (organization_id, time, author_means, operation, kind, resource, resource_id, after, salt)
      SELECT organization_id, created_at, 'service', 'x', 'created', 'timeEntry', id, '{}',
      decode(repeat('00', 16), 'hex') FROM time_entries ORDER BY organization_id, created_at;
    INSERT INTO change_seals SELECT organization_id, row_number() OVER (
      PARTITION BY organization_id ORDER BY change_number), change_number, sha256(''), sha256('') FROM changes
      WHERE change_number % 10 > 0;
    INSERT INTO unsealed_changes SELECT organization_id, change_number FROM changes WHERE change_number % 10 = 0;
    INSERT INTO log_in_attempts SELECT sha256(n::text::bytea), '192.0.2.' || n % 250, n, 0 FROM generate_series(1, 20000) n;
    INSERT INTO idempotency_keys SELECT sha256(n::text::bytea), 10001 + n % 4000, sha256('f'), NULL, 201, NULL, NULL, 'b', n
      FROM generate_series(1, 20000) n;
    ANALYZE
    """

  /// Adds many rows of each kind of plain records, alike but for their ids and organizations.
  private static func addPlainRecords(_ database: TestDatabase, _ storage: PostgreSQLStorage) async throws {
    _ = try await PreparedOrganization.make("Acme", in: storage)
    for type in sampledRecords {
      let columns = type.valueColumns.joined(separator: ", ")
      try database.execute(
        """
        INSERT INTO \(type.tableName) (organization_id, id, \(columns)) SELECT 1001 + n % 400, gen_random_uuid(), \(columns)
          FROM (SELECT * FROM \(type.tableName) LIMIT 1) one, generate_series(1, 20000) n; ANALYZE \(type.tableName)
        """)
    }
    try database.execute(
      """
      INSERT INTO holidays (organization_id, id, calendar_id, date, name, percent, version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), holiday_calendar_id, d, 'H', 100, 1, 0, 0
        FROM holiday_calendars, generate_series(20001, 20003) d; ANALYZE holidays;
      INSERT INTO pay_rules (organization_id, id, from_date, break_rules, break_minimum_seconds, week_start, version,
        created_at, updated_at)
        SELECT o.organization_id, gen_random_uuid(), 20000 + n, '', 900, 'monday', 1, 0, 0
        FROM organizations o, generate_series(1, 20) n ON CONFLICT DO NOTHING;
      INSERT INTO groups (organization_id, id, name, version, created_at, updated_at)
        SELECT o.organization_id, gen_random_uuid(), 'G', 1, 0, 0 FROM organizations o, generate_series(1, 20) n;
      INSERT INTO group_people (organization_id, group_id, part, user_id)
        SELECT m.organization_id, g.group_id, 'member', m.user_id FROM members m JOIN groups g
        ON g.organization_id = m.organization_id AND g.group_id % 10 = m.user_id % 10 ON CONFLICT DO NOTHING;
      INSERT INTO record_reads (organization_id, id, time, reader_id, group_id, group_name, operation)
        SELECT g.organization_id, gen_random_uuid(), n, (SELECT id FROM users WHERE user_id = 10001 + n % 4000), g.id, 'G',
        'reportHours' FROM groups g, generate_series(1, 10) n;
      INSERT INTO record_read_people (organization_id, record_read_id, user_id)
        SELECT r.organization_id, r.record_read_id, p.user_id FROM record_reads r JOIN groups g
        ON g.organization_id = r.organization_id AND g.id = r.group_id JOIN group_people p
        ON p.organization_id = g.organization_id AND p.group_id = g.group_id AND p.part = 'member' ON CONFLICT DO NOTHING;
      ANALYZE pay_rules; ANALYZE groups; ANALYZE group_people; ANALYZE record_reads; ANALYZE record_read_people
      """)
  }

  /// Adds many rows of each kind of records about members.
  private static func addMemberRecords(_ database: TestDatabase) throws {
    try database.execute(
      """
      INSERT INTO work_schedules (organization_id, id, user_id, from_date, seconds_by_weekday, holiday_calendar_id,
        works_on_holidays, workday_start, version, created_at, updated_at)
        SELECT m.organization_id, gen_random_uuid(), m.user_id, 20000 + n, '0,0,0,0,0,0,0', c.number, false, '00:00', 1, 0, 0
        FROM members m LEFT JOIN (SELECT organization_id, min(holiday_calendar_id) number FROM holiday_calendars
        GROUP BY organization_id) c ON c.organization_id = m.organization_id AND m.user_id % 10 = 0, generate_series(1, 5) n;
      INSERT INTO entitlements (organization_id, id, user_id, kind, year, days, carried_days, version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 'vacation', 2000 + n, 1, 0, 1, 0, 0
        FROM members, generate_series(1, 5) n;
      INSERT INTO adjustments (organization_id, id, user_id, date, seconds, kind, version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 20000 + n, 1, 'opening', 1, 0, 0
        FROM members, generate_series(1, 5) n;
      INSERT INTO absences (organization_id, id, user_id, kind, effect, start_date, end_date, portion, state, version,
        created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 'vacation', 'vacation', 20000 + 7 * n, 20004 + 7 * n, 'day',
        (ARRAY['approved', 'requested', 'refused', 'canceled'])[1 + n % 4], 1, 0, 0 FROM members, generate_series(1, 12) n;
      INSERT INTO periods (organization_id, id, user_id, submitted_through, submitted_until, approved_through, approved_until,
        version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 19000, 19001 * 86400000::bigint, 19000, 19001 * 86400000::bigint,
        1, 0, 0 FROM members WHERE user_id % 5 > 0 ON CONFLICT DO NOTHING;
      INSERT INTO approvals (organization_id, id, user_id, from_date, through, planned_seconds, holiday_seconds,
        absence_seconds, credited_seconds, target_seconds, paid_seconds, adjustment_seconds, balance_seconds, version,
        created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, 18000 + n, 18000 + n, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0
        FROM members, generate_series(1, 5) n;
      INSERT INTO corrections (organization_id, id, user_id, is_deletion, state, version, created_at, updated_at)
        SELECT organization_id, gen_random_uuid(), user_id, false,
        (ARRAY['agreed', 'applied', 'refused', 'open'])[1 + n % 4], 1, 0, 0 FROM members, generate_series(1, 12) n;
      ANALYZE corrections; ANALYZE work_schedules; ANALYZE entitlements; ANALYZE adjustments; ANALYZE absences; ANALYZE periods;
      ANALYZE approvals
      """)
  }

  /// The plan of a statement for values that are not known, which PostgreSQL makes once and keeps.
  static func plan(_ text: String, on connection: EstablishedConnection) throws -> Plan {
    try connection.execute("SET plan_cache_mode = force_generic_plan; DEALLOCATE ALL")
    try connection.execute("PREPARE p AS \(text)")
    let count =
      Int(
        try connection.execute("SELECT cardinality(parameter_types) FROM pg_prepared_statements") ?? "") ?? 0
    let values = count == 0 ? "" : "(\(Array(repeating: "NULL", count: count).joined(separator: ", ")))"
    return try explain("EXPLAIN (FORMAT JSON) EXECUTE p\(values)", on: connection)
  }

  private static func explain(_ text: String, on connection: EstablishedConnection) throws -> Plan {
    let json = try connection.execute(text) ?? ""
    return try #require(try JSONDecoder().decode([Plan.Top].self, from: Data(json.utf8)).first).plan
  }

  /// How a list is carried out with these values, with the numbers of rows that each part met.
  private static func plan(
    of range: TimeEntryRange, user: Int64? = nil, session: Int64? = nil, status: TimeEntryStatus? = nil,
    cursor: TimeEntryCursor? = nil, on connection: EstablishedConnection
  ) throws -> Plan {
    let selection = TimeEntrySelection(
      TimeEntryQuery(
        organization: OrganizationKey(1_001), user: user.map { UserKey($0) }, range: range, status: status,
        session: nil, cursor: cursor, limit: 100), session: session)
    return try plan(selection.sql, selection.values, on: connection)
  }

  /// How a statement is carried out with these numbers and texts as values, with the numbers of rows that each part met.
  private static func plan(
    _ text: String, _ values: [PostgreSQLValue], _ mode: String = "custom",
    on connection: EstablishedConnection
  ) throws -> Plan {
    try connection.execute("SET plan_cache_mode = force_\(mode)_plan; DEALLOCATE ALL")
    try connection.execute("PREPARE p AS \(text)")
    let values = values.map { value in
      switch value {
      case .integer(let integer): "\(integer)"
      case .text(let text): "'\(text)'"
      default: "NULL"
      }
    }
    return try explain(
      "EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE p(\(values.joined(separator: ", ")))", on: connection)
  }

  /// The date `number` days after the first of the entries.
  private static func day(_ number: Int32) -> LocalDate { LocalDate(daysSince1970: 20_000 + number) }

  private static func instant(_ day: Int64) -> Instant {
    Instant(millisecondsSince1970: (20_000 + day) * 86_400_000)
  }

  @Test("search an index for every statement, and walk no more of a list than it shows")
  func plans() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      try database.execute(Self.rows)
      try await Self.addPlainRecords(database, storage)
      try Self.addMemberRecords(database)
      // The plans are those behind row-level security.
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      try connection.execute("SET timeclock.organization = '1001'")
      try await Self.expectNoWalks(of: storage, connection)
      try Self.expectListsInOrder(connection)
      try Self.expectSpans(connection)
      try Self.expectSessions(connection)
      try Self.expectReports(connection)
      try Self.expectExports(connection)
      try Self.expectChanges(connection)
      await storage.close()
    }
  }

  /// A member's days in a database that has no statistics, so that PostgreSQL takes everything for one row: each look-up
  /// for a refused entry meets the days around it, and not the member's history.
  @Test("meet a few days for each entry that is refused, also without statistics")
  func refusedEntries() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      let office = try await TestOffice(in: storage)
      let key = office.member.key
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      try connection.execute("SET timeclock.organization = '\(key.organization.value)'")
      try connection.execute("SET enable_sort = off; SET jit = off")
      for dayCount in [1, 20, 200] {
        try database.execute(
          """
          SET timeclock.organization = 'everyone'; ALTER TABLE time_entries SET (autovacuum_enabled = false);
          DELETE FROM time_entries;
          INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, clock_out, time_zone,
            offset_seconds, source, flags, version, updated_at)
            SELECT \(key.organization.value), \(key.user.value), 20000 + day, 0, gen_random_uuid(),
            (20000 + day) * 86400000::bigint + hour * 3600000,
            (20000 + day) * 86400000::bigint + hour * 3600000 + 1800000,
            'UTC', 0, 'import', 0, 1, 0 FROM generate_series(1, \(dayCount)) day, generate_series(0, 22) hour
          """)
        var refused = BulkRows.Refused()
        for number in 0..<40 {
          let start = Self.instant(1 + Int64(number % dayCount)).adding(milliseconds: 3_600_000)
          refused.add(office.entry(at: start), at: number, before: .max)
        }
        let plan = try Self.plan(
          BulkRows.overlapping.statement.text, BulkRows.overlapping.values((key.organization, refused)),
          on: connection)
        let met = plan.nodes.filter { $0.table == "time_entries" }.reduce(0) { $0 + $1.metCount }
        // Two dates before and three behind, of 23 entries each, and as many again to find where they begin.
        #expect(met <= 40 * 23 * 12, "\(dayCount): \(met)")
        #expect(plan.metCount == 40)
      }
      await storage.close()
    }
  }

  /// An organization that has come since the statistics were made, by a move or an import, and of which PostgreSQL therefore
  /// expects one row: an audit compares no change with each seal.
  @Test(
    "meet each row once to count changes without seals, also of an organization that is new to the statistics"
  )
  func unsealedChanges() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      try database.execute(
        """
        ALTER TABLE changes SET (autovacuum_enabled = false); ALTER TABLE change_seals SET (autovacuum_enabled = false);
        ALTER TABLE unsealed_changes SET (autovacuum_enabled = false);
        INSERT INTO organizations SELECT n, md5('o' || n)::uuid, 'O', 'UTC', 60, 57600, 30, 72, 500, 1, 0, 0
          FROM generate_series(1001, 1002) n
        """)
      for organization in [1_001, 1_002] {
        let own = "organization_id = \(organization)"
        try database.execute(
          """
          SET timeclock.organization = 'everyone';
          INSERT INTO changes (organization_id, time, author_means, operation, kind, resource, resource_id, after, salt)
            SELECT \(organization), 0, 'service', 'x', 'created', 'timeEntry', gen_random_uuid(), '{}',
            decode(repeat('00', 16), 'hex') FROM generate_series(1, 2000);
          INSERT INTO change_seals SELECT organization_id, row_number() OVER (ORDER BY change_number), change_number,
            sha256(''), sha256('') FROM changes WHERE \(own) AND change_number % 10 > 1;
          INSERT INTO unsealed_changes
            SELECT organization_id, change_number FROM changes WHERE \(own) AND change_number % 10 = 0;
          \(organization == 1_001 ? "ANALYZE" : "")
          """)
      }
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      try connection.execute("SET timeclock.organization = '1002'")
      for mode in ["custom", "generic"] {
        let nodes = try Self.plan(ChangeLogRows.unsealed.text, [.integer(1_002)], mode, on: connection).nodes
        for table in ["changes", "change_seals", "unsealed_changes"] {
          let met = nodes.filter { $0.table == table }.reduce(0) { $0 + $1.metCount }
          // Each row of both organizations once.
          #expect(met <= 4_000, "\(mode) \(table): \(met)")
        }
      }
      let unsealed = try await storage.unsealedChanges(of: OrganizationKey(1_002))
      #expect(unsealed == UnsealedChanges(waitingCount: 200, lostCount: 200))
      await storage.close()
    }
  }

  /// Runs every method of the protocol, and then asks about every statement that was prepared for it.
  private static func expectNoWalks(
    of storage: PostgreSQLStorage, _ connection: EstablishedConnection
  ) async throws {
    try await StorageCalls.callAll(in: storage)
    let prepared = PostgreSQLStatement("SELECT statement FROM pg_prepared_statements")
    var texts = Set(try await storage.read(prepared, [], in: .noOrganization).map { $0.text(0) })
    texts.formUnion(
      try await storage.write(
        prepared, [], in: .noOrganization, lockOrder: .init(first: 0, second: 0)
      ).map { $0.text(0) })
    let relevant = texts.filter { text in
      !["BEGIN", "COMMIT", "ROLLBACK"].contains(text) && !text.contains("pg_prepared_statements")
    }
    #expect(relevant.count > 40)
    // The plan of a list depends on its values.
    #expect(!relevant.contains { $0.contains("ORDER BY e.date DESC") })
    for text in relevant {
      for node in try plan(text, on: connection).nodes where node.type == "Seq Scan" {
        // A table of a row, whether there is any organization at all, and every organization, which a verification goes through;
        // and tables that are empty as a rule: members of corrections that are being made, and organizations that have moved.
        let isAllowed =
          [
            "schema_migrations", "log_epoch", "correcting", "organization_departures",
            "organization_arrivals",
          ].contains(node.table)
          || text == "SELECT organization_id, id FROM organizations ORDER BY organization_id"
          || text.hasPrefix("SELECT EXISTS (SELECT 1 FROM organizations)")
        #expect(isAllowed, "\(node.table ?? ""): \(text)")
      }
    }
  }

  private static func expectListsInOrder(_ connection: EstablishedConnection) throws {
    let cursor = TimeEntryCursor(date: day(100), createdAt: instant(100), row: 5)
    let session = Int64(
      try connection.execute("SELECT min(session_id) FROM sessions WHERE organization_id = 1001") ?? "")
    let ranges: [TimeEntryRange] = [
      .dates(from: nil, through: nil), .dates(from: day(95), through: day(102)),
      .dates(from: day(1), through: day(290)), .overlapping(from: nil, to: instant(120)),
    ]
    for range in ranges {
      for status in [nil, .clockedOut] as [TimeEntryStatus?] {
        for cursor in [nil, cursor] {
          for (user, session, index) in [
            (10_020, nil, "time_entries_pkey"), (nil, nil, "time_entries_by_date"),
            (nil, session, "time_entries_of_session"),
          ] as [(Int64?, Int64?, String)] {
            let plan = try plan(
              of: range, user: user, session: session, status: status, cursor: cursor, on: connection)
            let entries = try #require(plan.nodes.first { $0.table == "time_entries" })
            // PostgreSQL may gather the entries of one member and sort them, for those are few.
            #expect(user != nil || !plan.nodes.contains { $0.type.contains("Sort") }, "\(range) \(index)")
            #expect(plan.nodes.contains { $0.index == index }, "\(range) \(index)")
            // The bound of a span's dates may be a day or two of everyone's too late.
            #expect(entries.metCount <= 101 + 250, "\(range) \(index)")
          }
        }
      }
    }
  }

  /// A month of the organization's, after 270 days of it: the month's entries, those that began on the day before, and
  /// those longer than a day.
  private static func expectReports(_ connection: EstablishedConnection) throws {
    for user in [nil, 10_020] as [Int64?] {
      for hasDetails in [false, true] {
        let query = WorkedTimeQuery(
          organization: OrganizationKey(1_001), members: MemberSelection(user.map { UserKey($0) }),
          endingAfter: instant(270),
          beginningBefore: instant(301), session: nil, hasDetails: hasDetails)
        let plan = try plan(
          WorkedTimeRows.entries(query).text, WorkedTimeRows.values(query), on: connection)
        let entries = plan.nodes.filter { $0.table == "time_entries" }
        // 110 members, and 32 days.
        #expect(entries.reduce(0) { $0 + $1.metCount } <= 110 * 32 + 100, "\(user ?? 0)")
      }
    }
  }

  /// The organization has 3,010 sessions, ten a day; one member is assigned to a tenth of them, for which PostgreSQL
  /// may walk them all, one to three.
  private static func expectSessions(_ connection: EstablishedConnection) throws {
    for (assignee, from, through, cursor, limit) in [
      (nil, nil, nil, nil, 101), (nil, day(0), nil, SessionCursor(date: day(150), row: 1), 101),
      (nil, day(20), day(22), nil, 33), (10_020, nil, nil, nil, 3_010), (10_020, day(20), day(20), nil, 11),
      (10_020, day(250), nil, nil, 3_010), (10_005, day(20), day(20), nil, 11), (10_005, nil, nil, nil, 40),
    ] as [(Int64?, LocalDate?, LocalDate?, SessionCursor?, Int)] {
      let selection = SessionSelection(
        SessionQuery(
          organization: OrganizationKey(1_001), assignee: assignee.map { UserKey($0) }, from: from,
          through: through, cursor: cursor, limit: 100))
      let nodes = try plan(selection.sql, selection.values, on: connection).nodes
      let met = nodes.filter { $0.table == "sessions" }.reduce(0) { $0 + $1.metCount }
      #expect(met <= limit, "\(assignee ?? 0) \(String(describing: from)): \(met)")
      #expect(assignee != nil || nodes.contains { $0.index == "sessions_by_date" })
    }
  }

  /// A page of an export meets little more than it shows, at any start.
  private static func expectExports(_ connection: EstablishedConnection) throws {
    let session = try #require(
      Int64(
        try connection.execute("SELECT min(session_id) FROM sessions WHERE organization_id = 1001") ?? ""))
    let place = TimeEntryCursor(date: day(100), createdAt: instant(100), row: 5)
    let all = TimeEntryRange.dates(from: nil, through: nil)
    for (user, session, from, range, limit) in [
      (nil, nil, nil, all, 110), (nil, nil, 10_050, all, 110), (10_020, nil, nil, all, 110),
      (10_020, nil, 10_020, all, 110), (nil, nil, 10_050, .dates(from: day(20), through: day(280)), 110),
      // One of each member, which are fewer than walking to them would meet.
      (nil, nil, nil, .dates(from: day(150), through: day(150)), 110),
      (nil, nil, 10_050, .overlapping(from: instant(150), to: instant(151)), 700),
      (10_020, nil, 10_020, .overlapping(from: instant(5), to: nil), 320),
      (nil, session, nil, all, 110), (nil, session, 10_020, all, 110),
    ] as [(Int64?, Int64?, Int64?, TimeEntryRange, Int)] {
      let query = TimeEntryExportQuery(
        organization: OrganizationKey(1_001), user: user.map { UserKey($0) }, range: range, status: nil,
        session: session == nil ? nil : SessionID(high: 1, low: 1),
        cursor: from.map { TimeEntryExportCursor(user: UserKey($0), place: place) })
      let selection = TimeEntryExportSelection(query, session: session, limit: 100)
      let nodes = try plan(selection.sql, selection.values, on: connection).nodes
      let met = nodes.filter { $0.table == "time_entries" }.reduce(0) { $0 + $1.metCount }
      #expect(met <= limit, "\(user ?? 0) \(from ?? 0) \(range): \(met)")
    }
  }

  /// A page of the log of changes reads the changes it shows, and sealing those it seals, of the organization's 30,000:
  /// not only with the statistics of this run, but also where PostgreSQL would rather join in another way than by
  /// looking up each.
  private static func expectChanges(_ connection: EstablishedConnection) throws {
    let page: [PostgreSQLValue] = [.integer(1_001), .integer(20_000), .integer(101)]
    let kinds = Snapshot.Kind.allCases.map { PostgreSQLValue.text($0.rawValue) }
    let filters = Array(repeating: PostgreSQLValue.null, count: 6)
    for (text, values, limit) in [
      (ChangeLogRows.all.text, page, 101),
      (ChangeLogRows.feed.text, [page[0], page[1], page[2]] + kinds, 101),
      (ChangeLogRows.audit.text, [page[0], page[1], .integer(500)] + filters + [.integer(101)], 500),
      (PostgreSQLStorage.waiting.text, [page[0]], 1_000),
    ] {
      for (mode, lookUps) in [("custom", "on"), ("generic", "on"), ("generic", "off")] {
        try connection.execute("SET enable_nestloop = \(lookUps)")
        let nodes = try plan(text, values, mode, on: connection).nodes
        for table in ["changes", "change_seals", "unsealed_changes"] {
          let met = nodes.filter { $0.table == table }.reduce(0) { $0 + $1.metCount }
          #expect(met <= limit, "\(mode) \(table) \(met): \(text)")
        }
      }
    }
    try connection.execute("RESET enable_nestloop")
  }

  private static func expectSpans(_ connection: EstablishedConnection) throws {
    for (range, user, limit) in [
      // The dates of the day before and of two days after are looked at too.
      // A day of everyone's and the one before, with those who are clocked in since the last one; and of a member's, with
      // two dates before the last entry that began before it.
      (.overlapping(from: instant(150), to: instant(151)), nil, 460),
      (.overlapping(from: instant(150), to: instant(151)), 10_020, 12),
      (.overlapping(from: instant(303), to: nil), nil, 80),
      (.overlapping(from: instant(303), to: nil), 10_020, 5),
      // Long ago until now, and from the beginning until long ago: the newest hundred of very many.
      (.overlapping(from: instant(5), to: nil), nil, 250),
      (.overlapping(from: instant(5), to: nil), 10_020, 310),
      (.overlapping(from: instant(5), to: instant(200)), nil, 400),
      (.overlapping(from: instant(5), to: instant(200)), 10_020, 310),
    ] as [(TimeEntryRange, Int64?, Int)] {
      let entries = try plan(of: range, user: user, on: connection).nodes.filter {
        $0.table == "time_entries"
      }
      #expect(entries.reduce(0) { $0 + $1.metCount } <= limit, "\(range) \(user ?? 0)")
    }
    let span: [PostgreSQLValue] = [
      .integer(1_001), .integer(10_020), .instant(instant(150)), .instant(instant(151)),
    ]
    let now: [PostgreSQLValue] = [
      .integer(1_001), .integer(.min), .null, .integer(.min), .integer(.max), .integer(101),
      .instant(instant(302)),
    ]
    // A member's entries, and those since yesterday of the 27 members who are clocked in.
    for (text, values, limit) in [
      (TimeEntryRows.overlapping.statement.text, span, 12), (PresenceRows.pages[0].text, now, 27 * 12),
    ] {
      for mode in ["custom", "generic"] {
        let nodes = try plan(text, values, mode, on: connection).nodes
        let met = nodes.filter { $0.table == "time_entries" }.reduce(0) { $0 + $1.metCount }
        #expect(met <= limit, "\(mode) \(text)")
      }
    }
    // At most one row a member, which no index has in the list's order.
    let active = try plan(of: .dates(from: nil, through: nil), status: .clockedIn, on: connection)
    let entries = try #require(active.nodes.first { $0.index?.hasPrefix("time_entries") == true })
    #expect(["time_entries_one_active", "time_entries_active_by_start"].contains(entries.index))
    #expect(entries.metCount <= 60)
  }
}

/// A node of EXPLAIN's output, and those below it.
struct Plan: Decodable {
  struct Top: Decodable {
    let plan: Plan

    enum CodingKeys: String, CodingKey { case plan = "Plan" }
  }

  let type: String
  let table: String?
  let index: String?
  let rowCount: Double?
  let loopCount: Double?
  let filteredCount: Double?
  let recheckedCount: Double?
  /// The condition that an index is searched with; nil if it is walked.
  let indexCondition: String?
  let children: [Plan]?

  /// The number of rows it met, including those it left out.
  var metCount: Int {
    Int((loopCount ?? 1) * ((rowCount ?? 0) + (filteredCount ?? 0) + (recheckedCount ?? 0)))
  }

  var nodes: [Plan] { [self] + (children ?? []).flatMap(\.nodes) }

  enum CodingKeys: String, CodingKey {
    case type = "Node Type"
    case table = "Relation Name"
    case index = "Index Name"
    case rowCount = "Actual Rows"
    case loopCount = "Actual Loops"
    case filteredCount = "Rows Removed by Filter"
    case recheckedCount = "Rows Removed by Index Recheck"
    case indexCondition = "Index Cond"
    case children = "Plans"
  }
}
