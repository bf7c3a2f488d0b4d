import Testing

@testable import TimeclockDomain

@Suite("Times of imported rows")
struct ImportTimesTests {
  /// A row's clocks in Berlin, the night in which they go back from 3 to 2, and its statements.
  struct Case: CustomTestStringConvertible, Sendable {
    var from: String
    var to: String
    var stated: Int64?
    /// The two in UTC, or the code of the refusal.
    var expected: [String]
    var testDescription: String { "\(from) to \(to), \(stated.map(String.init) ?? "-")" }
  }

  @Test(
    "are those by which the entry is as long as it should be, else the earlier ones",
    arguments: [
      // The shift through the night has nine hours.
      Case(from: "24 22:00", to: "25 06:00", expected: ["24T20:00", "25T05:00"]),
      Case(from: "24 22:00", to: "25 06:00", stated: 32_400, expected: ["24T20:00", "25T05:00"]),
      // Nor is it paid for an hour more than it says.
      Case(from: "24 22:00", to: "25 06:00", stated: 28_800, expected: ["duration_mismatch"]),
      Case(from: "25 02:30", to: "25 04:00", expected: ["25T00:30", "25T03:00"]),
      Case(from: "25 02:30", to: "25 04:00", stated: 9_000, expected: ["25T00:30", "25T03:00"]),
      Case(from: "25 02:30", to: "25 04:00", stated: 5_400, expected: ["25T01:30", "25T03:00"]),
      Case(from: "25 01:30", to: "25 02:30", stated: 3_600, expected: ["24T23:30", "25T00:30"]),
      Case(from: "25 01:30", to: "25 02:30", stated: 7_200, expected: ["24T23:30", "25T01:30"]),
      // Both fit: the earlier.
      Case(from: "25 02:10", to: "25 02:20", stated: 600, expected: ["25T00:10", "25T00:20"]),
      Case(from: "25 02:10", to: "25 02:20", stated: 4_200, expected: ["25T00:10", "25T01:20"]),
      // Seconds are cut off if minutes are shown.
      Case(from: "25 02:10", to: "25 02:20", stated: 4_259, expected: ["25T00:10", "25T01:20"]),
      Case(from: "25 02:10", to: "25 02:20", stated: 4_260, expected: ["time_ambiguous"]),
      Case(from: "25 02:40", to: "25 02:20", expected: ["25T00:40", "25T01:20"]),
      Case(from: "25 02:40", to: "25 02:20", stated: 60, expected: ["time_ambiguous"]),
      // The night in which they go forward.
      Case(from: "-29 02:30", to: "-29 05:00", stated: 5_400, expected: ["time_skipped"]),
      Case(from: "-29 01:30", to: "-29 03:00", stated: 1_800, expected: ["-29T00:30", "-29T01:00"]),
    ])
  func readings(_ example: Case) throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let row = ImportRow(
      person: .unstated, clockIn: .local(try Self.local(example.from)),
      clockOut: .time(.local(try Self.local(example.to))), statedSeconds: example.stated)
    do {
      let times = try ImportTimes(of: row, in: berlin)
      let expected = example.expected.map { text in
        text.hasPrefix("-") ? "2026-03\(text):00.000Z" : "2026-10-\(text):00.000Z"
      }
      #expect([times.clockIn.rfc3339, times.clockOut.rfc3339] == expected)
    } catch let refusal as ImportRefusal {
      #expect([refusal.code] == example.expected)
    }
  }

  @Test(
    "up to a time of day are on the date of the start, in either reading, and only then on a later one",
    arguments: [
      // The repeated hour: forty-five minutes, in whichever way they lie.
      Case(from: "25 02:30", to: "02:15", stated: 2_700, expected: ["25T00:30", "25T01:15"]),
      Case(from: "25 02:30", to: "02:15", expected: ["25T00:30", "25T01:15"]),
      // Exactly a day less than a quarter of an hour, and an hour more of it: nothing else is so long.
      Case(from: "25 02:30", to: "02:15", stated: 85_500, expected: ["25T01:30", "26T01:15"]),
      Case(from: "25 02:30", to: "02:15", stated: 89_100, expected: ["25T00:30", "26T01:15"]),
      Case(from: "25 02:30", to: "02:15", stated: 1_800, expected: ["time_ambiguous"]),
      Case(from: "25 02:15", to: "02:30", stated: 900, expected: ["25T00:15", "25T00:30"]),
      Case(from: "25 02:15", to: "02:30", stated: 4_500, expected: ["25T00:15", "25T01:30"]),
      Case(from: "25 02:15", to: "02:15", stated: 3_600, expected: ["25T00:15", "25T01:15"]),
      Case(from: "25 01:30", to: "02:15", stated: 6_300, expected: ["24T23:30", "25T01:15"]),
      Case(from: "25 02:45", to: "03:15", stated: 1_800, expected: ["25T01:45", "25T02:15"]),
      Case(from: "25 02:45", to: "03:15", stated: 5_400, expected: ["25T00:45", "25T02:15"]),
      // Any other night.
      Case(from: "20 22:00", to: "06:00", expected: ["20T20:00", "21T04:00"]),
      Case(from: "20 22:00", to: "06:00", stated: 28_800, expected: ["20T20:00", "21T04:00"]),
      Case(from: "20 22:00", to: "06:00", stated: 115_200, expected: ["20T20:00", "22T04:00"]),
      Case(from: "20 10:00", to: "11:00", stated: 90_000, expected: ["20T08:00", "21T09:00"]),
      Case(from: "20 10:00", to: "10:00", stated: 0, expected: ["20T08:00", "20T08:00"]),
      Case(from: "20 10:00", to: "10:00", expected: ["20T08:00", "20T08:00"]),
      Case(from: "24 22:00", to: "06:00", stated: 32_400, expected: ["24T20:00", "25T05:00"]),
      Case(from: "-28 22:00", to: "02:30", expected: ["time_skipped"]),
      Case(from: "-29 01:00", to: "02:30", expected: ["time_skipped"]),
    ])
  func timesOfDay(_ example: Case) throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let start = try Self.local(example.from)
    let end = try Self.local("01 \(example.to)").millisecondOfDay
    let row = ImportRow(
      person: .unstated, clockIn: .local(start),
      clockOut: .clock(millisecondOfDay: end, startDate: start.date), statedSeconds: example.stated)
    do {
      let times = try ImportTimes(of: row, in: berlin)
      #expect(
        [times.clockIn.rfc3339, times.clockOut.rfc3339]
          == example.expected.map { "2026-10-\($0):00.000Z" })
    } catch let refusal as ImportRefusal {
      #expect([refusal.code] == example.expected)
    }
  }

  /// A row's statements about its length from nine on, in minutes, and the outcome.
  struct Length: CustomTestStringConvertible, Sendable {
    var end: Int64
    var stated: Int64?
    var rest: Int64?
    /// The minutes of the entry if the length counts, or the code of the refusal; of the refusal without that setting.
    var kept: Int64?
    var refused: String?
    var testDescription: String { "\(end), \(stated ?? -1), \(rest ?? -1)" }
  }

  @Test(
    "are no longer than the row says, but for what is cut to minutes",
    arguments: [
      Length(end: 480, kept: 480), Length(end: 480, stated: 480, kept: 480),
      Length(end: 480, stated: 478, kept: 480),
      Length(end: 480, stated: 477, kept: 477, refused: "duration_mismatch"),
      Length(end: 480, stated: 450, kept: 450, refused: "duration_mismatch"),
      Length(end: 480, stated: 0, kept: 0, refused: "duration_mismatch"),
      // Longer than the times: they count, which is less.
      Length(end: 480, stated: 540, kept: 480),
      // A break without a time, with a length that has it in it or not, or that is shorter still.
      Length(end: 540, rest: 45, kept: 495, refused: "break_unplaced"),
      Length(end: 540, stated: 495, rest: 45, kept: 495, refused: "break_unplaced"),
      Length(end: 540, stated: 540, rest: 45, kept: 495, refused: "break_unplaced"),
      Length(end: 540, stated: 400, rest: 45, kept: 400, refused: "break_unplaced"),
      Length(end: 540, rest: 600, kept: -60, refused: "break_unplaced"),
      Length(end: 540, rest: 1, kept: 539, refused: "break_unplaced"),
    ])
  func statedLengths(_ example: Length) throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let start = try Self.local("20 09:00")
    let end = LocalTime(date: start.date, millisecondOfDay: start.millisecondOfDay + example.end * 60_000)
    let ends: [ImportEnd] = [
      .time(.local(end)), .clock(millisecondOfDay: end.millisecondOfDay, startDate: start.date),
    ]
    for clockOut in ends {
      let row = ImportRow(
        person: .unstated, clockIn: .local(start), clockOut: clockOut,
        statedSeconds: example.stated.map { $0 * 60 }, breakSeconds: example.rest.map { $0 * 60 })
      let kept = try ImportTimes(of: row, in: berlin, takesLength: true)
      #expect(kept.clockOut.milliseconds(since: kept.clockIn) == (example.kept ?? 0) * 60_000)
      #expect(kept.isShortened == (example.refused != nil))
      do {
        let times = try ImportTimes(of: row, in: berlin, .flags)
        #expect(example.refused == nil && times == kept)
      } catch let refusal as ImportRefusal {
        #expect(refusal.code == example.refused)
        #expect(refusal.detail.contains("--length-from-duration"))
      }
    }
  }

  @Test("A length too short is reported with both numbers, and one with a break and no end is refused")
  func lengthWords() throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let start = try Self.local("20 09:00")
    var row = ImportRow(
      person: .unstated, clockIn: .local(start), clockOut: .time(.local(try Self.local("20 17:00"))),
      statedSeconds: 27_005)
    let refusal = #expect(throws: ImportRefusal.self) { try ImportTimes(of: row, in: berlin) }
    #expect(refusal?.detail.contains("7:30:05") == true && refusal?.detail.contains("8:00:00") == true)
    #expect(refusal?.detail.contains("lengthFromDuration") == true)
    row.clockOut = .after(seconds: 27_000)
    row.breakSeconds = 1_800
    for takesLength in [true, false] {
      let unended = #expect(throws: ImportRefusal.self) {
        try ImportTimes(of: row, in: berlin, takesLength: takesLength)
      }
      #expect(unended?.code == "break_unplaced" && unended?.detail.contains("no end") == true)
    }
  }

  @Test(
    "of a row with a length instead of an end are that long from the earlier reading of its start on",
    arguments: [
      ("24 22:00", 32_400, "24T20:00", "25T05:00"), ("25 02:30", 5_400, "25T00:30", "25T02:00"),
    ] as [(String, Int64, String, String)])
  func lengths(_ from: String, _ seconds: Int64, _ start: String, _ end: String) throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let row = ImportRow(
      person: .unstated, clockIn: .local(try Self.local(from)), clockOut: .after(seconds: seconds),
      statedSeconds: seconds)
    let times = try ImportTimes(of: row, in: berlin)
    #expect(
      [times.clockIn.rfc3339, times.clockOut.rfc3339] == [start, end].map { "2026-10-\($0):00.000Z" })
  }

  @Test(
    "The hours of a day one behind the other are as long as they are stated when clocks change between them")
  func stackedHours() throws {
    let berlin = try #require(SystemZones.zone("Europe/Berlin"))
    let midnight = try Self.local("25 00:00")
    let parts: [(Int64, Int64)] = [(0, 7_200), (7_200, 7_200)]
    let times = try parts.map { before, seconds in
      let row = ImportRow(
        person: .unstated, clockIn: .elapsed(seconds: before, since: midnight),
        clockOut: .after(seconds: seconds))
      return try ImportTimes(of: row, in: berlin)
    }
    #expect(times.map(\.clockIn.rfc3339) == ["2026-10-24T22:00:00.000Z", "2026-10-25T00:00:00.000Z"])
    #expect(times.map(\.clockOut.rfc3339) == ["2026-10-25T00:00:00.000Z", "2026-10-25T02:00:00.000Z"])
  }

  /// `25 02:30` in October, `-29 02:30` in March.
  private static func local(_ text: String) throws -> LocalTime {
    let month = text.hasPrefix("-") ? "03" : "10"
    let parts = text.drop { $0 == "-" }.split(whereSeparator: { $0 == " " || $0 == ":" })
    let minutes = try #require(Int64(parts[1])) * 60 + #require(Int64(parts[2]))
    return LocalTime(
      date: try #require(LocalDate(iso8601: "2026-\(month)-\(parts[0])")), millisecondOfDay: minutes * 60_000)
  }
}

@Suite("Spans that a trial has judged to be free")
struct SpanSetTests {
  @Test("are in the way of what overlaps, and of nothing else")
  func conflicts() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var set = SpanSet()
      var kept: [(Int64, Int64)] = []
      for _ in 0..<60 {
        let start = Int64.random(in: 0...100, using: &random)
        let end = start + Int64.random(in: 1...12, using: &random)
        let expected = kept.contains { $0.0 < end && start < $0.1 }
        let span = (Instant(millisecondsSince1970: start), Instant(millisecondsSince1970: end))
        #expect(set.overlaps(span.0, span.1) == expected)
        guard !expected else { continue }
        kept.append((start, end))
        set.insert(span.0, span.1)
      }
    }
  }
}
