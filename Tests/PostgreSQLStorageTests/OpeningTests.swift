import PostgreSQLTestCluster
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage
@testable import SchemaMigrations

@Suite("Opening a PostgreSQL database")
struct OpeningTests {
  @Test("by ten at once goes through every migration once")
  func together() async throws {
    try await TestDatabase.run { database in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask {
            await #expect(throws: Never.self) {
              let storage = try await Task.detached { try database.open() }.value
              try await storage.checkReadiness()
              await storage.close()
            }
          }
        }
      }
      let applied = try database.execute(
        "SELECT number || ' ' || title FROM schema_migrations ORDER BY number")
      #expect(
        applied.split(separator: "\n").map(String.init)
          == SchemaMigrations.postgresql.map { "\($0.number) \($0.title)" })
    }
  }

  @Test("is refused when a newer program was there")
  func newer() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      let program = Int64(SchemaMigrations.postgresql.count)
      try database.execute("INSERT INTO schema_migrations VALUES (\(program + 1), 'later', 0, 0)")
      #expect(throws: PostgreSQLStorageError.schemaIsNewer(database: program + 1, program: program)) {
        _ = try database.open()
      }
      // Nothing was touched.
      #expect(try database.execute("SELECT count(*) FROM schema_migrations") == "\(program + 1)")
    }
  }

  @Test("is refused when a migration was another one")
  func edited() async throws {
    try await TestDatabase.run { database in
      await (try database.open()).close()
      try database.execute("UPDATE schema_migrations SET checksum = checksum + 1 WHERE number = 1")
      #expect(throws: PostgreSQLStorageError.migrationDiffers(number: 1)) { _ = try database.open() }
    }
  }

  @Test(
    "is refused when a build from before version 0.1 made the database, which stays as it is",
    arguments: [1, 35])
  func unreleased(steps: Int) async throws {
    try await TestDatabase.run { database in
      try database.execute(
        """
        CREATE TABLE schema_migrations (
          number BIGINT PRIMARY KEY, title TEXT NOT NULL, checksum BIGINT NOT NULL, applied_at BIGINT NOT NULL);
        ALTER TABLE schema_migrations OWNER TO timeclock;
        INSERT INTO schema_migrations
          SELECT n, CASE n WHEN 1 THEN 'time_clock' ELSE 'step' END, 1, 0 FROM generate_series(1, \(steps)) n
        """)
      let location = try PostgreSQLLocation(database.conninfo)
      #expect(throws: PostgreSQLStorageError.schemaIsUnreleased) { _ = try database.open() }
      #expect(throws: PostgreSQLStorageError.schemaIsUnreleased) { try PostgreSQLAuditedDatabase(location) }
      #expect(throws: PostgreSQLStorageError.schemaIsUnreleased) { try PostgreSQLCopySource(location) }
      #expect(throws: PostgreSQLStorageError.schemaIsUnreleased) { try PostgreSQLCopyTarget(location) }
      #expect(try database.execute("SELECT count(*) FROM schema_migrations") == "\(steps)")
      #expect(try database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1")
    }
  }

  /// Everything that a schema is made of: columns in their order, indexes, constraints, triggers, functions, and the wall.
  private static let schema = """
    SELECT line FROM (
      SELECT concat_ws(' ', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        attcollation, pg_get_expr(adbin, adrelid)) AS line
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND prolang IN (SELECT oid FROM pg_language WHERE lanname <> 'c')
      UNION ALL SELECT concat_ws(' ', tablename, policyname, cmd, qual, with_check) FROM pg_policies
      UNION ALL SELECT concat_ws(' ', relname, relrowsecurity, relforcerowsecurity, reloptions) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r') lines
    ORDER BY line
    """

  @Test("makes of a database that was in use what a new one is, when there is another migration")
  func upgraded() async throws {
    let next = SchemaMigration(
      number: Int64(SchemaMigrations.postgresql.count) + 1, title: "next",
      sql: "CREATE TABLE next (x BIGINT); ALTER TABLE sessions ADD COLUMN y BIGINT")
    func migrate(_ database: TestDatabase) throws -> String {
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      let update = SchemaUpdate(connection: connection, now: TestDatabase.now)
      try update.run(SchemaMigrations.postgresql + [next])
      return try database.execute(Self.schema)
    }
    var schemas: [String] = []
    for isUsed in [true, false] {
      try await TestDatabase.run { database in
        if isUsed {
          let storage = try database.open()
          try await TestOffice(in: storage).keep(0)
          await storage.close()
        }
        schemas.append(try migrate(database))
      }
    }
    #expect(schemas[0] == schemas[1])
    #expect(schemas[0].contains("sessions 12 y bigint"))
  }

  @Test(
    "keeps the epoch of its log as long as it stays where it is, and has another one where it was restored")
  func epoch() async throws {
    try await TestDatabase.run { database in
      func epoch() async throws -> String {
        let storage = try database.open()
        await storage.close()
        return try database.execute("SELECT epoch FROM log_epoch")
      }
      let first = try await epoch()
      #expect(try await epoch() == first)
      // As in a database that pg_restore has made, in a cluster that went back, and in one whose cluster is another.
      var epochs = [first]
      for place in ["7/1/99999", "7/00000002/5", "8/00000001/5"] {
        try database.execute("UPDATE log_epoch SET place = '\(place)'")
        epochs.append(try await epoch())
      }
      #expect(Set(epochs).count == 4)
      // All three can be asked for, by a role that owns the database and is nothing more.
      let place = try database.execute("SELECT place FROM log_epoch").split(separator: "/")
      #expect(place.count == 3, "\(place)")
      let storage = try database.open()
      try await storage.renewLogEpoch()
      await storage.close()
      #expect(try await !epochs.contains(epoch()))
    }
  }

  @Test(
    "analyzes tables that have got rows without statistics, so that an active entry is looked up where it is")
  func firstStatistics() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      for minute in 0..<40 { try await office.keep(minute * 2) }
      await storage.close()
      let count = "SELECT reltuples FROM pg_class WHERE oid = 'time_entries'::regclass"
      #expect(try database.execute(count) == "-1")
      await (try database.open()).close()
      #expect(try database.execute(count) == "40")
      #expect(try database.execute("SELECT reltuples FROM pg_class WHERE oid = 'webhooks'::regclass") == "-1")
    }
  }

  @Test("is refused when it belongs to another program")
  func foreign() async throws {
    try await TestDatabase.run { database in
      try database.execute("CREATE TABLE orders (id BIGINT)")
      #expect(throws: PostgreSQLStorageError.foreignDatabase) { _ = try database.open() }
      #expect(try database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1")
    }
  }

  @Test("that fails half-way leaves nothing behind, and says why")
  func failingMigration() async throws {
    try await TestDatabase.run { database in
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      let migrations = [
        SchemaMigration(number: 1, title: "half", sql: "CREATE TABLE first (a BIGINT); SELECT 1 / 0")
      ]
      #expect(throws: PostgreSQLStorageError.cannotMigrate(number: 1, reason: "division by zero")) {
        try SchemaUpdate(connection: connection, now: TestDatabase.now).run(migrations)
      }
      #expect(try database.execute("SELECT to_regclass('first') IS NULL") == "t")
      // It can be tried again.
      await (try database.open()).close()
    }
  }

  @Test("by somebody who may not create tables says so")
  func forbidden() async throws {
    try await TestDatabase.run { database in
      let role = "r" + (try database.execute("SELECT current_database()")).dropFirst()
      try database.execute("CREATE ROLE \(role) LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      let location = database.conninfo.replacing("user=timeclock", with: "user=\(role)")
      #expect(
        throws: PostgreSQLStorageError.cannotMigrate(
          number: Int64(SchemaMigrations.postgresql.count), reason: "permission denied for schema public")
      ) { _ = try database.open(location) }
      try database.execute("DROP ROLE \(role)")
    }
  }

  @Test("names what is missing, on one line")
  func missing() async throws {
    let cluster = try PostgreSQLTestCluster.shared.get()
    let host = "host=\(cluster.folder) user=timeclock"
    for (conninfo, word) in [
      ("\(host) dbname=nosuchdatabase", "\"nosuchdatabase\" does not exist"),
      ("host=\(cluster.folder) user=nobodyknown dbname=postgres", "\"nobodyknown\" does not exist"),
      ("host=/nosuchfolder user=timeclock dbname=postgres", "No such file or directory"),
      ("host=127.0.0.1 port=1 user=timeclock dbname=postgres", "Connection refused"),
    ] {
      do {
        _ = try PostgreSQLStorage.open(PostgreSQLLocation(conninfo)) { _ in }
        Issue.record("\(conninfo) was opened")
      } catch PostgreSQLStorageError.cannotConnect(let reason) {
        #expect(reason.contains(word))
        #expect(!reason.contains("\n"))
      }
    }
    #expect(throws: PostgreSQLStorageError.self) { _ = try PostgreSQLLocation("postgresql://[::1/timeclock") }
  }

  @Test("gives up on a server that takes the connection and then says nothing")
  func silence() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let conninfo = network.conninfo(database.conninfo)
      network.behave(.silentOnceConnected)
      let begin = ContinuousClock.now
      #expect(throws: PostgreSQLStorageError.cannotConnect("the server did not answer in time")) {
        _ = try database.open(conninfo)
      }
      #expect(ContinuousClock.now - begin < .seconds(30))
      network.behave(.sound)
      await (try database.open(conninfo)).close()
    }
  }

  @Test("needs UTF-8")
  func encoding() async throws {
    let cluster = try PostgreSQLTestCluster.shared.get()
    let name = "latin\(UInt64.random(in: 0 ... .max))"
    try cluster.execute(
      "CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", in: "postgres")
    let conninfo = "host=\(cluster.folder) user=timeclock dbname=\(name)"
    defer { try? cluster.removeDatabase(conninfo) }
    #expect(
      throws: PostgreSQLStorageError.cannotConnect("the database has the encoding LATIN1, and needs UTF8")
    ) { _ = try PostgreSQLStorage.open(PostgreSQLLocation(conninfo)) { _ in } }
  }

  @Test("makes sure of what commits rest on, whatever the database says")
  func settings() async throws {
    try await TestDatabase.run { database in
      let name = try database.execute("SELECT current_database()")
      for setting in [
        "synchronous_commit = off", "statement_timeout = 0", "lock_timeout = 0",
        "default_transaction_isolation = 'serializable'", "idle_in_transaction_session_timeout = 0",
      ] { try database.execute("ALTER DATABASE \(name) SET \(setting)") }
      let connection = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { connection.close() }
      for (setting, value) in [
        ("synchronous_commit", "on"), ("statement_timeout", "4s"), ("lock_timeout", "100ms"),
        ("default_transaction_isolation", "read committed"), ("idle_in_transaction_session_timeout", "10s"),
        ("client_encoding", "UTF8"), ("application_name", "timeclock"),
      ] { #expect(try connection.execute("SHOW \(setting)") == value) }
      // Stricter settings stay.
      try database.execute("ALTER DATABASE \(name) SET synchronous_commit = remote_apply")
      let strict = try EstablishedConnection.connect(PostgreSQLLocation(database.conninfo))
      defer { strict.close() }
      #expect(try strict.execute("SHOW synchronous_commit") == "remote_apply")
    }
  }
}
