import ArgumentParser
import Glibc

/// A setting that a flag, an environment variable or neither gives; the flag wins.
enum Setting {
  /// The value given, or the default.
  ///
  /// A variable that is set to nothing counts as not set.
  ///
  /// - Throws: `CommandError` where the variable's text does not read as a value.
  static func value<Value: ExpressibleByArgument>(
    _ flag: Value?, _ variable: String, default standard: @autoclosure () -> Value
  ) throws -> Value {
    try optional(flag, variable) ?? standard()
  }

  /// The whole number given, or the default.
  ///
  /// - Parameter unit: What it counts, behind a space, for the message; empty where the name says it.
  /// - Throws: `CommandError` for what is no whole number in the range.
  static func number(
    _ flag: Int?, _ variable: String, in range: ClosedRange<Int>, _ unit: String, default standard: Int
  ) throws -> Int {
    let number = try value(flag, variable, default: standard)
    guard range.contains(number) else {
      let limits = "from \(range.lowerBound) to \(range.upperBound)\(unit)"
      throw CommandError("\(flagName(of: variable)) (\(variable)) must be \(limits), not \(number).")
    }
    return number
  }

  /// `--max-head` of `TIMECLOCK_MAX_HEAD`.
  private static func flagName(of variable: String) -> String {
    let words = variable.dropFirst("TIMECLOCK_".count).lowercased().split(separator: "_")
    return "--" + words.joined(separator: "-")
  }

  /// The value given, or nil.
  ///
  /// - Throws: `CommandError` where the variable's text does not read as a value.
  static func optional<Value: ExpressibleByArgument>(_ flag: Value?, _ variable: String) throws -> Value? {
    if let flag { return flag }
    guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else { return nil }
    guard let value = Value(argument: text) else {
      throw CommandError("The value of \(variable) is not valid: see `timeclock serve --help`.")
    }
    return value
  }

  /// The values that flags give, or else the variable, separated by commas, spaces or both.
  static func list(_ flags: [String], _ variable: String) -> [String] {
    guard flags.isEmpty, let text = getenv(variable) else { return flags }
    return String(cString: text).split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
  }
}
