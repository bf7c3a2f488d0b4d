import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Pieces of JSON of a likely length")
struct JSONTextTests {
  private func text(likely length: Int = 200, _ write: (inout JSONText) -> Void) -> String {
    var writer = JSONWriter()
    writer.text(likely: length, write)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(
    "Numbers are written in decimal",
    arguments: [
      (0, "0"), (9, "9"), (10, "10"), (57_600, "57600"), (999_999, "999999"), (1_000_000, "1000000"),
      (.max, "9223372036854775807"),
    ] as [(Int64, String)])
  func numbers(_ number: Int64, _ expected: String) {
    #expect(text { $0.integer(number) } == expected)
  }

  @Test("Ids, instants, dates and texts are written in quotes, and missing ones as null")
  func values() throws {
    let id = UserID(high: 0x019A_A0F1_0000_7000, low: 0x8000_0000_0000_00FE)
    let instant = try #require(Instant(rfc3339: "2026-11-20T09:00:00.123Z"))
    let date = try #require(LocalDate(iso8601: "2024-02-29"))
    let none: UserID? = nil
    let written = text { text in
      text.literal("[")
      text.identifier(id)
      text.literal(",")
      text.identifier(none)
      text.literal(",")
      text.instant(instant)
      text.literal(",")
      text.instant(nil)
      text.literal(",")
      text.date(date)
      text.literal(",")
      text.plain("Europe/Berlin")
      text.literal(",")
      text.plain("")
      text.literal("]")
    }
    #expect(
      written == """
        ["019aa0f1-0000-7000-8000-0000000000fe",null,"2026-11-20T09:00:00.123Z",null,"2024-02-29","Europe/Berlin",""]
        """)
  }

  /// Each length is too short at another place: within a text, before a quote, between two pieces, everywhere.
  @Test("A piece is complete however much longer than likely it is", arguments: 0...120)
  func longer(_ length: Int) throws {
    let id = UserID(high: 0x019A_A0F1_0000_7000, low: 0x8000_0000_0000_00FE)
    let instant = try #require(Instant(rfc3339: "2026-11-20T09:00:00.123Z"))
    let written = text(likely: length) { text in
      text.literal("[")
      text.identifier(id)
      text.literal(",")
      text.instant(instant)
      text.literal(",")
      text.integer(57_600)
      text.literal(",")
      text.plain("America/Argentina/ComodRivadavia")
      text.literal("]")
    }
    #expect(
      written == """
        ["019aa0f1-0000-7000-8000-0000000000fe","2026-11-20T09:00:00.123Z",57600,"America/Argentina/ComodRivadavia"]
        """)
  }

  @Test(
    "An entry is written correctly with any flags and notes", arguments: [0, 1, 4, 7, 8] as [Int64],
    ["", "a \"b\"\n\\ é", nil])
  func entries(_ flags: Int64, _ notes: String?) throws {
    let zone = try #require(TimeZoneIdentifier("America/Argentina/ComodRivadavia"))
    let entry = TimeEntry(
      id: TimeEntryID(high: 1, low: 2), userID: UserID(high: 3, low: 4),
      organizationID: OrganizationID(high: 5, low: 6),
      clockInTime: Instant(millisecondsSince1970: 0), clockOutTime: Instant(millisecondsSince1970: 61_999),
      date: LocalDate(daysSince1970: 0), timeZone: zone, offsetSeconds: 0,
      sessionID: SessionID(high: 7, low: 8),
      notes: notes.map(Notes.init(stored:)), source: .import, flags: TimeEntryFlags(rawValue: flags),
      version: 1,
      createdAt: Instant(millisecondsSince1970: 1), updatedAt: Instant(millisecondsSince1970: 2))
    let value = try JSONParser.parse(entry.payload(at: .latest))
    guard case .object(let members) = value else {
      Issue.record("no object")
      return
    }
    #expect(
      members.map(\.name) == [
        "id", "userId", "organizationID", "clockInTime", "clockOutTime", "date", "status", "sessionId",
        "notes",
        "createdAt", "updatedAt", "timeZone", "durationSeconds", "source", "flags",
        "startedBy", "version",
      ])
    #expect(members.first { $0.name == "notes" }?.value == notes.map(JSONValue.string) ?? .null)
    let names = TimeEntryFlags.names.filter { entry.flags.contains($0.flag) }.map {
      JSONValue.string($0.name)
    }
    #expect(members.first { $0.name == "flags" }?.value == .array(names))
    #expect(members.first { $0.name == "durationSeconds" }?.value == .integer(61))
  }
}
