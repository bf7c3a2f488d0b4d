import CSchemaMigrations

/// One step of a database's schema.
package struct SchemaMigration: Sendable {
  /// Counts from 1 without gaps.
  package let number: Int64
  /// The words of the file's name.
  package let title: String
  /// The SQL text, in the dialect of the list it stands in.
  package let sql: String

  /// The 64-bit FNV-1a hash of the SQL text: detects an edited migration, and is not meant against malice. Kept, as every
  /// opening of a database compares all of them.
  package let checksum: Int64

  init(number: Int64, title: String, sql: String) {
    (self.number, self.title, self.sql) = (number, title, sql)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    checksum = Int64(bitPattern: hash)
  }
}

/// All migrations, in order; one list for each dialect, with the same numbers and titles.
package enum SchemaMigrations {
  package static let sqlite = migrations(\.sqlite)
  package static let postgresql = migrations(\.postgresql)

  /// The title of migration 1 in databases of builds from before version 0.1. Their steps are one baseline by now
  /// (`0001_schema`), and a program that knows only the baseline cannot know which of the steps they have been through.
  package static let unreleasedTitle = "time_clock"

  private static func migrations(_ text: (migration_files) -> migration_text) -> [SchemaMigration] {
    UnsafeBufferPointer(start: schema_migrations(), count: schema_migration_count()).enumerated().map {
      index, files in
      let text = text(files)
      return SchemaMigration(
        number: Int64(index + 1), title: String(cString: files.title),
        sql: String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.length), as: UTF8.self))
    }
  }
}
