import Testing
import TimeclockDomain

@testable import Delivery

@Suite("Messages to webhooks")
struct WebhookSenderTests {
  private static func message(_ url: String) throws -> WebhookMessage {
    WebhookMessage(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", url: try WebhookURL(url),
      secret: Array("C2FVsBQIhrscChlQIMV+b5sSYspob7oD".utf8),
      time: Instant(millisecondsSince1970: 1_614_265_330_999), body: Array(#"{"test": 2432232314}"#.utf8))
  }

  /// The key is that of the specification's own example, `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`, as bytes.
  @Test("are signed as Standard Webhooks does")
  func signature() throws {
    var message = try Self.message("https://a.example/")
    message.secret = [
      49, 242, 144, 246, 191, 6, 41, 138, 171, 79, 8, 212, 60, 63, 8, 44, 246, 72, 163, 98, 218, 45, 164, 176,
    ]
    #expect(
      message.signedFields == [
        "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
        "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      ])
  }

  @Test("go to no reserved name and to no private address, and say so")
  func refused() async throws {
    let sender = WebhookSender(allowing: [], version: "1", threadCount: 1, queueLimit: 4)
    let reserved = try await sender.send(Self.message("https://hooks.example/a"))
    #expect(reserved.status == nil && reserved.error?.contains("reserved") == true)
    let loopback = try await sender.send(Self.message("http://127.0.0.1:9/"))
    #expect(loopback.status == nil && loopback.error != nil && !loopback.isTaken)
    let attempt = loopback.attempt(of: 7, at: .latest)
    #expect(attempt.sequence == 7 && attempt.error == loopback.error)
    sender.stop()
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
      _ = try await sender.send(Self.message("http://127.0.0.1:9/"))
    }
  }
}
