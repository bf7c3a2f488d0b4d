import Testing
import TimeclockDomain

@testable import Credentials

@Suite("A new password")
struct NewPasswordRulesTests {
  private static let obvious = ["Ana.Gomez@harbour.example", "Harbour Café", "", "@"]

  /// Returns the code of the refusal; nil if the password is accepted.
  private static func refusal(_ password: String) -> String? {
    do {
      try NewPasswordRules.check(password, obvious: obvious)
      return nil
    } catch {
      return (error as? TimeclockError)?.code ?? "\(error)"
    }
  }

  @Test(
    "A password is refused if it is among the first that an attacker would try",
    arguments: [
      // These are on the list, in any case, with up to five digits or signs after them.
      "password", "PassWord", "password1", "Password123!", "letmein!", "sunshine", "Sunshine2024!",
      "test1234", "admin123",
      "trustno1", "p@ssw0rd", "iloveyou", "timeclock", "Timeclock2026", "correcthorsebatterystaple",
      "lösenord",
      // These repeat one piece.
      "aaaaaaaa", "........", "abababab", "abcabcabc", "abc1abc1abc1", "ääääääää", "\0\0\0\0\0\0\0\0",
      // These are parts of rows of keys, of the alphabet and of digits.
      "12345678", "01234567", "87654321", "1234567890123", "abcdefgh", "stuvwxyz", "hgfedcba", "qwertyuiop",
      "poiuytrewq",
      "QWERTYUI", "asdfghjkl", "qwerty123", "abcd1234", "1234abcd", "1qaz2wsx", "!@#$%^&*", "azertyuiop",
      "qwertzuiop",
      // These are facts about the account.
      "ana.gomez", "Ana.Gomez1", "AnaGomez", "ana.gomez@harbour.example", "harbour café", "HarbourCafé!",
      "harbourcafé2026",
    ])
  func common(_ password: String) {
    #expect(Self.refusal(password) == "password_too_common")
  }

  @Test(
    "Any other password is accepted",
    arguments: [
      "correct horse", "correct horse battery", "staple correct horse", "a newer password",
      "what nobody guesses", "äöüß",
      "password of mine", "my dog is a dragon", "dragon736195", "1234567x", "x2345678", "83920174",
      "abcdefgx", "!\"§$%&/()",
      "ana.gomez.works", "harbour cafe", "qwerty the horse", "zyxwv-tsrq", "19840612", "            a",
    ])
  func good(_ password: String) {
    #expect(Self.refusal(password) == nil)
  }

  @Test(
    "A password has 8 to 1024 bytes of any text",
    arguments: ["", "a", "pass123", "äöü", String(repeating: "x", count: 1_025)])
  func length(_ password: String) {
    #expect(Self.refusal(password) == "invalid_password")
  }

  @Test("Every password of 8 bytes on the list is refused, and the list is in lower case")
  func list() {
    #expect(CommonPasswords.all.count > 1_000)
    for bytes in CommonPasswords.all {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!bytes.contains { (0x41...0x5A).contains($0) || $0 <= 0x20 } && bytes.count >= 4, "\(text)")
      if bytes.count >= 8 { #expect(Self.refusal(text) == "password_too_common", "\(text)") }
    }
  }
}
