import FoundationEssentials
import P256Verification
import Testing
import TimeclockDomain

@testable import Delivery

@Suite("The key of who sends to phones")
struct ProviderKeyTests {
  private static let start = Instant(millisecondsSince1970: 1_795_165_200_999)

  private static func bytes(_ text: Substring) throws -> [UInt8] {
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Array(try #require(Data(base64Encoded: String(padded))))
  }

  @Test("signs a token that says by whom and when, without padding")
  func token() throws {
    let key = try ProviderKey(pem: P256Verification.privateKey, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    let parts = try key.token(at: Self.start).split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    #expect(
      String(decoding: try Self.bytes(parts[0]), as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
    #expect(
      String(decoding: try Self.bytes(parts[1]), as: UTF8.self) == #"{"iss":"DEF123GHIJ","iat":1795165200}"#)
    let signature = try Self.bytes(parts[2])
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(P256Verification.isValid(signature, of: signed))
    #expect(!P256Verification.isValid(signature, of: signed.dropLast()))
    #expect(
      parts.allSatisfy { part in
        !part.utf8.contains { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) }
      })
  }

  @Test("is used for 45 minutes, and renewed if Apple asks for it, but not within 20")
  func renewal() throws {
    let key = try ProviderKey(pem: P256Verification.privateKey, keyID: "K", teamID: "T")
    func token(minutes: Int64, milliseconds: Int64 = 0) throws -> String {
      try key.token(at: Self.start.adding(milliseconds: minutes * 60_000 + milliseconds))
    }
    let first = try token(minutes: 0)
    #expect(try token(minutes: 45, milliseconds: -1) == first)
    key.expire(at: Self.start.adding(milliseconds: 19 * 60_000))
    #expect(try token(minutes: 19) == first)
    key.expire(at: Self.start.adding(milliseconds: 20 * 60_000))
    let second = try token(minutes: 20)
    #expect(try token(minutes: 64) == second && second != first)
    let third = try token(minutes: 65)
    #expect(third != second)
    // A clock that was set back.
    #expect(try token(minutes: 0) != third)
  }

  @Test("is a P-256 key in PEM, and identifiers are letters and digits")
  func faults() throws {
    let pem = P256Verification.privateKey
    for text in ["", "x", P256Verification.publicKey] {
      #expect(throws: ProviderKey.Fault.key) { _ = try ProviderKey(pem: text, keyID: "K", teamID: "T") }
    }
    for identifier in ["", "A B", "A\"", "Ä", String(repeating: "A", count: 65)] {
      #expect(throws: ProviderKey.Fault.identifier) {
        _ = try ProviderKey(pem: pem, keyID: identifier, teamID: "T")
      }
      #expect(throws: ProviderKey.Fault.identifier) {
        _ = try ProviderKey(pem: pem, keyID: "K", teamID: identifier)
      }
    }
  }
}
