import Glibc
import SQLiteStorage

/// A file that a command makes. Nobody must find it half made.
struct UnfinishedFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Runs the work that makes the file, with the progress on the terminal. SIGINT and SIGTERM remove the file and end the
  /// process; once the file has its name, the first of them is too late, and the command ends as if it had not come.
  func run<Result>(_ body: ((SQLiteBackup.Progress) -> Void) throws -> Result) throws -> Result {
    let path = path
    try Signals.onStop { number in
      if SQLiteBackup.remove(path) { _exit(128 + number) }
    }
    let progress = ProgressLine()
    defer { progress.clear() }
    return try body(progress.show)
  }
}
