import Foundation
import Testing
import TimeclockDomain

@testable import HolidayPresets

@Suite("Presets of public holidays")
struct HolidayPresetsTests {
  /// The holidays as lines of date, name, and percent if it is not 100.
  private static func lines(_ id: String, _ year: Int) throws -> [String] {
    try #require(HolidayPresets.holidays(of: id, in: year), "\(id) \(year)").map {
      "\($0.date.iso8601) \($0.name)\($0.percent == 100 ? "" : " \($0.percent)")"
    }
  }

  private static func dates(_ id: String, _ year: Int) throws -> [String] {
    try #require(HolidayPresets.holidays(of: id, in: year), "\(id) \(year)").map {
      String($0.date.iso8601.dropFirst(5))
    }
  }

  @Test("Germany has nine everywhere, and Bavaria three more, by Easter of 28 March 2027")
  func germany() throws {
    let everywhere = [
      "2027-01-01 Neujahr", "2027-03-26 Karfreitag", "2027-03-29 Ostermontag", "2027-05-01 Erster Mai",
      "2027-05-06 Christi Himmelfahrt", "2027-05-17 Pfingstmontag", "2027-10-03 Tag der Deutschen Einheit",
      "2027-12-25 Erster Weihnachtstag", "2027-12-26 Zweiter Weihnachtstag",
    ]
    #expect(try Self.lines("DE", 2027) == everywhere)
    let bavaria = ["2027-01-06 Heilige Drei Könige", "2027-05-27 Fronleichnam", "2027-11-01 Allerheiligen"]
    #expect(try Self.lines("DE-BY", 2027) == (everywhere + bavaria).sorted())
    #expect(try Self.lines("DE-Augsburg", 2028).contains("2028-08-08 Augsburger Hohes Friedensfest"))
  }

  @Test("Holidays lie as the laws of other countries say")
  func countries() throws {
    #expect(
      try Self.dates("FR", 2027) == [
        "01-01", "03-29", "05-01", "05-06", "05-08", "05-17", "07-14", "08-15", "11-01", "11-11", "12-25",
      ])
    #expect(try Self.lines("US", 2027).contains("2027-11-25 Thanksgiving Day"))
    // Independence Day is a Sunday in 2027, Juneteenth and Christmas are Saturdays.
    #expect(
      try Self.dates("US", 2027) == [
        "01-01", "01-18", "02-15", "05-31", "06-18", "06-19", "07-04", "07-05", "09-06", "10-11", "11-11",
        "11-25", "12-24", "12-25", "12-31",
      ])
    // England has Easter Monday and not St Andrew's Day, Scotland the other way round; both move Christmas to Monday.
    #expect(
      try Self.dates("GB-ENG", 2027) == [
        "01-01", "03-26", "03-29", "05-03", "05-31", "08-30", "12-25", "12-26", "12-27", "12-28",
      ])
    let scotland = try Self.dates("GB-SCT", 2027)
    #expect(!scotland.contains("03-29") && scotland.contains("11-30"))
    #expect(try Self.dates("BR", 2027).contains("09-07") && Self.dates("JP", 2027).contains("02-11"))
  }

  @Test("Half a day is a holiday of 50 percent")
  func halfDays() throws {
    #expect(
      try Self.lines("IS", 2027).suffix(4) == [
        "2027-12-24 Aðfangadagur (frá kl. 13.00) 50", "2027-12-25 Jóladagur", "2027-12-26 Annar í jólum",
        "2027-12-31 Gamlársdagur (frá kl. 13.00) 50",
      ])
    // In Solothurn the first of May is free from noon on.
    let may = "05-01"
    #expect(try !Self.dates("CH", 2027).contains(may))
    #expect(try Self.lines("CH-SO", 2027).contains { $0.hasPrefix("2027-\(may)") && $0.hasSuffix(" 50") })
  }

  @Test("Nothing is known by another id or of another year")
  func unknown() {
    for id in ["", "D", "de", "DE-", "DE-XX", "UA", "DE BY", "#"] {
      #expect(HolidayPresets.holidays(of: id, in: 2027) == nil, "\(id)")
    }
    for year in [Int.min, 2025, 2029, Int.max] {
      #expect(HolidayPresets.holidays(of: "DE", in: year) == nil, "\(year)")
    }
    #expect(HolidayPresets.holidays(of: "LK", in: 2026) != nil)
    #expect(HolidayPresets.holidays(of: "LK", in: 2027) == nil)
  }

  @Test("Every line of the file is read: the head says how many presets and holidays there are")
  func wholeFile() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CHolidayPresets/holidays.txt")
    let head = try String(contentsOf: file, encoding: .utf8).prefix { $0 != "\n" }
    let numbers = head.split { !$0.isNumber }.compactMap { Int($0) }
    let (first, last) = (numbers[0], numbers[1])
    let presets = HolidayPresets.all
    #expect(presets.count == numbers[2])
    #expect(Set(presets.map(\.id)).count == presets.count)
    var count = 0
    for preset in presets {
      #expect(preset.id.utf8.count <= 33 && preset.lastYear <= last)
      #expect((try? Name.validated(preset.name)) == preset.name)
      for year in first...preset.lastYear {
        let holidays = try #require(HolidayPresets.holidays(of: preset.id, in: year), "\(preset.id) \(year)")
        count += holidays.count
        #expect(holidays.allSatisfy { (try? Name.validated($0.name)) == $0.name }, "\(preset.id) \(year)")
      }
      #expect(
        preset.lastYear == last || HolidayPresets.holidays(of: preset.id, in: preset.lastYear + 1) == nil)
    }
    #expect(count == numbers[3])
  }
}
