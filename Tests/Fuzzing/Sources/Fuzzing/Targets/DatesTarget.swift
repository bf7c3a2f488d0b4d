@testable import ImportFiles
@testable import TimeclockDomain

/// Dates and times: an accepted text is read as by `DateModel`, and reads the same when it is written again.
enum DatesTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    let bytes = input.rest
    checkInstant(bytes, isFaulty: isFaulty)
    checkDate(bytes)
    checkStated(input.text)
  }

  private static func checkInstant(_ bytes: [UInt8], isFaulty: Bool) {
    let instant = Instant(rfc3339: bytes)
    let expected = DateModel.milliseconds(rfc3339: bytes, forgetsMinutesOfOneDigit: isFaulty)
    require(
      instant?.millisecondsSince1970 == expected,
      "\(bytes) is \(String(describing: instant)), not \(expected ?? 0)")
    guard let instant else { return }
    require(instant.rfc3339.utf8.count == 24, "\(instant.rfc3339) is too long")
    require(Instant(rfc3339: instant.rfc3339) == instant, "\(instant.rfc3339) is another instant")
    require(instant.rfc3339.hasPrefix(instant.utcDate.iso8601), "\(instant.rfc3339) is on another date")
    for offset: Int32 in [0, 20_700, -3_208] {
      var local: [UInt8] = []
      instant.appendLocal(offsetSeconds: offset, to: &local)
      let date = LocalDate(iso8601: local.prefix(10))
      let day = instant.adding(milliseconds: Int64(offset) * 1_000).utcDate
      require(date == day, "\(String(decoding: local, as: UTF8.self)) is not on \(day.iso8601)")
    }
  }

  private static func checkDate(_ bytes: [UInt8]) {
    let date = LocalDate(iso8601: bytes)
    require(
      date.map { Int($0.daysSince1970) } == DateModel.days(iso8601: bytes),
      "\(bytes) is the date \(String(describing: date))")
    guard let date else { return }
    require(Array(date.iso8601.utf8) == bytes, "\(date.iso8601) is not what was read")
    let (year, month, day) = date.yearMonthDay
    require(LocalDate(year: year, month: month, day: day) == date, "\(date.iso8601) is another date")
  }

  /// Files may write dates in more forms than requests, with the same bounds.
  private static func checkStated(_ text: String) {
    if let date = LocalDate(iso8601: text) {
      require(StatedDate(text) == .certain(date), "\(text) is no date in a file")
    }
    if let instant = Instant(rfc3339: text) {
      require(StatedInstant.time(text, .dayFirst) == .instant(instant), "\(text) is no time in a file")
    }
    if case .local(let local)? = StatedInstant.time(text, .dayFirst) {
      checkTimeOfDay(local.millisecondOfDay, text)
    }
    if let stated = StatedDate(text) {
      require(DateOrder.allCases.contains { stated.date($0) != nil }, "\(text) is a date in no order")
    }
    if let millisecond = StatedTime.millisecondOfDay(text) { checkTimeOfDay(millisecond, text) }
    if let seconds = StatedDuration.seconds(text) {
      require((0...360_000_000).contains(seconds), "\(text) is \(seconds) seconds")
    }
  }

  private static func checkTimeOfDay(_ millisecond: Int64, _ text: String) {
    require((0..<86_400_000).contains(millisecond) && millisecond % 1_000 == 0, "\(text) is \(millisecond)")
  }
}
