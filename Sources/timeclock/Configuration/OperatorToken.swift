import Credentials
import FoundationEssentials
import TimeclockDomain

/// The secret of the person who runs the service, with which organizations are created over HTTP.
enum OperatorToken {
  /// Reads the token from the file, or else from TIMECLOCK_OPERATOR_TOKEN; nil if neither is given.
  ///
  /// - Throws: `CommandError` for a file that cannot be read, or a token that could be guessed.
  static func digest(file: String?) throws -> TokenDigest? {
    let text: String
    if let file = try Setting.operatorTokenFile.optional(file) {
      guard let contents = FileManager.default.contents(atPath: file),
        let decoded = String(data: contents, encoding: .utf8)
      else { throw CommandError(usage: "The operator token file \(file) cannot be read.") }
      text = decoded
    } else if let variable = try Setting.operatorToken.optional(nil as String?) {
      text = variable
    } else {
      return nil
    }
    let token = text.split(whereSeparator: \.isWhitespace)
    guard token.count == 1, token[0].utf8.count >= 32 else {
      throw CommandError(usage: "The operator token must be one word of at least 32 characters.")
    }
    return BearerToken.digest(of: String(token[0]))
  }
}
