import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Durations of a table")
struct DurationFormTests {
  private func cell(_ units: Int64, _ form: DurationForm) -> String {
    var writer = CSVWriter()
    writer.duration(units, as: form)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Every form writes its units")
  func forms() {
    #expect(cell(27_900, .seconds) == "27900")
    #expect(
      [0, 5, 99, 100, 775, 13_001].map { cell($0, .decimal) } == [
        "0.00", "0.05", "0.99", "1.00", "7.75", "130.01",
      ])
    #expect(
      [0, 59, 60, 465, 7_805].map { cell($0, .hoursAndMinutes) } == [
        "00:00", "00:59", "01:00", "07:45", "130:05",
      ])
    #expect(
      [0, 59, 60, 27_901, 468_309].map { cell($0, .hoursToSeconds) }
        == ["00:00:00", "00:00:59", "00:01:00", "07:45:01", "130:05:09"])
  }

  @Test("Durations below zero have a minus sign, and round half up too")
  func negative() {
    #expect([-27_900, -1].map { cell($0, .seconds) } == ["-27900", "-1"])
    #expect([-5, -775].map { cell($0, .decimal) } == ["-0.05", "-7.75"])
    #expect([-59, -465].map { cell($0, .hoursAndMinutes) } == ["-00:59", "-07:45"])
    #expect([-59, -27_901].map { cell($0, .hoursToSeconds) } == ["-00:00:59", "-07:45:01"])
    let units = [-17, -18, -19, -54, -55].map { CarriedDurations.units(of: $0, in: .decimal) }
    #expect(units == [0, 0, -1, -1, -2])
    var carried = CarriedDurations(.hoursAndMinutes)
    #expect([-20, -20, -20, 90].map { carried.next($0) } == [0, -1, 0, 2])
  }

  @Test("Half a unit is rounded up")
  func half() {
    func first(_ seconds: Int64, _ form: DurationForm) -> Int64 {
      var carried = CarriedDurations(form)
      return carried.next(seconds)
    }
    #expect([17, 18, 53, 54].map { first($0, .decimal) } == [0, 1, 1, 2])
    #expect([29, 30, 89, 90].map { first($0, .hoursAndMinutes) } == [0, 1, 1, 2])
    #expect([0, 1, 29].map { first($0, .hoursToSeconds) } == [0, 1, 29])
  }

  @Test(
    "Durations add up to their rounded sum, none is a unit off, and none is negative",
    arguments: DurationForm.allCases)
  func carrying(_ form: DurationForm) {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let durations = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        Int64.random(in: 0...(Bool.random(using: &random) ? 70 : 60_000), using: &random)
      }
      let sum = durations.reduce(0, +)
      var carried = CarriedDurations(form)
      let units = durations.map { carried.next($0) }
      let rounded = (sum + form.unitSeconds / 2) / form.unitSeconds
      #expect(units.reduce(0, +) == rounded, "\(durations)")
      for (unit, duration) in zip(units, durations) {
        #expect(unit >= 0 && abs(unit * form.unitSeconds - duration) <= form.unitSeconds, "\(durations)")
      }
      let shares = CarriedDurations.shares(of: rounded, over: durations)
      #expect(shares.reduce(0, +) == (sum == 0 ? 0 : rounded), "\(durations)")
      #expect(zip(shares, durations).allSatisfy { $0 >= 0 && ($1 > 0 || $0 == 0) }, "\(durations)")
    }
  }
}
