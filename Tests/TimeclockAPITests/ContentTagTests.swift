import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Tags of content")
struct ContentTagTests {
  private func tag(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(write)
    return writer.entityTag
  }

  private func tag(_ pieces: [UInt8]...) -> String {
    var tag = ContentTag()
    for piece in pieces { piece.withUnsafeBytes { tag.add($0) } }
    return tag.text
  }

  @Test("One content has one tag, in every process and release")
  func isStable() {
    #expect(tag(Array("{\"a\":1}".utf8)) == "W/\"7c4560da58087c0e898473f1c7d8e9b3\"")
    #expect(tag(Array(0..<100)) == tag(Array(0..<100)))
  }

  @Test("Every bit, the length and the ends of pieces make another tag")
  func differs() {
    let content = (0..<67).map { UInt8($0) }
    var seen: Set = [tag(content), tag([], content), tag(content, []), tag([]), tag([0]), tag([0, 0])]
    #expect(seen.count == 6)
    for length in 0..<content.count {
      #expect(seen.insert(tag(Array(content[..<length]), Array(content[length...]))).inserted == (length > 0))
      seen.insert(tag(Array(content[..<length])))
      for bit in 0..<8 {
        var other = content
        other[length] ^= 1 << UInt8(bit)
        #expect(seen.insert(tag(other)).inserted, "bit \(bit) of byte \(length)")
      }
    }
  }

  @Test("What runs with the time is in no tag, and all else is")
  func running() {
    func state(_ seconds: Int64, _ name: String = "Ana", runs: Bool = true, at now: Int64 = 0) -> String {
      tag { writer in
        writer.member("name", name)
        writer.member("seconds", seconds, runs: runs)
        writer.member("serverTime", now: Instant(millisecondsSince1970: now))
        writer.member("end", true)
      }
    }
    #expect(state(9) == state(10) && state(9) == state(9, at: 1_000))
    #expect(state(9) != state(9, "Anna") && state(9) != state(9, runs: false))
    #expect(state(9, runs: false) != state(10, runs: false))
  }

  @Test("An entry that runs has one tag until it is changed or ends")
  func runningEntry() throws {
    let begin = try #require(Instant(rfc3339: "2026-11-20T09:00:00Z"))
    func tag(end: Int64? = nil, version: Int64 = 1, after seconds: Int64) throws -> String {
      let entry = TimeEntry(
        id: TimeEntryID(high: 1, low: 1), userID: UserID(high: 1, low: 2),
        organizationID: OrganizationID(high: 1, low: 3), clockInTime: begin,
        clockOutTime: end.map { begin.adding(milliseconds: $0 * 1_000) },
        date: try #require(LocalDate(iso8601: "2026-11-20")),
        timeZone: try #require(TimeZoneIdentifier("UTC")),
        offsetSeconds: 0, sessionID: nil, notes: nil, source: .api, flags: [], version: version,
        createdAt: begin, updatedAt: begin)
      return self.tag { writer in
        writer.array("timeEntries", [entry]) {
          $1.write(to: &$0, at: begin.adding(milliseconds: seconds * 1_000))
        }
      }
    }
    #expect(try tag(after: 5) == tag(after: 86_000))
    #expect(try tag(after: 5) != tag(version: 2, after: 5))
    #expect(try tag(end: 5, after: 5) != tag(after: 5))
    #expect(try tag(end: 5, after: 9) != tag(end: 6, after: 9))
    #expect(try tag(end: 5, after: 9) == tag(end: 5, after: 10))
  }
}
