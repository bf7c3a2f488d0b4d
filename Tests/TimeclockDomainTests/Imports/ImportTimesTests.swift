import Testing

@testable import TimeclockDomain

@Suite("Times of imported rows")
struct ImportTimesTests {
  /// A row's clocks in Berlin, the night in which they go back from 3 to 2, and what it states.
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
      // What is not ambiguous is not judged by its length.
      Case(from: "24 22:00", to: "25 06:00", stated: 28_800, expected: ["24T20:00", "25T05:00"]),
      Case(from: "25 02:30", to: "25 04:00", expected: ["25T00:30", "25T03:00"]),
      Case(from: "25 02:30", to: "25 04:00", stated: 9_000, expected: ["25T00:30", "25T03:00"]),
      Case(from: "25 02:30", to: "25 04:00", stated: 5_400, expected: ["25T01:30", "25T03:00"]),
      Case(from: "25 01:30", to: "25 02:30", stated: 3_600, expected: ["24T23:30", "25T00:30"]),
      Case(from: "25 01:30", to: "25 02:30", stated: 7_200, expected: ["24T23:30", "25T01:30"]),
      // Both fit: the earlier.
      Case(from: "25 02:10", to: "25 02:20", stated: 600, expected: ["25T00:10", "25T00:20"]),
      Case(from: "25 02:10", to: "25 02:20", stated: 4_200, expected: ["25T00:10", "25T01:20"]),
      // Seconds are cut off where minutes are shown.
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
  @Test("are in the way of what is the same or overlaps, and of nothing else")
  func conflicts() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var set = SpanSet()
      var kept: [(Int64, Int64)] = []
      for _ in 0..<60 {
        let start = Int64.random(in: 0...100, using: &random)
        let end = start + Int64.random(in: 1...12, using: &random)
        let inTheWay = kept.filter { $0.0 < end && start < $0.1 }
        let expected: SpanSet.Conflict? =
          inTheWay.isEmpty ? nil : inTheWay.contains { $0 == (start, end) } ? .same : .overlap
        let span = (Instant(millisecondsSince1970: start), Instant(millisecondsSince1970: end))
        #expect(set.conflict(with: span.0, span.1) == expected)
        guard expected == nil else { continue }
        kept.append((start, end))
        set.insert(span.0, span.1)
      }
    }
  }
}
