import DatabaseCopy
import PostgreSQLTestCluster
import Procedures
import Testing

@testable import SQLiteStorage

/// Compares the list of tables with the catalogs: a migration that adds a table or a column fails here until the copy
/// knows it.
@Suite("The copy's list of tables")
struct CatalogTests {
  @Test("The list of tables is SQLite's catalog")
  func sqlite() async throws {
    let folder = try TestFolder()
    let path = folder.file("empty.db")
    await (try SQLiteStorage.open(path: path) {}).close()
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    defer { connection.close() }
    let tables = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ).all([]) { $0.text(0) }
    let own = CopiedTable.ofTheDatabaseItself.filter {
      !["unsealed_changes", "organization_arrivals"].contains($0)
    }
    #expect(Set(tables) == Set(CopiedTable.all.map(\.name) + own))
    for table in CopiedTable.all {
      let columns = try connection.statement(
        built: "SELECT name || ' ' || type FROM pragma_table_xinfo('\(table.name)')"
      ).all([]) { $0.text(0) }
      let expected = table.columns.map { "\($0.name) \(Self.sqliteType($0.kind))" }
      #expect(columns.sorted() == expected.sorted(), "\(table.name)")
      let keys = try connection.statement(
        built: """
          SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('\(table.name)') WHERE pk > 0 ORDER BY pk)
          UNION SELECT (SELECT group_concat(name) FROM pragma_index_info(l.name))
          FROM pragma_index_list('\(table.name)') l WHERE l."unique" = 1 AND l.partial = 0
          """
      ).all([]) { $0.text(0) }
      #expect(keys.contains(table.key.joined(separator: ",")), "\(table.name)")
    }
  }

  /// An organization that is deleted keeps its row and its chain of changes.
  @Test("An organization is deleted from every table that has rows of one")
  func deletion() {
    let kept: Set = ["organizations", "members", "changes", "change_seals"]
    let owned = CopiedTable.all.filter { $0.columns.contains { $0.name == "organization_id" } }.map(\.name)
    #expect(Set(OwnedTable.all.map(\.name)) == Set(owned).subtracting(kept))
  }

  @Test("The list of tables is PostgreSQL's catalog")
  func postgreSQL() async throws {
    let cluster = try PostgreSQLTestCluster.shared.get()
    let conninfo = try cluster.makeDatabase()
    defer { try? cluster.removeDatabase(conninfo) }
    await (try Place.postgreSQL(conninfo).open()).close()
    func lines(_ sql: String) throws -> [String] {
      try cluster.execute(sql, in: conninfo).split(separator: "\n").map(String.init)
    }
    let tables = try lines(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1")
    let own = CopiedTable.ofTheDatabaseItself.filter { $0 != "row_numbers" }
    #expect(Set(tables) == Set(CopiedTable.all.map(\.name) + own))
    for table in CopiedTable.all {
      let columns = try lines(
        """
        SELECT column_name || ' ' || data_type || CASE is_identity WHEN 'YES' THEN ' numbered' ELSE '' END
        FROM information_schema.columns WHERE table_name = '\(table.name)'
        """)
      let expected = table.columns.map { column in
        let numbered = column.name == table.numbering?.column ? " numbered" : ""
        return "\(column.name) \(Self.postgreSQLType(column.kind))\(numbered)"
      }
      #expect(columns.sorted() == expected.sorted(), "\(table.name)")
      let keys = try lines(
        """
        SELECT string_agg(attname, ',' ORDER BY place)
        FROM pg_index CROSS JOIN unnest(indkey) WITH ORDINALITY AS part (attnum, place)
        JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = part.attnum
        WHERE indrelid = '\(table.name)'::regclass AND indisunique AND indpred IS NULL GROUP BY indexrelid
        """)
      // In PostgreSQL's keys, the organization precedes a number that is unique in the database.
      let key = table.key.joined(separator: ",")
      #expect(keys.contains(key) || keys.contains("organization_id," + key), "\(table.name)")
    }
  }

  @Test("The source that other tests copy has a value in every column")
  func testData() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let connection = try SQLiteConnection(path: source.path, isReadOnly: true)
    defer { connection.close() }
    for table in CopiedTable.all {
      for column in table.columns {
        let count = try connection.text("SELECT count(\(column.name)) FROM \(table.name)")
        #expect(count != "0", "\(table.name).\(column.name)")
      }
    }
  }

  private static func sqliteType(_ kind: RecordKind) -> String {
    switch kind {
    case .integer, .bool: "INTEGER"
    case .text: "TEXT"
    case .bytes, .identifier: "BLOB"
    }
  }

  private static func postgreSQLType(_ kind: RecordKind) -> String {
    switch kind {
    case .integer: "bigint"
    case .bool: "boolean"
    case .text: "text"
    case .bytes: "bytea"
    case .identifier: "uuid"
    }
  }
}
