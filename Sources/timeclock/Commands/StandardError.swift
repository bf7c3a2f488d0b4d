import Glibc

/// A command's messages to the person at the terminal, beside its output.
enum StandardError {
  /// Writes a line.
  static func write(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
