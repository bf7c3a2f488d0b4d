import FoundationEssentials
import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Cursors")
struct ListCursorTests {
  private static let organization = OrganizationID(high: 1, low: 2)
  private static let list = ListIdentity("listMembers", of: organization, parameters: [:])

  @Test("A cursor reads back the place that was written")
  func roundTrip() {
    let cursor = TimeEntryCursor(
      date: LocalDate(daysSince1970: 20_777), createdAt: Instant(millisecondsSince1970: 1_795_176_000_123),
      row: .max)
    #expect(TimeEntryCursor(text: cursor.text(in: Self.list), in: Self.list) == cursor)
    let session = SessionCursor(date: .latest, row: .max)
    #expect(SessionCursor(text: session.text(in: Self.list), in: Self.list) == session)
    let segment = SegmentCursor(startTime: .earliest, row: .max)
    #expect(SegmentCursor(text: segment.text(in: Self.list), in: Self.list) == segment)
    let row = RowCursor(row: -1)
    #expect(RowCursor(text: row.text(in: Self.list), in: Self.list) == row)
  }

  @Test(
    "Any text that the service did not write is refused",
    arguments: [
      "", "x", "MQ==", "MS4y", "KzE", "MDE", "MS4yLjM0LjU", "OTk5OTk5OTk5OTk5OTk5OTk5OTk", "é", "M Q",
    ])
  func refuses(_ text: String) {
    #expect(RowCursor(text: text, in: Self.list) == nil)
    #expect(TimeEntryCursor(text: text, in: Self.list) == nil)
    #expect(SessionCursor(text: text, in: Self.list) == nil)
    #expect(SegmentCursor(text: text, in: Self.list) == nil)
  }

  @Test(
    "Any other form of the same numbers is refused",
    arguments: [".01", ".+1", ".1.", "..1", ".1.1", "", ".", ".9223372036854775808"])
  func refusesSpellings(_ rest: String) {
    func text(_ rest: String) -> String {
      Data("\(Self.list.fingerprint)\(rest)".utf8).base64EncodedString().replacing("=", with: "")
        .replacing("+", with: "-").replacing("/", with: "_")
    }
    #expect(RowCursor(text: text(".1"), in: Self.list) == RowCursor(row: 1))
    #expect(RowCursor(text: text(".1") + "=", in: Self.list) == nil)
    #expect(RowCursor(text: text(rest), in: Self.list) == nil)
  }

  @Test("A cursor belongs to an operation, an organization and a selection, but not to a part of the list")
  func identity() {
    func list(
      _ operation: String = "listMembers", _ organization: OrganizationID = Self.organization,
      _ parameters: [String: String] = [:]
    ) -> ListIdentity { ListIdentity(operation, of: organization, parameters: parameters) }
    #expect(list("listMembers", Self.organization, ["limit": "5", "cursor": "x"]) == Self.list)
    let lists = [
      Self.list, list("listApiTokens"), list("listMembers", OrganizationID(high: 1, low: 3)),
      list("listMembers", Self.organization, ["a": "1"]), list("listMembers", Self.organization, ["a": "2"]),
      list("listMembers", Self.organization, ["b": "1"]),
      list("listMembers", Self.organization, ["a": "", "b": "1"]),
      list("listMembers", Self.organization, ["a": "b1"]),
    ]
    #expect(Set(lists).count == lists.count)
  }

  /// The text is fixed, so that a cursor stays valid after a restart of the service, and in another version.
  @Test("A cursor keeps its text")
  func text() {
    #expect(RowCursor(row: 15).text(in: Self.list) == "NDI3MjQ3NTM5NzcyNjQxMzM3My4xNQ")
  }
}
