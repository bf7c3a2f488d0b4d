import CCurl
import Glibc
import Synchronization
import Threads
import TimeclockDomain

/// Sends messages to phones through Apple's service (APNs) over HTTP/2, by libcurl on threads of its own. Both come with the
/// first message; each thread keeps its connection for the next.
package final class PushSender: PushSending {
  private let key: ProviderKey
  private let host: String?
  private let certificates: String?
  private let clock: WallClock
  private let threadCount: Int
  private let queueLimit: Int
  private let pool = Mutex<BlockingPool?>(nil)
  private let isOver = Atomic(false)

  /// The time for connecting, and for everything, in milliseconds.
  private static let limits: (connect: Int, total: Int) = (5_000, 15_000)

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - host: The name of a service in place of Apple's two, perhaps with a port; nil for Apple's.
  ///   - certificates: A file of the certificates that are trusted; nil for those of the system.
  ///   - threadCount: The number of messages that are under way at once.
  ///   - queueLimit: The number of further ones that may wait.
  package init(
    key: ProviderKey, host: String? = nil, certificates: String? = nil, clock: WallClock = .system,
    threadCount: Int, queueLimit: Int
  ) {
    self.key = key
    self.host = host
    self.certificates = certificates
    self.clock = clock
    self.threadCount = threadCount
    self.queueLimit = queueLimit
  }

  package func send(_ message: PushMessage) async throws -> PushOutcome {
    let pool = try pool.withLock { pool in
      guard !isOver.load(ordering: .relaxed) else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      let present =
        try pool ?? BlockingPool(name: "push", threadCount: threadCount, queueLimit: queueLimit)
      pool = present
      return present
    }
    do {
      return try await pool.run { try self.post(message) }
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }

  /// Gives up what is under way, within about a second, and ends the threads. Call it once; it blocks.
  package func stop() {
    isOver.store(true, ordering: .relaxed)
    pool.withLock { $0 }?.stop()
  }

  private func post(_ message: PushMessage) throws -> PushOutcome {
    let now = clock.now
    let lines = message.fields(token: try key.token(at: now)).map { strdup($0) }
    defer { for line in lines { free(line) } }
    var result = ccurl_result()
    let url = "https://\(host ?? message.environment.host)/3/device/\(message.token.text)"
    let headers = lines.map { UnsafePointer($0) }
    let trusted = certificates.map { strdup($0) }
    defer { free(trusted ?? nil) }
    url.withCString { url in
      headers.withUnsafeBufferPointer { headers in
        message.body.withUnsafeBytes { body in
          var request = ccurl_request(
            url: url, headers: headers.baseAddress, header_count: headers.count, body: body.baseAddress,
            body_length: body.count, connect_milliseconds: Self.limits.connect,
            total_milliseconds: Self.limits.total, needs_http_2: 1,
            certificates: trusted.map { UnsafePointer($0) } ?? nil, may_connect: nil,
            is_over: { context in
              guard let context else { return 1 }
              let sender = Unmanaged<PushSender>.fromOpaque(context).takeUnretainedValue()
              return sender.isOver.load(ordering: .relaxed) ? 1 : 0
            },
            context: Unmanaged.passUnretained(self).toOpaque())
          ccurl_post(&request, &result)
        }
      }
    }
    guard result.code != 0 else {
      let outcome = PushOutcome(answer: result)
      if outcome.reason == PushOutcome.expiredToken { key.expire(at: now) }
      return outcome
    }
    guard !isOver.load(ordering: .relaxed) else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
    let words = withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return PushOutcome(.later(seconds: nil), reason: words)
  }
}

extension PushMessage {
  /// The fields of the request.
  func fields(token: String) -> [String] {
    // An empty `expect` sends the body at once.
    var fields = [
      "authorization: bearer \(token)", "apns-push-type: \(type.rawValue)", "apns-topic: \(topic)",
      "apns-priority: \(isUrgent ? 10 : 5)", "content-type: application/json", "expect:",
    ]
    if let expiresAt { fields.append("apns-expiration: \(expiresAt.millisecondsSince1970 / 1_000)") }
    return fields
  }
}

extension PushTarget.Environment {
  fileprivate var host: String {
    switch self {
    case .production: "api.push.apple.com"
    case .sandbox: "api.sandbox.push.apple.com"
    }
  }
}
