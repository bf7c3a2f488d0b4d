@testable import TimeclockDomain

/// Rules of time zones (RFC 9636): a file that is taken has one offset and one date at every instant, and days that
/// follow each other.
enum ZonesTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let instant = Instant(millisecondsSince1970: input.chooseNumber())
    let days = Int32(truncatingIfNeeded: input.chooseNumber())
    let bytes = input.rest
    checkRule(bytes, at: instant.millisecondsSince1970 / 1_000)
    guard let identifier = TimeZoneIdentifier("Fuzzed/Zone"),
      let zone = Zone(identifier: identifier, tzif: bytes)
    else { return }
    let offset = zone.offsetSeconds(at: instant)
    require(abs(offset) < 26 * 3_600 && (!isFaulty || offset % 60 == 0), "\(offset) seconds from UTC")
    check(zone, at: instant, offset)
    check(zone, on: LocalDate(daysSince1970: days))
  }

  private static func check(_ zone: Zone, at instant: Instant, _ offset: Int32) {
    if let change = zone.nextOffsetChange(after: instant) {
      require(change >= instant, "a change that was before")
    }
    guard instant >= .earliest, instant <= .latest else { return }
    let local = instant.millisecondsSince1970 + Int64(offset) * 1_000
    let day = local.flooredQuotient(by: 86_400_000)
    let date = zone.localDate(at: instant)
    require(
      date == LocalDate(daysSince1970: Int32(clamping: day)), "\(date.iso8601) is not the date of day \(day)")
    guard date > .earliest, date < .latest else { return }
    let shown = LocalTime(date: date, millisecondOfDay: local - day * 86_400_000)
    require(zone.instants(showing: shown).contains(instant), "clocks never show \(shown)")
  }

  private static func check(_ zone: Zone, on date: LocalDate) {
    let start = zone.startOfDay(date)
    guard date > .earliest, date < .latest else { return }
    require(zone.localDate(at: start) >= date, "\(date.iso8601) begins before itself")
    let before = zone.localDate(at: start.adding(milliseconds: -1))
    require(before < date, "\(date.iso8601) begins late")
    let stretches = zone.dayStretches(from: date.adding(days: -1), through: date.adding(days: 1))
    for stretch in stretches {
      require(stretch.start < stretch.end, "a stretch of no time")
      require(
        zone.localDate(at: stretch.start) == stretch.date, "\(stretch.date.iso8601) begins on another date")
    }
    require(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end <= $1.start }, "stretches overlap")
  }

  private static func checkRule(_ bytes: [UInt8], at seconds: Int64) {
    guard let rule = POSIXTimeZone(bytes) else { return }
    let offset = rule.offset(at: seconds)
    require(offset == rule.standardOffset || offset == rule.daylightSaving?.offset, "the offset \(offset)")
    if let change = rule.firstChange(after: seconds) { require(change > seconds, "a change that was before") }
  }
}
