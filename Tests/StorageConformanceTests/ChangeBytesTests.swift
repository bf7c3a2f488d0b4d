import FoundationEssentials
import StorageCalls
import Testing
import TimeclockDomain

@testable import ChangeLog

/// The bytes that stored logs hold and that their hashes were taken of: no version of the program may change them.
///
/// The digests are those of Python's hashlib, of the parts in the order of docs/decisions/0008-changes.md.
@Suite("The bytes of a change")
struct ChangeBytesTests {
  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    // Behind the sequence number and a colon.
    String(ChangeChain.head(sequence: 1, hash: bytes).dropFirst(2))
  }

  @Test("give the digest that they always gave, with and without each part")
  func digests() {
    let content = ChangeContent(before: nil, after: #"{"é":1}"#, reason: "why", salt: Array(0..<16))
    let digest = ChangeChain.digest(of: content)
    #expect(Self.hexadecimal(digest) == "d96027440a2a8a6d6bee4d8b1e6e14a09af18062e537cfb027620dec264b138b")
    let erased = ChangeContent(before: nil, after: nil, reason: nil, salt: nil)
    #expect(
      Self.hexadecimal(ChangeChain.digest(of: erased))
        == "8bf3d66ba712cb2fc0753e651db853cac9250bdb329289194ebef15af3e49778")
    let author = Author(
      means: .apiToken, userID: UserID(high: 1, low: 2), requestID: RequestID(high: 3, low: 4))
    let change = StoredChange(
      sequence: 12, kind: .created, resource: .timeEntry, resourceID: ResourceID(high: 5, low: 6),
      context: ChangeContext(author: author, operation: "clockIn", time: Instant(millisecondsSince1970: -5)),
      content: content, contentDigest: digest, hash: [])
    #expect(
      Self.hexadecimal(ChangeChain.hash(of: change, after: Array(repeating: 255, count: 32)))
        == "9125ea91ebbf4d76e135568d79f91c7933cd90ae16334bd85df1a3e3cc317450")
  }

  @Test("write numbers below zero, the greatest and the least ones, and text that JSON escapes")
  func snapshots() throws {
    let entry = TimeEntry(
      id: TimeEntryID(high: 1, low: 2), userID: UserID(high: 3, low: 4),
      organizationID: OrganizationID(high: 5, low: 6), clockInTime: Instant(millisecondsSince1970: .min),
      clockOutTime: Instant(millisecondsSince1970: .max), date: LocalDate(daysSince1970: -1),
      timeZone: try #require(TimeZoneIdentifier("America/New_York")), offsetSeconds: -18_000, sessionID: nil,
      notes: Notes(stored: "\"Café\" \\ \u{1}\u{1F}"), source: .api, flags: TimeEntryFlags(rawValue: 0),
      version: 10, createdAt: Instant(millisecondsSince1970: 0),
      updatedAt: Instant(millisecondsSince1970: 109))
    #expect(
      Snapshot.timeEntry(entry).encoded == #"""
        {"id":"00000000-0000-0001-0000-000000000002","userId":"00000000-0000-0003-0000-000000000004",\#
        "organizationID":"00000000-0000-0005-0000-000000000006","clockInTime":-9223372036854775808,\#
        "clockOutTime":9223372036854775807,"date":-1,"timeZone":"America/New_York","offsetSeconds":-18000,\#
        "notes":"\"Café\" \\ \u0001\u001f","source":"api","flags":0,"version":10,"createdAt":0,"updatedAt":109}
        """#)
  }

  @Test("write a record by its shape, the owner as everything of a member's, and nothing for what it lacks")
  func shapes() {
    let organization = OrganizationID(high: 3, low: 4)
    let times = (Instant(millisecondsSince1970: 5), Instant(millisecondsSince1970: 6))
    var breakType = BreakType(
      head: Head(
        id: BreakTypeID(high: 1, low: 2), organizationID: organization, version: 7, createdAt: times.0,
        updatedAt: times.1))
    breakType.name = "Lunch"
    breakType.isArchived = true
    let head = """
      {"id":"00000000-0000-0001-0000-000000000002","organizationID":"00000000-0000-0003-0000-000000000004"
      """
    #expect(
      breakType.snapshot.encoded == #"""
        \#(head),"name":"Lunch","isPaid":false,"archived":true,"version":7,"createdAt":5,"updatedAt":6}
        """#)
    breakType.expectedSeconds = 60
    #expect(breakType.snapshot.encoded.contains(#"false,"expectedSeconds":60,"archived":true"#))
    var project = Project(
      head: Head(
        id: ProjectID(high: 1, low: 2), organizationID: organization, version: 8, createdAt: times.0,
        updatedAt: times.1))
    project.name = "Orchard"
    project.isBillable = true
    #expect(
      project.snapshot.encoded == #"""
        \#(head),"name":"Orchard","color":"#007AFF","archived":false,"billable":true,"version":8,\#
        "createdAt":5,"updatedAt":6}
        """#)
    project.ownerID = UserID(high: 5, low: 6)
    project.client = "Valley Farm"
    #expect(
      project.snapshot.encoded == #"""
        \#(head),"userId":"00000000-0000-0005-0000-000000000006","name":"Orchard","client":"Valley Farm",\#
        "color":"#007AFF","archived":false,"billable":true,"version":8,"createdAt":5,"updatedAt":6}
        """#)
    var task = WorkTask(
      head: Head(
        id: TaskID(high: 1, low: 2), organizationID: organization, version: 9, createdAt: times.0,
        updatedAt: times.1))
    task.name = "Pick"
    #expect(
      task.snapshot.encoded == #"""
        \#(head),"name":"Pick","hidden":false,"version":9,"createdAt":5,"updatedAt":6}
        """#)
    task.ownerID = UserID(high: 5, low: 6)
    task.projectID = ProjectID(high: 7, low: 8)
    #expect(
      task.snapshot.encoded == #"""
        \#(head),"userId":"00000000-0000-0005-0000-000000000006",\#
        "projectId":"00000000-0000-0007-0000-000000000008","name":"Pick","hidden":false,"version":9,\#
        "createdAt":5,"updatedAt":6}
        """#)
  }

  @Test("write every kind of value that a shape has, and read it back")
  func kinds() throws {
    let head = """
      {"id":"00000000-0000-7001-8000-000000000002","organizationID":"00000000-0000-7003-8000-000000000004"
      """
    let tail = #""version":7,"createdAt":5,"updatedAt":6}"#
    let full = #"""
      \#(head),"userId":"00000000-0000-7005-8000-000000000006","code":"A 1","note":"For Ada","spent":true,\#
      "amount":60,"limit":600,"weights":[0,-7,86400],"share":12500,"startDate":-1,"endDate":1,"color":"red",\#
      "projectId":"00000000-0000-7007-8000-000000000008",\#(tail)
      """#
    let bare = #"""
      \#(head),"code":"A 2","spent":false,"amount":0,"weights":[],"share":0,"startDate":-25567,"color":"green",\#(tail)
      """#
    for (voucher, text) in [(Voucher.full, full), (Voucher.bare, bare)] {
      #expect(voucher.snapshot.encoded == text)
      let stored = try Voucher.snapshot(stored: Data(voucher.snapshot.encoded.utf8))
      #expect(stored == voucher.snapshot)
    }
    for wrong in ["color\":\"blue", "color\":null,\"was\":\"", "shade\":\"red"] {
      #expect(throws: DecodingError.self) {
        _ = try Voucher.snapshot(stored: Data(full.replacing("color\":\"red", with: wrong).utf8))
      }
    }
  }
}
