import Records
import TimeclockDomain

/// How many rows a list asks for.
enum PageLimit {
  /// What a caller asked for, kept to what can be held in memory.
  static func clamped(_ limit: Int) -> Int { PageSize.clamped(limit) }

  /// As many rows as the list may have.
  static func count(_ limit: Int) -> PostgreSQLValue { .integer(Int64(clamped(limit))) }

  /// One row more than the page has, which tells whether there is a next page.
  static func rows(_ limit: Int) -> PostgreSQLValue { .integer(Int64(clamped(limit)) + 1) }
}
