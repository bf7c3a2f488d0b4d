import DatabaseCopy
import Glibc
import SQLiteStorage

/// How far a copy, an import or a back-up is, as one line on standard error that is written anew; only where that is a terminal.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ progress: CopyProgress) {
    let verb = progress.step == .copying ? "copying" : "verifying"
    let percent = progress.total == 0 ? 100 : progress.done * 100 / progress.total
    write("\(verb) \(progress.table): \(progress.done) of \(progress.total) (\(percent) %)")
  }

  /// How far an import is: a bar of the bytes, and the number of rows.
  func show(done: Int, of total: Int, rows: Int) {
    let percent = total == 0 ? 100 : min(100, done * 100 / total)
    let bar = String(repeating: "#", count: percent / 5) + String(repeating: "-", count: 20 - percent / 5)
    write("importing [\(bar)] \(percent) %, \(rows) rows")
  }

  /// How far a back-up or a restore is.
  func show(_ progress: SQLiteBackup.Progress) {
    switch progress {
    case .copying(let done, let total):
      write("copying: \(done) of \(total) pages (\(total == 0 ? 100 : done * 100 / total) %)")
    case .checking(let part): write("checking: \(part)")
    }
  }

  /// Leaves an empty line for what comes next.
  func clear() {
    write("")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    // Carriage return, and erase to the end of the line (ECMA-48, EL).
    let bytes = Array("\r\(text)\u{1B}[K".utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
