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

  @Test("an address keeps its spelling and is compared without regard to ASCII case")
  func addresses() throws {
    let address = try EmailAddress(" Ana.Gomez@Example.COM ")
    #expect(address.text == "Ana.Gomez@Example.COM")
    #expect(address.key == "ana.gomez@example.com")
    // KELVIN SIGN has a lower case of k in Unicode; an address with it is another address.
    #expect(try EmailAddress("\u{212A}@example.com").key != EmailAddress("k@example.com").key)
  }

  @Test(
    "what cannot be an address is refused",
    arguments: [
      "", "ana", "@example.com", "ana@", "a@b@c", "ana gomez@example.com", "ana@exa\u{A0}mple.com",
      "ana\0@example.com", String(repeating: "a", count: 243) + "@example.com",
    ])
  func refusesAddresses(_ sent: String) {
    #expect(throws: TimeclockError.invalidEmail) { try EmailAddress(sent) }
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
