import Glibc
import SQLiteStorage

/// A file that a command makes. Nobody must find it half made.
struct UnfinishedFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Runs the work that makes the file, with the progress on the terminal. SIGINT and SIGTERM remove the file and end the
  /// process.
  func run<Result>(_ body: ((SQLiteBackup.Progress) -> Void) throws -> Result) throws -> Result {
    let path = path
    try Signals.onStop { number in
      SQLiteBackup.remove(path)
      _exit(128 + number)
    }
    let progress = ProgressLine()
    defer { progress.clear() }
    return try body(progress.show)
  }
}
