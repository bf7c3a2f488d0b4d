import TimeclockDomain

extension ClockState {
  /// Writes the contract's Clock.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("status", status.rawValue)
      writer.member("timeEntry", timeEntry) { $1.write(to: &$0, at: time) }
      writer.member("segment", segment) { $1.write(to: &$0, at: time) }
      writer.member("sessionSeconds", sessionSeconds)
      writer.member("breakSeconds", breakSeconds)
      writer.member("dailySeconds", dailySeconds)
      writer.member("segmentSeconds", segmentSeconds)
      writer.member("segmentDailySeconds", segmentDailySeconds)
      writer.member("display", display)
      writer.member("serverTime", time)
    }
  }
}
