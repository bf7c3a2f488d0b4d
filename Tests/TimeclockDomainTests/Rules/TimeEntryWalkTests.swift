import Testing

@testable import TimeclockDomain

@Suite("Walks through entries of which a filter leaves some out")
struct TimeEntryWalkTests {
  private typealias Row = (entry: TimeEntry, place: TimeEntryCursor)

  private static let zone = TimeZoneIdentifier("UTC")!

  /// Rows of members in turn, newest first: every `interval`th one is flagged.
  private static func rows(_ count: Int, members: Int, flaggedEvery interval: Int) -> [(user: Int, row: Row)]
  {
    (0..<count).map { number in
      let date = LocalDate(daysSince1970: 20_000 - Int32(number / 7))
      let time = Instant(millisecondsSince1970: Int64(count - number) * 1_000)
      let entry = TimeEntry(
        id: TimeEntryID(high: 1, low: UInt64(number)), userID: UserID(high: 1, low: UInt64(number % members)),
        organizationID: OrganizationID(high: 1, low: 1), clockInTime: time, clockOutTime: time, date: date,
        timeZone: zone, offsetSeconds: 0, sessionID: nil, notes: nil, source: .api,
        flags: number % interval == interval - 1 ? .autoClosed : [], version: 1, createdAt: time,
        updatedAt: time)
      let place = TimeEntryCursor(date: date, createdAt: time, row: Int64(count - number))
      return (number % members, (entry, place))
    }
  }

  /// All pages of a list that is put together of the members' rows, and how many there are.
  private static func pages(
    of rows: [(user: Int, row: Row)], _ users: [Int], _ filter: TimeEntryFilter, limit: Int
  ) -> (entries: [TimeEntry], count: Int) {
    var query = TimeEntryQuery(
      organization: OrganizationKey(1), users: users.map { UserKey(Int64($0)) },
      range: .dates(from: nil, through: nil), status: nil, session: nil, filter: filter, cursor: nil,
      limit: limit)
    var entries: [TimeEntry] = []
    var count = 0
    repeat {
      let walks = users.map { user in
        var walk = TimeEntryWalk(query, limit: limit)
        for (_, row) in rows.lazy.filter({ $0.user == user })
        where query.cursor.map({ row.place < $0 }) ?? true {
          if !walk.take(row.entry, at: row.place) { break }
        }
        return walk
      }
      let page = TimeEntryWalk.page(of: walks, limit: limit)
      entries += page.elements
      query.cursor = page.next
      count += 1
    } while query.cursor != nil && count < 10_000
    return (entries, count)
  }

  @Test("show on all pages together what the filter shows, in order")
  func wholeList() {
    let rows = Self.rows(200, members: 5, flaggedEvery: 3)
    for users in [[0], [4, 1], [0, 1, 2, 3, 4]] {
      for filter in [TimeEntryFilter(), TimeEntryFilter(flags: .autoClosed)] {
        let expected = rows.filter { users.contains($0.user) && filter.matches($0.row.entry) }.map(
          \.row.entry)
        for limit in [1, 2, 7, 200] {
          #expect(Self.pages(of: rows, users, filter, limit: limit).entries == expected, "\(users) \(limit)")
        }
      }
    }
  }

  @Test("look at a bounded number of rows for a page, and say where to continue")
  func window() {
    // The first flagged row is the last of the second window.
    let rows = Self.rows(
      2 * TimeEntryFilter.window + 10, members: 1, flaggedEvery: 2 * TimeEntryFilter.window)
    let filter = TimeEntryFilter(flags: .autoClosed)
    let (entries, count) = Self.pages(of: rows, [0], filter, limit: 10)
    #expect(entries.map(\.id) == [rows[2 * TimeEntryFilter.window - 1].row.entry.id])
    #expect(count == 3)
    // Of two members, the unread entries of one come before the entries found of the other.
    let two = Self.rows(2 * TimeEntryFilter.window + 10, members: 1, flaggedEvery: 2 * TimeEntryFilter.window)
    let late = Self.rows(2 * TimeEntryFilter.window + 20, members: 1, flaggedEvery: 1).suffix(3)
    let both = two + late.map { (user: 1, row: $0.row) }
    let expected = (two.filter { filter.matches($0.row.entry) } + late).map(\.row.place).sorted(by: >)
    let listed = Self.pages(of: both.sorted { $0.row.place > $1.row.place }, [0, 1], filter, limit: 10)
      .entries
    #expect(listed.map(\.createdAt) == expected.map(\.createdAt) && listed.count == 4)
  }
}
