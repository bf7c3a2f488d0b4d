/// A way of rounding the times that a report shows beside the exact seconds. Nothing is ever stored rounded.
package struct ReportRounding: Hashable, Sendable {
  /// The paid seconds of each part, which is an entry on one date, are rounded to a multiple of this.
  package var stepSeconds: Int64
  package var direction: Direction

  package enum Direction: String, CaseIterable, Sendable {
    /// To the nearest multiple, and from the middle up.
    case nearest
    case up, down
  }

  /// The values that `stepSeconds` may have.
  package static let steps: ClosedRange<Int64> = 1...86_400

  package init(stepSeconds: Int64, direction: Direction) {
    self.stepSeconds = stepSeconds
    self.direction = direction
  }

  /// Reads a text such as `part:900:nearest`; nil for any other.
  package init?(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard words.count == 3, let step = Int64(words[1]), Self.steps.contains(step),
      let direction = Direction(rawValue: String(words[2]))
    else { return nil }
    self.init(stepSeconds: step, direction: direction)
    // No other way to write the number is one.
    guard self.text == text else { return nil }
  }

  package var text: String { "part:\(stepSeconds):\(direction.rawValue)" }

  /// The multiple of `stepSeconds` for a number that is not negative.
  func rounded(_ seconds: Int64) -> Int64 {
    switch direction {
    case .nearest: (2 * seconds + stepSeconds) / (2 * stepSeconds) * stepSeconds
    case .up: (seconds + stepSeconds - 1) / stepSeconds * stepSeconds
    case .down: seconds / stepSeconds * stepSeconds
    }
  }
}
