import Testing

@testable import TimeclockDomain

@Suite("Sessions")
struct SessionRuleTests {
  private static let longest = String(repeating: "é", count: 200)
  private static let refused = [
    longest + "x", "a\nb", "a\tb", "a\0b", "a\u{7F}b", "a\u{202E}b", "a\u{2066}b",
  ]

  @Test("a title is trimmed", arguments: [("a", "a"), (" Küche <5>\n", "Küche <5>"), (longest, longest)])
  func titles(_ sent: String, _ kept: String) throws {
    #expect(try SessionText.title(sent) == kept)
  }

  @Test("a title that is empty, too long or more than a line is refused", arguments: ["", " \n\t"] + refused)
  func refusesTitles(_ sent: String) {
    #expect(throws: TimeclockError.invalidTitle) { try SessionText.title(sent) }
  }

  @Test(
    "a location is trimmed, and none when nothing is left",
    arguments: [(" Hall 3 ", "Hall 3"), (longest, longest), ("", nil), (" \n\t", nil)])
  func locations(_ sent: String, _ kept: String?) throws {
    #expect(try SessionText.location(sent) == kept)
  }

  @Test("a location that is too long or more than a line is refused", arguments: refused)
  func refusesLocations(_ sent: String) {
    #expect(throws: TimeclockError.invalidLocation) { try SessionText.location(sent) }
  }

  @Test(
    "the end is after the start if there are both",
    arguments: [
      (nil, nil, true), (5, nil, true), (nil, 5, true), (5, 6, true), (5, 5, false), (6, 5, false),
    ])
  func order(_ start: Int64?, _ end: Int64?, _ isInOrder: Bool) {
    var session = Self.session([])
    session.startTime = start.map(Instant.init(millisecondsSince1970:))
    session.endTime = end.map(Instant.init(millisecondsSince1970:))
    if isInOrder {
      #expect(throws: Never.self) { try session.requireOrder() }
    } else {
      #expect(throws: TimeclockError.endNotAfterStart) { try session.requireOrder() }
    }
  }

  @Test("assignees are each there once, in the order of their ids")
  func assignees() {
    let ids = [UserID(high: 2, low: 0), UserID(high: 1, low: 9), UserID(high: 1, low: 3)]
    var session = Self.session(ids + ids)
    #expect(session.assigneeIDs == ids.reversed())
    session.assigneeIDs = [ids[0], ids[2], ids[0]]
    #expect(session.assigneeIDs == [ids[2], ids[0]])
    let shown = SessionDetails(
      session,
      assignees: ids.prefix(1).map { SessionAssignee(userID: $0, name: "A") }
        + ids.suffix(1).map { SessionAssignee(userID: $0, name: "B") })
    #expect(shown.assignees.map(\.name) == ["B", "A"])
  }

  @Test("an entry that loses its session is a new version of the same")
  func detached() {
    let entry = TimeEntry(
      id: TimeEntryID(high: 1, low: 1), userID: UserID(high: 1, low: 2),
      organizationID: OrganizationID(high: 1, low: 3), clockInTime: Instant(millisecondsSince1970: 1),
      clockOutTime: nil, date: LocalDate(daysSince1970: 0), timeZone: TimeZoneIdentifier("UTC")!,
      offsetSeconds: 0, sessionID: SessionID(high: 1, low: 4), notes: nil, source: .api, flags: [],
      version: 4,
      createdAt: Instant(millisecondsSince1970: 1), updatedAt: Instant(millisecondsSince1970: 2))
    var expected = entry
    expected.sessionID = nil
    expected.version = 5
    expected.updatedAt = Instant(millisecondsSince1970: 9)
    #expect(entry.detached(at: Instant(millisecondsSince1970: 9)) == expected)
  }

  private static func session(_ assignees: [UserID]) -> Session {
    Session(
      id: SessionID(high: 1, low: 1), organizationID: OrganizationID(high: 1, low: 2),
      date: LocalDate(daysSince1970: 0), title: "x", startTime: nil, endTime: nil, location: nil,
      assigneeIDs: assignees, version: 1, createdAt: Instant(millisecondsSince1970: 0),
      updatedAt: Instant(millisecondsSince1970: 0))
  }
}
