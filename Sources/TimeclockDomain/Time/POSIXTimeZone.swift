/// The rule of a `TZ` string, which governs a zone after its last listed transition (RFC 9636, section 3.3).
struct POSIXTimeZone: Equatable, Sendable {
  /// Seconds east of UTC in standard time.
  var standardOffset: Int32
  /// Daylight saving time, for zones that keep it.
  var daylightSaving: DaylightSaving?

  /// The offset of daylight saving time, and its beginning and end each year.
  struct DaylightSaving: Equatable, Sendable {
    /// Seconds east of UTC; less than standard time in Europe/Dublin, whose "daylight" time is winter's.
    var offset: Int32
    /// The change to daylight saving time, on the clock of standard time.
    var start: POSIXYearlyChange
    /// The change back, on the clock of daylight saving time.
    var end: POSIXYearlyChange
  }

  /// Seconds east of UTC at a time in seconds since 1970.
  func offset(at seconds: Int64) -> Int32 {
    guard let daylightSaving else { return standardOffset }
    var latest = Int64.min
    var isDaylightSaving = false
    let year = Self.year(of: seconds)
    for year in year - 2...year + 1 {
      let (start, end) = changes(of: daylightSaving, year: year)
      if end <= seconds, end > latest { (latest, isDaylightSaving) = (end, false) }
      // On a tie the start wins: daylight saving time that ends as it begins again lasts all year.
      if start <= seconds, start >= latest { (latest, isDaylightSaving) = (start, true) }
    }
    return isDaylightSaving ? daylightSaving.offset : standardOffset
  }

  /// The first change after a time, both in seconds since 1970; nil when the zone keeps standard time.
  func firstChange(after seconds: Int64) -> Int64? {
    guard let daylightSaving else { return nil }
    var first: Int64?
    let year = Self.year(of: seconds)
    for year in year - 1...year + 2 {
      let (start, end) = changes(of: daylightSaving, year: year)
      for change in [start, end] where change > seconds && change < first ?? .max { first = change }
    }
    return first
  }

  /// The year in UTC of a time in seconds since 1970.
  ///
  /// A change may be stated up to 167 hours off its day. So the years before and after can reach into this one, and the
  /// last change before it, or the first one after it, may be the one of another year still, whose other change
  /// lies on the far side.
  private static func year(of seconds: Int64) -> Int {
    let days = Int(seconds.flooredQuotient(by: 86_400))
    return GregorianCalendar.yearMonthDay(daysSince1970: days).year
  }

  private func changes(of daylightSaving: DaylightSaving, year: Int) -> (start: Int64, end: Int64) {
    (
      daylightSaving.start.localSeconds(year: year) - Int64(standardOffset),
      daylightSaving.end.localSeconds(year: year) - Int64(daylightSaving.offset)
    )
  }
}
