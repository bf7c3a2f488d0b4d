import SchemaMigrations
import Testing

@Suite("The migrations of both dialects")
struct MigrationListTests {
  @Test("have the same numbers and titles")
  func sameNumbersAndTitles() {
    #expect(SchemaMigrations.postgresql.map(\.number) == SchemaMigrations.sqlite.map(\.number))
    #expect(SchemaMigrations.postgresql.map(\.title) == SchemaMigrations.sqlite.map(\.title))
  }
}
