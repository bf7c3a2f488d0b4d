import HTTPMessages

/// Media types (RFC 9110, section 8.3.1).
enum MediaType {
  /// Whether a `Content-Type` names this type, and no other charset than UTF-8.
  static func isUTF8(_ type: String, _ contentType: String?) -> Bool {
    isText(type, contentType, in: ["utf-8"])
  }

  /// Whether a `Content-Type` names this type, and no other charset than these, which are written in small letters.
  static func isText(_ type: String, _ contentType: String?, in charsets: [String]) -> Bool {
    guard let contentType else { return false }
    let parts = contentType.split(separator: ";", omittingEmptySubsequences: false).map(normalized)
    guard parts.first == type else { return false }
    return parts.dropFirst().allSatisfy { part in
      !part.hasPrefix("charset=")
        || charsets.contains { part == "charset=\($0)" || part == "charset=\"\($0)\"" }
    }
  }

  private static func normalized(_ part: Substring) -> String {
    String(decoding: part.utf8.filter { !ASCII.isWhitespace($0) }.map(ASCII.lowercased), as: UTF8.self)
  }
}
