/// libpq's messages, which have several lines, as one line.
enum ConnectionMessage {
  /// The message on one line, without the line end and without what it only repeats.
  static func line(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "no reason was given" }
    let lines = String(cString: message).split(separator: "\n").map { line in
      String(line.drop { $0 == " " || $0 == "\t" })
    }
    let text = lines.filter { !$0.isEmpty }.joined(separator: " ")
    return text.isEmpty ? "no reason was given" : text
  }
}
