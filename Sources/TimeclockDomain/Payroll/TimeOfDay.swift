/// A time on the clock to the minute, without a date, such as `06:30`.
package struct TimeOfDay: Hashable, Sendable {
  /// Minutes since the clock showed midnight, 0 to 1439.
  package let minutes: Int64

  /// 00:00.
  package static let midnight = TimeOfDay(minutes: 0)

  private init(minutes: Int64) {
    self.minutes = minutes
  }

  /// Reads exactly `HH:MM`, 00:00 to 23:59; nil for any other text.
  package init?(_ text: String) {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 5),
      let hour = cursor.number(digits: 2), hour <= 23, cursor.skip(UInt8(ascii: ":")),
      let minute = cursor.number(digits: 2), minute <= 59, cursor.isAtEnd
    else { return nil }
    self.init(minutes: Int64(hour * 60 + minute))
  }

  /// The time as `HH:MM`.
  package var text: String {
    var bytes: [UInt8] = []
    ASCIIDigits.append(to: &bytes, capacity: 5) { digits in
      digits.writeTwoDigits(Int(minutes) / 60)
      digits.write(UInt8(ascii: ":"))
      digits.writeTwoDigits(Int(minutes) % 60)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Seconds since the clock showed midnight.
  package var seconds: Int64 { minutes * 60 }
}
