import Foundation
import Synchronization

/// The formats of strings that the contract uses.
enum Format: String {
  case date
  case dateTime = "date-time"
  case email
  case uuid
  /// Any bytes: a file.
  case binary

  /// Whether the text has this format.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .date: Self.isDate(text)
    case .dateTime: Self.isDateTime(text)
    case .email: Patterns.matches(text, #"^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$"#) == true && text.utf8.count <= 254
    case .uuid: Patterns.matches(text, "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$") == true
    case .binary: true
    }
  }

  private static func isDate(_ text: String) -> Bool {
    guard Patterns.matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}$") == true else { return false }
    let parts = text.split(separator: "-").compactMap { Int($0) }
    let isLeap = parts[0] % 4 == 0 && (parts[0] % 100 != 0 || parts[0] % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(parts[1]) && (1...lengths[parts[1] - 1]).contains(parts[2])
  }

  private static func isDateTime(_ text: String) -> Bool {
    let time = #"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"#
    let offset = "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
    return Patterns.matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}\(time)\(offset)$") == true
      && isDate(String(text.prefix(10)))
  }
}

/// Regular expressions, compiled once, with what they said of texts: most texts come again and again.
enum Patterns {
  private struct Pattern {
    let expression: NSRegularExpression
    var answers: [String: Bool] = [:]
  }

  private static let compiled = Mutex<[String: Pattern]>([:])

  /// Whether some part of the text matches; nil if the pattern is not valid.
  static func matches(_ text: String, _ pattern: String) -> Bool? {
    let known = compiled.withLock { compiled -> (expression: NSRegularExpression, answer: Bool?)? in
      if let known = compiled[pattern] { return (known.expression, known.answers[text]) }
      // Without this, `$` would also match before a final new line.
      let exact = pattern.hasSuffix("$") ? pattern.dropLast() + #"\z"# : pattern
      guard let expression = try? NSRegularExpression(pattern: exact) else { return nil }
      compiled[pattern] = Pattern(expression: expression)
      return (expression, nil)
    }
    guard let known else { return nil }
    if let answer = known.answer { return answer }
    let answer = known.expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    compiled.withLock { compiled in
      if compiled[pattern]?.answers.count == 10_000 { compiled[pattern]?.answers = [:] }
      compiled[pattern]?.answers[text] = answer
    }
    return answer
  }
}
