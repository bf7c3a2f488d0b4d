import Credentials
import Testing

@Suite("Secrets of webhooks")
struct WebhookSecretTests {
  @Test("are whsec_ and base64")
  func form() throws {
    let made = WebhookSecret()
    #expect(made.bytes.count == 32 && made.text.hasPrefix("whsec_"))
    #expect(WebhookSecret(made.text)?.bytes == made.bytes)
    #expect(WebhookSecret().bytes != made.bytes)
    #expect(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?.bytes.count == 24)
    for text in ["", "whsec_*", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"] {
      #expect(WebhookSecret(text) == nil, "\(text)")
    }
  }
}
