import Procedures
import TimeclockDomain

/// The number of rows that a list asks for.
enum PageLimit {
  /// The number that a caller asked for, limited to a page that fits in memory.
  static func clamped(_ limit: Int) -> Int { PageSize.clamped(limit) }

  /// The number of rows that the list may have.
  static func count(_ limit: Int) -> SQLiteValue { .integer(Int64(clamped(limit))) }

  /// One row more than the page has, to see whether there is a next page.
  static func rows(_ limit: Int) -> SQLiteValue { .integer(Int64(clamped(limit)) + 1) }
}
