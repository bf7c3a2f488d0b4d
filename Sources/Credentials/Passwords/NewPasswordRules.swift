import TimeclockDomain

/// What a new password may be. Passwords that there are go on working, whatever they are.
package enum NewPasswordRules {
  /// In bytes of UTF-8.
  package static let allowedLength = 8...1_024

  /// Refuses a password that is too short, too long, or among the first that anybody would try: a common one, also with up to
  /// five digits or signs behind it; one of `obvious`; a short piece again and again; the keys of a row one after the other.
  /// Upper and lower case of ASCII letters are the same.
  ///
  /// - Parameter obvious: What whoever tries knows of the account: the person's e-mail address, the names of the
  ///   organizations.
  /// - Throws: `TimeclockError.invalidPassword`, `.passwordTooCommon`.
  package static func check(_ password: String, obvious: [String] = []) throws {
    guard allowedLength.contains(password.utf8.count) else { throw TimeclockError.invalidPassword }
    let folded = folded(password)
    guard !isRepetition(folded), !isRun(folded), !isCommon(folded), !isOneOf(obvious, folded) else {
      throw TimeclockError.passwordTooCommon
    }
  }

  /// ASCII letters in lower case.
  private static func folded(_ text: some StringProtocol) -> [UInt8] {
    text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }

  /// Without the digits and signs at the end, as long as these are at most five.
  private static func stem(_ bytes: [UInt8]) -> [UInt8] {
    let stem = bytes[..<(bytes.lastIndex(where: isLetter).map { $0 + 1 } ?? 0)]
    return bytes.count - stem.count <= 5 ? Array(stem) : bytes
  }

  private static func isCommon(_ folded: [UInt8]) -> Bool {
    CommonPasswords.all.contains(folded) || CommonPasswords.all.contains(stem(folded))
  }

  /// White space and signs between letters and digits make no difference here.
  private static func isOneOf(_ obvious: [String], _ folded: [UInt8]) -> Bool {
    func plain(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { isLetter($0) || $0 &- 0x30 < 10 } }
    let forms = [plain(folded), plain(stem(folded))]
    return obvious.contains { text in
      [text[...], text.prefix { $0 != "@" }].map { plain(Self.folded($0)) }.contains {
        !$0.isEmpty && forms.contains($0)
      }
    }
  }

  /// One to four bytes again and again, as `aaaaaaaa` and `abc1abc1abc`.
  private static func isRepetition(_ bytes: [UInt8]) -> Bool {
    (1...4).contains { length in
      bytes.count >= 2 * length
        && bytes.indices.dropFirst(length).allSatisfy { bytes[$0] == bytes[$0 - length] }
    }
  }

  /// Rows of characters that are typed from one end to the other; the digits go on from their beginning.
  private static let rows = [
    "01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm",
    "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "!@#$%^&*()_+", "qwertyuiop[]\\", "asdfghjkl;'",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "qazwsxedcrfvtgbyhnujm", "1q2w3e4r5t6y7u8i9o0p",
  ].map { Array($0.utf8) }

  /// A part of a row, forwards or backwards, or two of at least three bytes one after the other, as `abcd1234`.
  private static func isRun(_ bytes: [UInt8]) -> Bool {
    let first = runLength(bytes[...])
    guard first < bytes.count else { return true }
    return first >= 3 && bytes.count - first >= 3 && runLength(bytes[first...]) == bytes.count - first
  }

  /// How many bytes at the beginning are a part of one row.
  private static func runLength(_ bytes: ArraySlice<UInt8>) -> Int {
    func length(_ row: some RandomAccessCollection<UInt8>) -> Int {
      row.indices.map { zip(row[$0...], bytes).prefix { $0 == $1 }.count }.max() ?? 0
    }
    return rows.map { max(length($0), length($0.reversed())) }.max() ?? 0
  }
}
