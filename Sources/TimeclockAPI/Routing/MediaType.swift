import HTTPMessages

/// Media types (RFC 9110, section 8.3.1).
enum MediaType {
  /// Whether a `Content-Type` names this type, and no other charset than UTF-8.
  static func isUTF8(_ type: String, _ contentType: String?) -> Bool {
    guard let contentType else { return false }
    let parts = contentType.split(separator: ";", omittingEmptySubsequences: false).map(normalized)
    guard parts.first == type else { return false }
    return parts.dropFirst().allSatisfy {
      !$0.hasPrefix("charset=") || $0 == "charset=utf-8" || $0 == "charset=\"utf-8\""
    }
  }

  private static func normalized(_ part: Substring) -> String {
    String(decoding: part.utf8.filter { !ASCII.isWhitespace($0) }.map(ASCII.lowercased), as: UTF8.self)
  }
}
