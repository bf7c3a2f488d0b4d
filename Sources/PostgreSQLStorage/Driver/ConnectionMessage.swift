/// libpq's messages, which have several lines, as one line.
enum ConnectionMessage {
  /// The message on one line, without the line ends.
  static func line(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "no reason was given" }
    let lines = String(cString: message).split(separator: "\n").map { line in
      String(line.drop { $0 == " " || $0 == "\t" })
    }
    var text = ""
    for line in lines where !line.isEmpty {
      // A sentence of its own, another host's message, or the rest of a sentence.
      let separator = line.first?.isUppercase == true ? ". " : line.hasPrefix("connection to ") ? "; " : " "
      text += text.isEmpty ? line : separator + line
    }
    return text.isEmpty ? "no reason was given" : text
  }
}
