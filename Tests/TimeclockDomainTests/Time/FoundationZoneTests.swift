import Foundation
import Testing
import TimeclockDomain

/// Foundation brings its own zone data, which ICU compiles from its own version of the tz database. Python,
/// which reads the files that we read, agrees with us at each place where Foundation does not; so the
/// differences are of data, and the ranges here say where the data are the same:
/// - zones of `zone1970.tab`: from 1900;
/// - other zones: from 1970, as Debian builds with `backzone`, the history before 1970 of zones that ICU has
///   as aliases (Europe/Oslo of Europe/Berlin, say);
/// - WET and EET: from 1997, since the tz database made them aliases of Europe/Lisbon and Europe/Athens in
///   2024 and Debian keeps their own rules;
/// - from 2025 on a few zones may differ, since governments change their minds between two versions.
@Suite("Zones and Foundation's TimeZone")
struct FoundationZoneTests {
  @Test("every zone of zone1970.tab has Foundation's offset around every change since 1900")
  func agreesOnTabulatedZones() throws {
    #expect(SystemZones.tabulatedNames.count > 300)
    try compare(SystemZones.tabulatedNames, from: Self.start1900)
  }

  @Test("every other zone has Foundation's offset around every change since 1970")
  func agreesOnOtherZones() throws {
    let others = Set(SystemZones.names).subtracting(SystemZones.tabulatedNames + ["WET", "EET"]).sorted()
    #expect(others.count > 200)
    try compare(others, from: 0)
    try compare(["WET", "EET"], from: Self.start1997)
  }

  private static let start1900: Int64 = -2_208_988_800
  private static let start1997: Int64 = 852_076_800
  private static let start2025: Int64 = 1_735_689_600
  private static let start2101: Int64 = 4_133_980_800

  private func compare(_ names: [String], from start: Int64) throws {
    var comparisons = 0
    var zonesThatDifferSince2025: Set<String> = []
    for name in names {
      let zone = try #require(SystemZones.zone(name))
      let reference = try #require(TimeZone(identifier: name))
      for seconds in instants(of: reference, from: start) {
        comparisons += 1
        let offset = Int(zone.offsetSeconds(at: Instant(millisecondsSince1970: seconds * 1000)))
        let expected = reference.offset(at: seconds)
        if offset == expected { continue }
        if seconds >= Self.start2025 {
          zonesThatDifferSince2025.insert(name)
        } else {
          Issue.record("\(name) at \(seconds): \(offset), but \(expected) in Foundation")
        }
      }
    }
    #expect(comparisons > 200 * names.count)
    #expect(zonesThatDifferSince2025.count <= names.count / 50, "\(zonesThatDifferSince2025.sorted())")
  }

  /// Every 25 days, and one second before, at and after each change found between two of those.
  private func instants(of reference: TimeZone, from start: Int64) -> [Int64] {
    let step: Int64 = 25 * 86_400
    var instants: [Int64] = []
    var before = reference.offset(at: start)
    for seconds in stride(from: start, to: Self.start2101, by: Int64.Stride(step)) {
      let after = reference.offset(at: seconds + step)
      instants.append(seconds)
      if after != before {
        let change = firstChange(of: reference, from: seconds, to: seconds + step)
        instants += [change - 1, change, change + 1].filter { $0 >= start }
      }
      before = after
    }
    return instants
  }

  private func firstChange(of reference: TimeZone, from start: Int64, to end: Int64) -> Int64 {
    let before = reference.offset(at: start)
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = (low + high) / 2
      if reference.offset(at: middle) == before { low = middle } else { high = middle }
    }
    return high
  }
}

extension TimeZone {
  fileprivate func offset(at seconds: Int64) -> Int {
    secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
  }
}
