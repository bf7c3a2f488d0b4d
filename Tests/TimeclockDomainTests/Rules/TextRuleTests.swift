import Testing

@testable import TimeclockDomain

@Suite("Names and e-mail addresses")
struct TextRuleTests {
  @Test("a name is trimmed", arguments: [("Ana", "Ana"), ("  Ana Gómez\n", "Ana Gómez"), ("王", "王")])
  func names(_ sent: String, _ kept: String) throws {
    #expect(try Name.validated(sent) == kept)
  }

  @Test(
    "a name that is empty, too long or holds control characters is refused",
    arguments: ["", "  ", String(repeating: "é", count: 201), "a\nb", "a\tb", "a\0b", "a\u{202E}b"])
  func refusesNames(_ sent: String) {
    #expect(throws: TimeclockError.invalidName) { try Name.validated(sent) }
  }

  @Test("a name of exactly 200 code points is taken")
  func longestName() throws {
    let name = String(repeating: "é", count: 200)
    #expect(try Name.validated(name) == name)
  }

  @Test(
    "an address keeps its spelling, and has one key however it is written",
    arguments: [
      (" Ana.Gomez@Example.COM ", "ana.gomez@example.com"), ("JÖRG@example.com", "jörg@example.com"),
      ("rene\u{301}@example.com", "rené@example.com"), ("RENE\u{301}@EXAMPLE.com", "rené@example.com"),
      ("ΟΔΥΣΣΕΎΣ@example.com", "οδυσσεύσ@example.com"), ("Οδυσσεύς@example.com", "οδυσσεύσ@example.com"),
      // KELVIN SIGN and ANGSTROM SIGN are letters of their own in no text that is composed.
      ("\u{212A}@example.com", "k@example.com"), ("\u{212B}@example.com", "å@example.com"),
      ("straße@example.com", "straße@example.com"), ("STRAẞE@example.com", "straße@example.com"),
      ("i\u{307}@example.com", "i\u{307}@example.com"), ("İ@example.com", "i\u{307}@example.com"),
      // Domains, in either form and in capitals.
      ("a@münchen.example", "a@xn--mnchen-3ya.example"),
      ("a@MU\u{308}NCHEN.Example", "a@xn--mnchen-3ya.example"),
      ("a@XN--MNCHEN-3YA.example", "a@xn--mnchen-3ya.example"), ("a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"),
      ("a@xn--r8jz45g.xn--zckzah", "a@xn--r8jz45g.xn--zckzah"),
      // ς and σ are two domains (RFC 5892), and ß none that ss is.
      ("a@βόλος.example", "a@xn--nxasmm1c.example"), ("a@ΒΌΛΟΣ.example", "a@xn--nxasmq6b.example"),
      ("a@faß.example", "a@xn--fa-hia.example"), ("a@fass.example", "a@fass.example"),
      // A text that is no label of an international name stays unchanged.
      ("a@xn--abc-.example", "a@xn--abc-.example"), ("a@xn--0.example", "a@xn--0.example"),
    ])
  func addresses(_ sent: String, _ key: String) throws {
    let address = try EmailAddress(sent)
    #expect(address.text.utf8.elementsEqual(Text.trimmed(sent).utf8))
    #expect(address.key.utf8.elementsEqual(key.utf8), "\(address.key.unicodeScalars.map(\.value))")
    #expect(EmailAddress.key(of: key).utf8.elementsEqual(key.utf8))
    #expect(
      LogInAttempt(email: sent, from: ClientNetwork(address: "192.0.2.1")).account.utf8.elementsEqual(
        key.utf8))
  }

  @Test(
    "what cannot be an address is refused",
    arguments: [
      "", "ana", "@example.com", "ana@", "a@b@c", "ana gomez@example.com", "ana@exa\u{A0}mple.com",
      "ana\0@example.com", "ana@example..com", "ana@.example.com", "ana@example.com.", "ana@example。",
      String(repeating: "a", count: 243) + "@example.com",
    ])
  func refusesAddresses(_ sent: String) {
    #expect(throws: TimeclockError.invalidEmail(.form)) { try EmailAddress(sent) }
  }

  @Test(
    "invisible characters in an address are refused and named, and accounts that have them are found",
    arguments: [0x200B, 0xFEFF, 0xAD, 0x200D, 0x2060, 0x61C, 0xE0061, 0x34F, 0x115F, 0x3164, 0xFE0F]
      as [UInt32])
  func refusesUnseen(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for text in ["ana@example.com\(scalar)", "\(scalar)ana@example.com", "an\(scalar)a@example.com"] {
      let error = #expect(throws: TimeclockError.invalidEmail(.unseen(scalar))) { try EmailAddress(text) }
      let hex = String(value, radix: 16, uppercase: true)
      #expect(
        error?.detail.contains("U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex) == true)
      #expect(EmailAddress(ofAccount: text)?.text.unicodeScalars.contains(scalar) == true)
    }
  }

  @Test(
    "characters that programs write around addresses are refused and named, and accounts that have them are found",
    arguments: [
      ("ana@example,com", ","), ("mailto:ana@example.com", ":"), ("<ana@example.com>", "<"),
      ("ana@example.com>", ">"), ("ana@[IPv6:::1]", ":"), ("ana@example.com,", ","),
    ] as [(String, Unicode.Scalar)])
  func refusesSigns(_ text: String, _ sign: Unicode.Scalar) {
    let error = #expect(throws: TimeclockError.invalidEmail(.sign(sign))) { try EmailAddress(text) }
    #expect(error?.detail.contains("\"\(sign)\"") == true)
    #expect(EmailAddress(ofAccount: text)?.key == text.lowercased())
  }

  @Test("the form by which older versions knew an address comes first if it is another one")
  func storedKeys() throws {
    #expect(try EmailAddress("ANA@example.com").storedKeys == ["ana@example.com"])
    let decomposed = try EmailAddress("Rene\u{301}@Example.com")
    #expect(
      decomposed.storedKeys.map { Array($0.utf8) }
        == ["rene\u{301}@example.com", "rené@example.com"].map { Array($0.utf8) })
    #expect(try decomposed.isWritten(as: EmailAddress("RENE\u{301}@example.com")))
    #expect(try !decomposed.isWritten(as: EmailAddress("rené@example.com")))
  }

  @Test("texts that differ in case or in how letters are composed are folded alike, and no others")
  func folding() {
    func isSame(_ one: String, _ other: String) -> Bool {
      Text.folded(one).utf8.elementsEqual(Text.folded(other).utf8)
    }
    for (one, other) in [
      ("ΟΔΥΣΣΕΎΣ", "Οδυσσεύς"), ("ÅNGSTRÖM", "A\u{30A}ngstro\u{308}m"), ("ABC", "abc"), ("", ""),
    ] {
      #expect(isSame(one, other))
    }
    for (one, other) in [("é", "e"), ("ß", "ss"), ("ı", "i"), ("o", "0")] { #expect(!isSame(one, other)) }
  }

  @Test("an address of exactly 254 bytes is taken")
  func longestAddress() throws {
    let address = String(repeating: "a", count: 242) + "@example.com"
    #expect(try EmailAddress(address).text.utf8.count == 254)
  }
}

@Suite("Identifiers")
struct IdentifierTests {
  @Test("have one spelling")
  func spelling() throws {
    let text = "0193f2a0-7b1c-7def-8123-456789abcdef"
    let identifier = try #require(TimeEntryID(text))
    #expect(identifier.text == text)
    var bytes: [UInt8] = []
    identifier.append(to: &bytes)
    #expect(bytes == Array(text.utf8))
  }

  @Test("write every digit in every place")
  func digits() throws {
    for place in 0..<32 {
      for digit in 0..<16 as Range<UInt64> {
        // The digit is alone among zeros, then among the highest digits.
        for others in [0, UInt64.max] {
          let shift = UInt64(60 - 4 * (place & 15))
          let half = others & ~(15 << shift) | digit << shift
          let (high, low) = place < 16 ? (half, others) : (others, half)
          var wanted = [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
          }.joined()
          for offset in [20, 16, 12, 8] {
            wanted.insert("-", at: wanted.index(wanted.startIndex, offsetBy: offset))
          }
          #expect(TimeEntryID(high: high, low: low).text == wanted)
        }
      }
    }
  }

  @Test(
    "refuse every other text",
    arguments: [
      "", "0193F2A0-7B1C-7DEF-8123-456789ABCDEF", "0193f2a07b1c7def8123456789abcdef",
      "0193f2a0-7b1c-7def-8123-456789abcde", "0193f2a0-7b1c-7def-8123-456789abcdef0",
      "0193f2a0-7b1c-7def-8123-456789abcdeg", "0193f2a0-7b1c-7def-8123_456789abcdef",
      "0193f2a0-7b1c-7def-8123-456789abcde\u{FF11}",
    ])
  func refusesText(_ text: String) {
    #expect(TimeEntryID(text) == nil)
  }

  @Test("grow, within a millisecond and when the clock is set back, and carry version and variant")
  func grow() throws {
    let generator = IdentifierGenerator()
    let start: Int64 = 1_795_176_000_000
    let times = Array(repeating: start, count: 6_000) + [start - 60_000, start + 1, start + 5_000]
    let identifiers: [TimeEntryID] = times.map { generator.next(at: Instant(millisecondsSince1970: $0)) }
    let texts = identifiers.map(\.text)
    #expect(texts == texts.sorted())
    #expect(Set(texts).count == texts.count)
    for text in texts {
      let characters = Array(text)
      #expect(characters[14] == "7")
      #expect("89ab".contains(characters[19]))
    }
  }

  @Test("carry the time they were made at")
  func time() {
    let identifier: UserID = IdentifierGenerator().next(at: Instant(millisecondsSince1970: 0x0123_4567_89AB))
    #expect(identifier.text.hasPrefix("01234567-89ab-7"))
  }
}

@Suite("Access")
struct AccessTests {
  private func membership(_ role: Role) throws -> Membership {
    let identifiers = IdentifierGenerator()
    let epoch = Instant(millisecondsSince1970: 0)
    return Membership(
      key: MemberKey(organization: OrganizationKey(1), user: UserKey(1)),
      organizationID: identifiers.next(at: epoch), userID: identifiers.next(at: epoch), role: role,
      isActive: true, memberTimeZone: nil,
      organizationTimeZone: try #require(TimeZoneIdentifier("Europe/Berlin")), policy: .standard)
  }

  @Test("each role may do what the ones before it may, and no more")
  func roles() throws {
    for held in Role.allCases {
      for wanted in Role.allCases {
        let isAllowed = (try? membership(held).require(wanted)) != nil
        #expect(isAllowed == (held >= wanted), "\(held) as \(wanted)")
      }
    }
    #expect(Role.member < .manager && Role.manager < .admin)
  }

  @Test("others' entries are for managers and admins")
  func others() throws {
    let somebody: UserID = IdentifierGenerator().next(at: Instant(millisecondsSince1970: 9))
    let member = try membership(.member)
    #expect(throws: TimeclockError.forbidden) { try member.requireAccess(to: somebody) }
    #expect(throws: Never.self) { try member.requireAccess(to: member.userID) }
    #expect(throws: Never.self) { try membership(.manager).requireAccess(to: somebody) }
    #expect(throws: Never.self) { try membership(.admin).requireAccess(to: somebody) }
  }
}
