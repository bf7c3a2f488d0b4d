/// The form of the durations in a table.
enum DurationForm: String, CaseIterable, Sendable {
  /// Whole seconds.
  case seconds
  /// Hours with two decimals, such as `7.75`.
  case decimal
  /// Hours and minutes, such as `07:45`.
  case hoursAndMinutes = "hh:mm"
  /// Hours, minutes and seconds, such as `07:45:00`; nothing is rounded.
  case hoursToSeconds = "hh:mm:ss"

  /// The length of the smallest difference that the form shows, in seconds.
  var unitSeconds: Int64 {
    switch self {
    case .seconds, .hoursToSeconds: 1
    case .decimal: 36
    case .hoursAndMinutes: 60
    }
  }

  /// The word for the column that the API calls `seconds`, and at the end of the names of others.
  var noun: String {
    switch self {
    case .seconds: "seconds"
    case .decimal: "hours"
    case .hoursAndMinutes, .hoursToSeconds: "time"
    }
  }

  /// The name of a column, `daily` and `Seconds` for `dailySeconds` in seconds.
  func columnName(_ prefix: String) -> String {
    prefix + noun.prefix(1).uppercased() + noun.dropFirst()
  }
}

/// Durations one after the other, each in whole units of a form, that add up to the units of their sum.
///
/// The remainder of rounding one duration is carried over to the next: each is shown as the difference of two rounded
/// sums. So each is less than a unit off, and the sum of the first durations shown, however many, is half a unit off at
/// most.
struct CarriedDurations: Sendable {
  private let unitSeconds: Int64
  private var seconds: Int64 = 0
  private var units: Int64 = 0

  init(_ form: DurationForm) {
    unitSeconds = form.unitSeconds
  }

  /// The units of the next duration. Half a unit is rounded up.
  mutating func next(_ duration: Int64) -> Int64 {
    seconds += duration
    let before = units
    units = Self.units(of: seconds, by: unitSeconds)
    return units - before
  }

  /// The whole units of a form in a sum of durations, which may be negative. Half a unit is rounded up.
  static func units(of seconds: Int64, in form: DurationForm) -> Int64 {
    units(of: seconds, by: form.unitSeconds)
  }

  private static func units(of seconds: Int64, by unitSeconds: Int64) -> Int64 {
    let (units, rest) = (seconds + unitSeconds / 2).quotientAndRemainder(dividingBy: unitSeconds)
    return rest < 0 ? units - 1 : units
  }

  /// Distributes units that are a rounded sum over the durations that they are the sum of: each is the difference of two
  /// rounded shares.
  static func shares(of units: Int64, over durations: [Int64]) -> [Int64] {
    let sum = durations.reduce(0, +)
    guard sum > 0 else { return durations.map { _ in 0 } }
    var (seconds, shown): (Int64, Int64) = (0, 0)
    return durations.map { duration in
      seconds += duration
      let before = shown
      shown = (2 * seconds * units + sum) / (2 * sum)
      return shown - before
    }
  }
}

extension CSVWriter {
  /// Writes a cell with a duration in units of its form, with a minus sign before one below zero.
  mutating func duration(_ signed: Int64, as form: DurationForm) {
    let (units, isNegative) = (abs(signed), signed < 0)
    switch form {
    case .seconds: number(signed)
    case .decimal: decimal(units / 100, isNegative: isNegative) { $0.append(twoDigits: units % 100) }
    case .hoursAndMinutes: plain { $0.append(sign: isNegative, twoDigits: units / 60, ":", units % 60) }
    case .hoursToSeconds:
      plain { bytes in
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.append(twoDigits: units / 3_600, ":", units / 60 % 60)
        bytes.append(contentsOf: ":".utf8)
        bytes.append(twoDigits: units % 60)
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(
    sign isNegative: Bool = false, twoDigits first: Int64, _ separator: String, _ second: Int64
  ) {
    if isNegative { append(UInt8(ascii: "-")) }
    append(twoDigits: first)
    append(contentsOf: separator.utf8)
    append(twoDigits: second)
  }

  fileprivate mutating func append(twoDigits number: Int64) {
    if number < 10 { append(UInt8(ascii: "0")) }
    append(contentsOf: String(number).utf8)
  }
}
