/// Reports when this machine's clock and PostgreSQL's differ so much that the operator should know.
///
/// Clock-ins are stamped by the instance that takes them. If their clocks differ, one may begin before the clock-out
/// that another has stamped.
struct ClockComparison {
  /// The difference last reported, in milliseconds; 0 if the clocks agreed.
  private var told: Int64 = 0

  /// Notes the time of the server's clock.
  ///
  /// - Parameters:
  ///   - server: Its time, in milliseconds since 1970.
  ///   - asked: This machine's time before it was asked, in milliseconds since 1970.
  ///   - answered: This machine's time when the answer had come.
  /// - Returns: A line to log, if the difference is more than a second by now, or no more.
  mutating func note(server: Int64, asked: Int64, answered: Int64) -> String? {
    // At least so much: the server may have answered at any moment between.
    let difference = server > answered ? server - answered : min(server - asked, 0)
    guard abs(difference) > Self.tolerance || told != 0, abs(difference - told) > Self.tolerance else {
      return nil
    }
    guard abs(difference) > Self.tolerance else {
      told = 0
      return "This machine's clock and PostgreSQL's agree again."
    }
    told = difference
    let direction = difference > 0 ? "behind" : "ahead of"
    return """
      This machine's clock is \(abs(difference) / 1_000) seconds \(direction) PostgreSQL's: \
      set both by NTP, as entries of several instances are stamped by each one's own.
      """
  }

  /// In milliseconds.
  private static let tolerance: Int64 = 1_000
}
