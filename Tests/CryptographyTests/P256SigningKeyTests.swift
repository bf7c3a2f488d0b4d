import Cryptography
import P256Verification
import Testing

@Suite("Signing keys on P-256")
struct P256SigningKeyTests {
  private static let message = Array("message".utf8)

  @Test("sign so that the public key verifies it, a new one each time, in 64 bytes")
  func signature() throws {
    let key = try P256SigningKey(pem: P256Verification.privateKey)
    // A coordinate begins with a zero byte in one of 128 signatures, and is padded.
    let signatures = try (0..<300).map { _ in try key.signature(of: Self.message) }
    #expect(Set(signatures).count == signatures.count)
    #expect(signatures.allSatisfy { P256Verification.isValid($0, of: Self.message) })
    #expect(!P256Verification.isValid(signatures[0], of: Self.message + [0]))
    #expect(!P256Verification.isValid(signatures[0].reversed(), of: Self.message))
  }

  @Test("are verified as BoringSSL's signatures are, which earlier versions made")
  func earlier() {
    let words: [UInt64] = [
      0x752f_40c6_dccf_63b4, 0xa714_af57_1836_a5ae, 0x6c17_921d_c5f9_f454, 0x5e3a_645b_ca62_80a6,
      0xccec_8b36_903f_7da2, 0x5084_c3fe_acf8_bd4f, 0xa855_894c_5ab1_52f9, 0x250b_0f63_ef49_193a,
    ]
    let signature = words.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    #expect(P256Verification.isValid(signature, of: Self.message))
  }

  @Test("are read as openssl-ecparam and openssl-pkcs8 write them")
  func forms() throws {
    let sec1 = """
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEINU3nTdd4nS66znh5hcjkctoAtGehhAOKNQDjBwOmKc0oAoGCCqGSM49
      AwEHoUQDQgAEadpmC7/ixegnhEJtFVNCXWLCuZIegjSYLvPhwap/WQ0otBVRt1o+
      +3gewV+h6QtFP++h+MTiH1HbVIB3/ebvWQ==
      -----END EC PRIVATE KEY-----

      """
    let parameters = """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----

      """
    for text in [sec1, parameters + sec1, P256Verification.privateKey.replacing("\n", with: "\r\n")] {
      let signature = try P256SigningKey(pem: text).signature(of: Self.message)
      #expect(P256Verification.isValid(signature, of: Self.message))
    }
  }

  @Test("are no other text, no public key, no encrypted one, and on no other curve")
  func refusals() {
    let p384 = """
      -----BEGIN PRIVATE KEY-----
      MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDofg3ADeD1+SbwFj/p
      R313GKuQpAyApoMQVUU1hESou8G9AXM0S9Aq3hM7bP5XFzqhZANiAASDk/Z19L79
      G7hMcnRyQ112oukPTg850AQZP6RluoKYIU/FboirPUSvTYgEHRYeAE5QT8Dik13w
      Q9mhxln9oyoe9bx8Fa7YFGk48VHzlunWw8bUJ2GFwR/dzFTOicsz7Nw=
      -----END PRIVATE KEY-----

      """
    let encrypted = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg4DD4BmV0+8gICCAAw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEAc1gK8sZ0+arQ9K5MqIKX8EgZAc
      2p++3KOuuRkHp7oxOFalBd9oJ2TeY2xtGWzk6Nr95rjnXfgBBcrrX9QEEqs8C3jz
      CBmkpKHghFqqfhGt06HEcnzVSKjDJbaY/0RC/2Ws18RlKsYpYqdB5VZtRdJll7nF
      X/8L0P7VnUC48SChlvVPn+1WbyVgycgfGaH/I7v0IU1TGUIC5yGCwqd5fyLm+Q0=
      -----END ENCRYPTED PRIVATE KEY-----

      """
    let parameters = """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----

      """
    let key = P256Verification.privateKey
    for text in [
      "", "x", P256Verification.publicKey, p384, encrypted, parameters,
      key.replacing("PRIVATE", with: "PUBLIC"), key.replacing("MIGH", with: "MIGG"), String(key.dropLast(40)),
    ] {
      #expect(throws: CryptographyError.self, "\(text)") { try P256SigningKey(pem: text) }
    }
  }
}
