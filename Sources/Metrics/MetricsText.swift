/// Metrics in the text format of Prometheus, version 0.0.4.
package struct MetricsText {
  /// The text so far.
  package private(set) var text = ""

  /// The media type of the text.
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// The kinds of metrics.
  package enum Kind: String, Sendable {
    case counter
    case gauge
    case histogram
  }

  /// A label of a series.
  package typealias Label = (name: String, value: String)

  package init() {}

  /// Begins a metric; its series follow.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a series' number.
  package mutating func add(_ name: String, _ number: Int, _ labels: [Label] = []) {
    text += "\(name)\(Self.braces(labels)) \(number)\n"
  }

  /// Adds a series' time, given in nanoseconds, in seconds.
  package mutating func add(_ name: String, nanoseconds: Int, _ labels: [Label] = []) {
    text += "\(name)\(Self.braces(labels)) \(Self.seconds(nanoseconds))\n"
  }

  /// Adds a series of a histogram.
  ///
  /// - Parameter isTime: Whether its values are nanoseconds, to be written in seconds.
  package mutating func add(
    _ name: String, _ reading: Histogram.Reading, bounds: [Int], isTime: Bool, _ labels: [Label] = []
  ) {
    func written(_ value: Int) -> String { isTime ? Self.seconds(value) : String(value) }
    var count = 0
    for (range, bound) in bounds.enumerated() {
      count += reading.counts[range]
      add("\(name)_bucket", count, labels + [("le", written(bound))])
    }
    // The sum of the counts read, so that all numbers of a series agree.
    add("\(name)_bucket", reading.count, labels + [("le", "+Inf")])
    text += "\(name)_sum\(Self.braces(labels)) \(written(reading.sum))\n"
    add("\(name)_count", reading.count, labels)
  }

  private static func braces(_ labels: [Label]) -> String {
    guard !labels.isEmpty else { return "" }
    return "{\(labels.map { #"\#($0.name)="\#(escaped($0.value))""# }.joined(separator: ","))}"
  }

  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": escaped += #"\\"#
      case "\"": escaped += #"\""#
      case "\n": escaped += #"\n"#
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Nanoseconds as seconds: `0.0025`.
  static func seconds(_ nanoseconds: Int) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = "\(nanoseconds < 0 ? "-" : "")\(whole)"
    guard rest > 0 else { return text }
    let digits = String(rest)
    text += "." + String(repeating: "0", count: 9 - digits.utf8.count) + digits
    while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    return text
  }
}
