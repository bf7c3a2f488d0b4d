import P256Verification
import Testing
import TimeclockDomain

@testable import Delivery

@Suite("Messages to phones")
struct PushSenderTests {
  private static let now = Instant(millisecondsSince1970: 1_795_165_200_999)

  private static func message(_ content: PushContent) throws -> PushMessage {
    let target = PushTarget(
      id: PushTargetID(high: 1, low: 1), kind: .liveActivity, form: .rest,
      token: try PushToken("00112233445566778899AABBCCDDEEFF"), topic: try PushTopic("com.example.app"),
      environment: .sandbox, dates: .reference, attributesType: nil, createdAt: now, expiresAt: nil)
    return PushMessage(content, to: target, body: Array("{}".utf8), at: now)
  }

  @Test("have the fields that Apple asks for")
  func fields() throws {
    #expect(
      try Self.message(.end(content: nil, .immediate)).fields(token: "T") == [
        "authorization: bearer T", "apns-push-type: liveactivity",
        "apns-topic: com.example.app.push-type.liveactivity", "apns-priority: 10",
        "content-type: application/json", "expect:", "apns-expiration: 1795194000",
      ])
    var timer = MemberTimer.unused
    timer.active = ActiveTimer(
      id: TimerID(high: 1, low: 1), type: .focus, phase: .finished(at: Self.now), startTime: Self.now,
      endTime: Self.now, lastStartTime: Self.now, pausedMilliseconds: 0, originalMilliseconds: 1_000,
      adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false, backgroundSince: nil,
      label: nil, projectID: nil, taskID: nil, subject: nil)
    let end = try #require(TimerEnd(of: timer))
    #expect(
      try Self.message(.alert(end)).fields(token: "T") == [
        "authorization: bearer T", "apns-push-type: alert", "apns-topic: com.example.app",
        "apns-priority: 10", "content-type: application/json", "expect:", "apns-expiration: 1795167000",
      ])
    let activity = try #require(LiveActivity.focus(timer, LiveActivityNames(), at: Self.now).content)
    #expect(
      try Self.message(.update(activity, isUrgent: false)).fields(token: "T").contains("apns-priority: 5"))
  }

  @Test(
    "end as Apple's answer says",
    arguments: [
      (200, nil, .taken), (410, "Unregistered", .gone), (410, nil, .gone), (400, "BadDeviceToken", .gone),
      (400, "DeviceTokenNotForTopic", .gone), (429, "TooManyRequests", .later(seconds: 7)),
      (500, "InternalServerError", .later(seconds: 7)), (503, nil, .later(seconds: 7)),
      (403, "ExpiredProviderToken", .later(seconds: nil)), (403, "InvalidProviderToken", .later(seconds: 60)),
      (400, "IdleTimeout", .later(seconds: 60)), (400, "BadTopic", .refused),
      (413, "PayloadTooLarge", .refused),
      (404, nil, .refused), (301, nil, .refused),
    ] as [(Int, String?, PushOutcome.Verdict)])
  func outcomes(_ status: Int, _ reason: String?, _ verdict: PushOutcome.Verdict) {
    let outcome = PushOutcome(status: status, reason: reason, retryAfter: 7)
    #expect(outcome.verdict == verdict)
    #expect(outcome.reason == (verdict == .taken ? "" : reason ?? "status \(status)"))
  }

  @Test("are tried again if nobody is there, and not after the service's end")
  func unreachable() async throws {
    let key = try ProviderKey(pem: P256Verification.privateKey, keyID: "K", teamID: "T")
    let sender = PushSender(key: key, host: "127.0.0.1:9", threadCount: 1, queueLimit: 4)
    let message = try Self.message(.end(content: nil, .immediate))
    let outcome = try await sender.send(message)
    #expect(outcome.verdict == .later(seconds: nil) && !outcome.reason.isEmpty)
    #expect(!outcome.reason.contains("0011"))
    sender.stop()
    await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
      _ = try await sender.send(message)
    }
  }
}
