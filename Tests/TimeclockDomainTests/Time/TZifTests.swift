import Testing
import TimeclockDomain

@Suite("TZif files")
struct TZifTests {
  private func readZone(_ bytes: [UInt8]) -> Zone? {
    TimeZoneIdentifier("Test/Zone").flatMap { Zone(identifier: $0, tzif: bytes) }
  }

  private func offsets(_ builder: TZifBuilder, at seconds: [Int64]) -> [Int32]? {
    readZone(builder.bytes).map { zone in
      seconds.map { zone.offsetSeconds(at: Instant(millisecondsSince1970: $0 * 1000)) }
    }
  }

  @Test("versions 1 to 4 are read", arguments: ["\0", "2", "3", "4"])
  func readsVersions(_ version: String) {
    var builder = TZifBuilder(version: version)
    builder.transitions = [(-100, 1), (100, 2)]
    builder.types = [(3600, 0, 0), (7200, 1, 0), (-1800, 0, 1)]
    let expected: [Int32] = [3600, 3600, 7200, 7200, -1800, -1800]
    #expect(offsets(builder, at: [-9_000_000_000, -101, -100, 99, 100, 9_000_000_000]) == expected)
  }

  @Test("before the first transition type 0 holds, though it be daylight saving time")
  func usesTypeZeroFirst() {
    let builder = TZifBuilder(transitions: [(0, 1)], types: [(7200, 1, 0), (3600, 0, 0)])
    #expect(offsets(builder, at: [-1, 0]) == [7200, 3600])
  }

  @Test("after the last transition the footer holds, and without transitions always")
  func usesFooterLast() {
    var builder = TZifBuilder(transitions: [(0, 0)], footer: "\nXXX-2\n")
    #expect(offsets(builder, at: [-1, 0, 1]) == [3600, 7200, 7200])
    builder.transitions = []
    #expect(offsets(builder, at: [-9_000_000_000, 0]) == [7200, 7200])
  }

  @Test("an instant within a second belongs to that second, before 1970 too")
  func cutsToSeconds() throws {
    let builder = TZifBuilder(transitions: [(-10, 1)], types: [(0, 0, 0), (60, 0, 0)])
    let zone = try #require(readZone(builder.bytes))
    #expect(zone.offsetSeconds(at: Instant(millisecondsSince1970: -10_001)) == 0)
    #expect(zone.offsetSeconds(at: Instant(millisecondsSince1970: -10_000)) == 60)
    #expect(zone.offsetSeconds(at: Instant(millisecondsSince1970: -9_999)) == 60)
  }

  static let unsound: [(String, TZifBuilder)] = [
    ("another magic number", TZifBuilder(magic: "TZIF")),
    ("version 5", TZifBuilder(version: "5")),
    ("version 1 as a digit", TZifBuilder(version: "1")),
    ("no type", TZifBuilder(types: [])),
    ("no designation", TZifBuilder(designations: "")),
    ("leap seconds", TZifBuilder(leapSeconds: [(78_796_800, 1)])),
    ("times that do not ascend", TZifBuilder(transitions: [(5, 0), (5, 0)])),
    ("times that descend", TZifBuilder(transitions: [(5, 0), (4, 0)])),
    ("a type that is not listed", TZifBuilder(transitions: [(5, 1)])),
    ("an offset of 26 hours", TZifBuilder(types: [(93_600, 0, 0)])),
    ("an offset of -25 hours", TZifBuilder(types: [(-90_000, 0, 0)])),
    ("the least offset a number can be", TZifBuilder(types: [(.min, 0, 0)])),
    ("daylight saving time neither yes nor no", TZifBuilder(types: [(0, 2, 0)])),
    ("a designation that is not there", TZifBuilder(types: [(0, 0, 4)])),
    ("no footer", TZifBuilder(footer: "")),
    ("half a footer", TZifBuilder(footer: "\nXXX-2")),
    ("a footer that does not start on its line", TZifBuilder(footer: "XXX-2\n")),
  ]

  @Test("a change that comes later than any instant never comes", arguments: [1 << 54, 1 << 61, Int64.max])
  func changesBeyondInstants(_ seconds: Int64) throws {
    let builder = TZifBuilder(transitions: [(seconds, 1)], types: [(0, 0, 0), (3600, 0, 0)])
    let zone = try #require(readZone(builder.bytes))
    let date = try #require(LocalDate(iso8601: "2026-11-20"))
    #expect(zone.dayStretches(from: date, through: date).map(\.date) == [date])
    #expect(zone.startOfDay(.latest).rfc3339 == "9999-12-31T00:00:00.000Z")
  }

  @Test("unsound files are refused", arguments: unsound.indices)
  func refuses(_ index: Int) {
    let (name, builder) = Self.unsound[index]
    #expect(readZone(builder.bytes) == nil, "\(name)")
  }

  @Test("greatest and least offsets are taken")
  func takesExtremeOffsets() {
    let builder = TZifBuilder(transitions: [(0, 1)], types: [(-89_999, 0, 0), (93_599, 0, 0)])
    #expect(offsets(builder, at: [-1, 0]) == [-89_999, 93_599])
  }

  @Test("counts far beyond the file are refused")
  func refusesHugeCounts() {
    for position in 20..<44 {
      var bytes = TZifBuilder(transitions: [(0, 0)]).bytes
      bytes[position] = 0xFF
      #expect(readZone(bytes) == nil)
    }
  }

  @Test("files of the system that count leap seconds are refused")
  func refusesLeapSeconds() {
    let bytes = SystemZones.bytes("right/Europe/Berlin")
    #expect(!bytes.isEmpty)
    #expect(readZone(bytes) == nil)
  }

  private static let fuzzed = [
    "Europe/Berlin", "America/New_York", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia",
    "America/Nuuk", "Australia/Lord_Howe", "Asia/Gaza", "Etc/UTC",
  ]

  @Test("a file cut short anywhere is refused", arguments: fuzzed)
  func refusesTruncation(_ name: String) {
    let bytes = SystemZones.bytes(name)
    #expect(readZone(bytes) != nil)
    let accepted = bytes.indices.filter { readZone(Array(bytes.prefix($0))) != nil }
    #expect(accepted.isEmpty)
  }

  @Test("a file changed at random is read or refused, and answers within bounds", arguments: fuzzed)
  func survivesChangedBytes(_ name: String) {
    let original = SystemZones.bytes(name)
    var random = SeededRandom(seed: 3)
    var readCount = 0
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let zone = readZone(bytes) else { continue }
      readCount += 1
      if !isWithinBounds(zone, random: &random) { Issue.record("seed 3, \(name)") }
    }
    #expect(readCount < 300)
  }

  @Test("a file with a changed footer is read or refused, and answers within bounds")
  func survivesChangedFooters() {
    var random = SeededRandom(seed: 4)
    let alphabet = Array("09<>,./:+-MJA1536\n".utf8)
    for _ in 0..<5000 {
      var footer = Array("\n<+03>-3<+04>,M3.5.0/-167:30,J365/167\n".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 1..<footer.count, using: &random)
        footer[position] = alphabet.randomElement(using: &random) ?? 0
      }
      let text = String(decoding: footer, as: UTF8.self)
      guard let zone = readZone(TZifBuilder(version: "3", footer: text).bytes) else { continue }
      if !isWithinBounds(zone, random: &random) { Issue.record("\(text)") }
    }
  }

  private func isWithinBounds(_ zone: Zone, random: inout SeededRandom) -> Bool {
    let any = Instant(millisecondsSince1970: Int64.random(in: .min ... .max, using: &random))
    let likely = Int64.random(in: -2_208_988_800_000...4_102_444_800_000, using: &random)
    let instants = [
      Instant(millisecondsSince1970: .min), .earliest, Instant(millisecondsSince1970: likely), any, .latest,
      Instant(millisecondsSince1970: .max),
    ]
    return instants.allSatisfy { instant in
      let start = zone.startOfDay(zone.localDate(at: instant))
      let offset = zone.offsetSeconds(at: instant)
      return abs(offset) <= 93_599 && start <= max(instant, .latest)
    }
  }
}
