import DatabaseCopy
import Glibc
import SQLiteStorage

/// The progress of a copy, an import or a back-up, as one line on standard error that is overwritten. It is shown only on
/// a terminal.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ progress: CopyProgress) {
    let verb = progress.step == .copying ? "copying" : "verifying"
    let percent = progress.total == 0 ? 100 : progress.done * 100 / progress.total
    write("\(verb) \(progress.table): \(progress.done) of \(progress.total) (\(percent) %)")
  }

  /// Shows the progress of an import: a bar of the bytes, and the number of rows.
  func show(done: Int, of total: Int, rows: Int) {
    let percent = total == 0 ? 100 : min(100, done * 100 / total)
    let bar = String(repeating: "#", count: percent / 5) + String(repeating: "-", count: 20 - percent / 5)
    write("importing [\(bar)] \(percent) %, \(rows) rows")
  }

  /// Shows the progress of a back-up or a restore.
  func show(_ progress: SQLiteBackup.Progress) {
    switch progress {
    case .copying(let done, let total):
      write("copying: \(done) of \(total) pages (\(total == 0 ? 100 : done * 100 / total) %)")
    case .checking(let part): write("checking: \(part)")
    }
  }

  /// Empties the line for later output.
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
