import DatabaseCopy
import Foundation
import PostgreSQLTestCluster
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage
@testable import SQLiteStorage
@testable import SchemaMigrations

@Suite("A copy refuses")
struct RefusalTests {
  @Test("A target with data is refused, and stays as it is")
  func targetWithData() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let (file, place) = (Place.sqlite(folder.file("target.db")), try Place.newPostgreSQL())
    defer { place.remove() }
    for target in [file, place] {
      try Place.sqlite(source.path).copy(to: target, organization: source.other)
      for organization in [nil, source.organization] {
        #expect(throws: CopyError.targetIsNotEmpty(table: "organizations")) {
          try Place.sqlite(source.path).copy(to: target, organization: organization)
        }
      }
    }
    let again = folder.file("again.db")
    try place.copy(to: .sqlite(again))
    #expect(try dump(again) == dump(folder.file("target.db")))
  }

  @Test("A database that a server or another copy holds is refused, and the source itself as the target")
  func databaseInUse() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let place = try Place.newPostgreSQL()
    defer { place.remove() }
    guard case .postgreSQL(let conninfo) = place else { throw Missing() }
    let location = try PostgreSQLLocation(conninfo)
    let server = try Place.sqlite(source.path).open()
    #expect(throws: SQLiteStorageError.databaseInUse) { try Place.sqlite(source.path).copy(to: place) }
    await server.close()
    #expect(throws: SQLiteStorageError.databaseInUse) {
      try Place.sqlite(source.path).copy(to: .sqlite(source.path))
    }
    try Place.sqlite(source.path).copy(to: place)
    #expect(throws: CopyError.targetIsBusy) { try place.copy(to: place) }
    let other = try PostgreSQLCopySource(location)
    #expect(throws: CopyError.targetIsBusy) { try Place.sqlite(source.path).copy(to: place) }
    other.close()
  }

  @Test("A PostgreSQL target that is being written is refused, and servers cannot write to it during a copy")
  func targetIsWritten() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let place = try Place.newPostgreSQL()
    defer { place.remove() }
    guard case .postgreSQL(let conninfo) = place else { throw Missing() }
    let location = try PostgreSQLLocation(conninfo)
    await (try place.open()).close()
    let writer = try EstablishedConnection.connect(location)
    try writer.execute(
      "BEGIN; INSERT INTO users VALUES (1, gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', NULL, 0)")
    #expect(throws: CopyError.targetIsWritten) { try Place.sqlite(source.path).copy(to: place) }
    try writer.execute("ROLLBACK; SET lock_timeout = '50ms'")
    let target = try PostgreSQLCopyTarget(location)
    #expect(throws: PostgreSQLError.self) {
      try writer.execute("INSERT INTO users VALUES (1, gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', NULL, 0)")
    }
    target.close()
    try writer.execute("INSERT INTO users VALUES (1, gen_random_uuid(), 'a@b.c', 'a@b.c', 'A', NULL, 0)")
    writer.close()
    #expect(throws: CopyError.targetIsNotEmpty(table: "users")) {
      try Place.sqlite(source.path).copy(to: place)
    }
  }

  @Test("A source without a file, the schema or the organization is refused, and no target is made")
  func sources() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let target = Place.sqlite(folder.file("target.db"))
    let missing = folder.file("missing.db")
    #expect(throws: CopyError.noSource(path: missing)) { try Place.sqlite(missing).copy(to: target) }
    #expect(throws: CopyError.noSuchOrganization) {
      try Place.sqlite(source.path).copy(to: target, organization: IdentifierGenerator().next(at: .latest))
    }
    let empty = try Place.newPostgreSQL()
    defer { empty.remove() }
    let known = Int64(SchemaMigrations.postgresql.count)
    #expect(throws: PostgreSQLStorageError.schemaIsOlder(database: 0, program: known)) {
      try empty.copy(to: target)
    }
    #expect(FileManager.default.contents(atPath: folder.file("target.db")) == nil)
    #expect(FileManager.default.contents(atPath: missing + ".lock") == nil)
  }

  @Test("A source with a newer or older schema is refused on both databases, and neither is changed")
  func schemas() async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let place = try Place.newPostgreSQL()
    defer { place.remove() }
    guard case .postgreSQL(let conninfo) = place else { throw Missing() }
    let location = try PostgreSQLLocation(conninfo)
    try Place.sqlite(source.path).copy(to: place)
    let known = SchemaMigrations.sqlite.count
    let next = SchemaMigration(number: Int64(known) + 1, title: "next", sql: "CREATE TABLE next (x BIGINT)")
    let (sqlite, postgreSQL) = (SchemaMigrations.sqlite, SchemaMigrations.postgresql)
    #expect(throws: SQLiteStorageError.schemaIsOlder(database: Int64(known), program: Int64(known) + 1)) {
      try SQLiteCopySource(path: source.path, migrations: sqlite + [next])
    }
    #expect(throws: PostgreSQLStorageError.schemaIsOlder(database: Int64(known), program: Int64(known) + 1)) {
      try PostgreSQLCopySource(location, migrations: postgreSQL + [next])
    }
    #expect(throws: SQLiteStorageError.schemaIsNewer(database: Int64(known), program: Int64(known) - 1)) {
      try SQLiteCopySource(path: source.path, migrations: sqlite.dropLast())
    }
    #expect(throws: PostgreSQLStorageError.schemaIsNewer(database: Int64(known), program: Int64(known) - 1)) {
      try PostgreSQLCopySource(location, migrations: postgreSQL.dropLast())
    }
    // No part of the next schema was made, and the locks are free.
    try place.copy(to: .sqlite(folder.file("back.db")))
    #expect(try dump(folder.file("back.db")) == dump(source.path))
  }

  @Test(
    "A target that does not return what was written is refused, and keeps nothing", arguments: Fault.allCases)
  func faultyTarget(fault: Fault) async throws {
    let folder = try TestFolder()
    let source = try await SourceDatabase(in: folder)
    let path = folder.file("target.db")
    let from = try SQLiteCopySource(path: source.path)
    defer { from.close() }
    let target = FaultyTarget(target: try SQLiteCopyTarget(path: path), fault: fault)
    #expect(throws: CopyError.differs(table: "time_entries")) {
      try CopyRun(from: from, to: target) { _ in }.run(.everything)
    }
    target.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// A fault between the source and the target.
enum Fault: CaseIterable {
  case lostRow, changedByte
}

/// A target that loses or changes the last time entry.
private struct FaultyTarget: CopyTarget {
  let target: SQLiteCopyTarget
  let fault: Fault

  func write(
    _ table: CopiedTable, _ rows: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    guard table.name == "time_entries" else { return try target.write(table, rows) }
    var held: [[UInt8]] = []
    try rows { held.append(Array($0)) }
    switch fault {
    case .lostRow: held.removeLast()
    // This is the last byte of the last column, updated_at, which is big-endian.
    case .changedByte: held[held.count - 1][held[held.count - 1].count - 1] ^= 1
    }
    let given = held
    try target.write(table) { write in
      for row in given { try row.withUnsafeBytes(write) }
    }
  }

  func rowCount(of table: CopiedTable, in scope: CopyScope) throws -> Int64 {
    try target.rowCount(of: table, in: scope)
  }

  func forEachRow(
    of table: CopiedTable, in scope: CopyScope, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try target.forEachRow(of: table, in: scope, body)
  }

  func setLastNumber(
    _ number: Int64, of numbering: CopiedTable.Numbering, in table: CopiedTable
  ) throws {
    try target.setLastNumber(number, of: numbering, in: table)
  }

  func prepareToRead() throws { try target.prepareToRead() }
  func commit() throws { try target.commit() }
  func close() { target.close() }
}
