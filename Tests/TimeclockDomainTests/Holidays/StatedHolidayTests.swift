import Testing
import TimeclockDomain

@Suite("Stated holidays")
struct StatedHolidayTests {
  private static func holiday(_ date: String, _ name: String, _ percent: Int64 = 100) -> StatedHoliday {
    StatedHoliday(date: LocalDate(iso8601: date) ?? .latest, name: name, percent: percent)
  }

  @Test("on one date are one, with their names and the greatest percent")
  func joined() {
    let joined = StatedHoliday.joined([
      Self.holiday("2027-05-06", "Ascension", 50), Self.holiday("2027-01-01", "New Year"),
      Self.holiday("2027-05-06", "Fair"), Self.holiday("2027-05-06", "Ascension"),
    ])
    #expect(
      joined == [Self.holiday("2027-01-01", "New Year"), Self.holiday("2027-05-06", "Ascension / Fair")])
    #expect(StatedHoliday.joined([]) == [])
  }

  @Test("keep the first name if all of them are too long for one")
  func tooLong() {
    let long = String(repeating: "a", count: 150)
    let joined = StatedHoliday.joined([
      Self.holiday("2027-05-06", long), Self.holiday("2027-05-06", long + "b"),
    ])
    #expect(joined == [Self.holiday("2027-05-06", long)])
  }

  @Test("have a name and a percent from 1 to 100")
  func rules() throws {
    #expect(try Self.holiday("2027-05-06", " Fair ", 1).validated().name == "Fair")
    #expect(throws: TimeclockError.invalidName) { try Self.holiday("2027-05-06", " ").validated() }
    for percent in [0, 101] as [Int64] {
      #expect(throws: TimeclockError.invalidPercent) {
        try Self.holiday("2027-05-06", "A", percent).validated()
      }
    }
  }
}
