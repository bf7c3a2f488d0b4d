import Synchronization

/// The faults that a run found. They are kept as values, so that the harness itself can be tested.
final class Findings: Sendable {
  private let lines = Mutex<[String]>([])

  /// All findings, in the order in which they were made.
  var all: [String] { lines.withLock { $0 } }

  /// Adds a finding.
  func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }
}
