import TimeclockDomain

/// The rules for new passwords. Existing passwords stay valid.
package enum NewPasswordRules {
  /// The allowed lengths in bytes of UTF-8.
  package static let allowedLength = 8...1_024

  /// Refuses a password that is too short, too long, or among the first that an attacker would try: a common one, also
  /// with up to five digits or signs after it; one of `obvious`; a repeated short piece; successive keys of a row of
  /// the keyboard. Upper and lower case of ASCII letters are the same.
  ///
  /// - Parameter obvious: Facts about the account that an attacker knows: the person's e-mail address, the names of the
  ///   organizations.
  /// - Throws: `TimeclockError.invalidPassword`, `.passwordTooCommon`.
  package static func check(_ password: String, obvious: [String] = []) throws {
    guard allowedLength.contains(password.utf8.count) else { throw TimeclockError.invalidPassword }
    let folded = folded(password)
    guard !isRepetition(folded), !isRun(folded), !isCommon(folded), !isOneOf(obvious, folded) else {
      throw TimeclockError.passwordTooCommon
    }
  }

  /// Converts ASCII letters to lower case.
  private static func folded(_ text: some StringProtocol) -> [UInt8] {
    text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }

  /// Removes the digits and signs at the end, if they are at most five.
  private static func stem(_ bytes: [UInt8]) -> [UInt8] {
    let stem = bytes[..<(bytes.lastIndex(where: isLetter).map { $0 + 1 } ?? 0)]
    return bytes.count - stem.count <= 5 ? Array(stem) : bytes
  }

  private static func isCommon(_ folded: [UInt8]) -> Bool {
    CommonPasswords.all.contains(folded) || CommonPasswords.all.contains(stem(folded))
  }

  /// Whether the password is one of `obvious`, apart from white space and signs between letters and digits.
  private static func isOneOf(_ obvious: [String], _ folded: [UInt8]) -> Bool {
    func plain(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { isLetter($0) || $0 &- 0x30 < 10 } }
    let forms = [plain(folded), plain(stem(folded))]
    return obvious.contains { text in
      [text[...], text.prefix { $0 != "@" }].map { plain(Self.folded($0)) }.contains {
        !$0.isEmpty && forms.contains($0)
      }
    }
  }

  /// Whether the password repeats one to four bytes, as `aaaaaaaa` and `abc1abc1abc` do.
  private static func isRepetition(_ bytes: [UInt8]) -> Bool {
    (1...4).contains { length in
      bytes.count >= 2 * length
        && bytes.indices.dropFirst(length).allSatisfy { bytes[$0] == bytes[$0 - length] }
    }
  }

  /// Rows of characters that people type from one end to the other; after its end, the row of digits begins again.
  private static let rows = [
    "01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm",
    "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "!@#$%^&*()_+", "qwertyuiop[]\\", "asdfghjkl;'",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qazwsxedcrfvtgbyhnujm", "1q2w3e4r5t6y7u8i9o0p",
  ].map { Array($0.utf8) }

  /// Whether the password is a part of a row, forwards or backwards, or two such parts of at least three bytes, as
  /// `abcd1234`.
  private static func isRun(_ bytes: [UInt8]) -> Bool {
    let first = runLength(bytes[...])
    guard first < bytes.count else { return true }
    return first >= 3 && bytes.count - first >= 3 && runLength(bytes[first...]) == bytes.count - first
  }

  /// Counts the bytes at the beginning that are a part of one row.
  private static func runLength(_ bytes: ArraySlice<UInt8>) -> Int {
    func length(_ row: some RandomAccessCollection<UInt8>) -> Int {
      row.indices.map { zip(row[$0...], bytes).prefix { $0 == $1 }.count }.max() ?? 0
    }
    return rows.map { max(length($0), length($0.reversed())) }.max() ?? 0
  }
}
