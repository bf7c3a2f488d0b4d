import Testing

@testable import TimeclockDomain

@Suite("Punches that wait")
struct WaitingPunchesTests {
  @Test("are kept and read as they were, whatever stands in their texts")
  func comeBack() throws {
    let id = try #require(PunchID("019aa0f2-3c00-7a10-8b20-000000000001"))
    let known = "019aa0f2-3c00-7a10-8b20-0000000000ab"
    let texts = [nil, "", "-", "3:abc", "\u{0}", "12:", "Zoë 🌻\n-", String(repeating: "9:", count: 300)]
    try #require(ProjectID(known) != nil)
    var waiting = WaitingPunches(number: 41)
    for (place, text) in texts.enumerated() {
      for kind in Punch.Kind.allCases {
        let purpose = SegmentPurpose(
          projectID: place % 2 == 0 ? ProjectID(known) : nil,
          taskID: place % 3 == 0 ? TaskID(known) : nil,
          breakTypeID: place % 5 == 0 ? BreakTypeID(known) : nil)
        waiting.punches.append(
          WaitingPunches.One(
            punch: Punch(
              id: id, kind: kind, time: Instant(millisecondsSince1970: Int64(place) - 3), timeZone: text,
              sessionID: place % 2 == 1 ? SessionID(known) : nil, notes: text, purpose: purpose,
              name: text), isOpening: place % 2 == 0))
      }
    }
    let read = WaitingPunches(waiting.bytes)
    #expect(read.number == 41)
    #expect(read.punches == waiting.punches)
  }

  @Test(
    "are none if the bytes are nothing of the kind",
    arguments: ["", "x", "5:abc", "1:7-", "1:", "-1:a", "1:74:ab"])
  func areNone(_ text: String) {
    #expect(WaitingPunches(Array(text.utf8)).punches.isEmpty)
  }
}
