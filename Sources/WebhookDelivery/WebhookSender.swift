import CCurl
import Glibc
import HTTPMessages
import Synchronization
import Threads
import TimeclockDomain

/// Sends messages to webhooks over the network, by libcurl on threads of its own, which begin with the first message.
///
/// Only addresses of the Internet are connected to, and those that the operator allows: each is judged when libcurl is about
/// to open a socket to it, so a name that is resolved anew, or differently, changes nothing.
package final class WebhookSender: WebhookSending {
  private let addresses: ReachableAddresses
  private let agent: String
  private let threadCount: Int
  private let queueLimit: Int
  private let pool = Mutex<BlockingPool?>(nil)
  private let isOver = Atomic(false)

  /// The time for connecting, and for everything, in milliseconds.
  private static let limits: (connect: Int, total: Int) = (5_000, 15_000)

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - allowed: Addresses that are connected to though they are none of the Internet.
  ///   - version: The program's version, which receivers are told.
  ///   - threadCount: The number of messages that are under way at once.
  ///   - queueLimit: The number of further ones that may wait.
  package init(allowing allowed: [AddressRange], version: String, threadCount: Int, queueLimit: Int) {
    addresses = ReachableAddresses(allowing: allowed)
    agent = "user-agent: timeclock/\(version)"
    self.threadCount = threadCount
    self.queueLimit = queueLimit
  }

  package func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    guard !ReachableAddresses.isReserved(message.url.host) else {
      let error = "\(message.url.host) is a reserved name, which stands for no machine (RFC 6761)."
      return WebhookOutcome(status: nil, error: error, milliseconds: 0)
    }
    let pool = try pool.withLock { pool in
      guard !isOver.load(ordering: .relaxed) else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
      let present =
        try pool ?? BlockingPool(name: "webhooks", threadCount: threadCount, queueLimit: queueLimit)
      pool = present
      return present
    }
    do {
      return try await pool.run { try self.post(message) }
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }

  package func refusedAddress(in url: WebhookURL) -> String? {
    addresses.refused(url.host)?.description
  }

  /// Gives up what is under way, within about a second, and ends the threads. Call it once; it blocks.
  package func stop() {
    isOver.store(true, ordering: .relaxed)
    pool.withLock { $0 }?.stop()
  }

  /// The address that was refused, and the question whether to go on.
  private final class Attempt {
    let sender: WebhookSender
    var refused: IPAddress?

    init(_ sender: WebhookSender) {
      self.sender = sender
    }
  }

  private func post(_ message: WebhookMessage) throws -> WebhookOutcome {
    // An empty `expect` sends the body at once.
    let fields = ["content-type: application/json", agent, "expect:"] + message.signedFields
    let lines = fields.map { strdup($0) }
    defer { for line in lines { free(line) } }
    let attempt = Attempt(self)
    let begin = ContinuousClock.now
    var result = ccurl_result()
    let headers = lines.map { UnsafePointer($0) }
    message.url.text.withCString { url in
      headers.withUnsafeBufferPointer { headers in
        message.body.withUnsafeBytes { body in
          var request = ccurl_request(
            url: url, headers: headers.baseAddress, header_count: headers.count, body: body.baseAddress,
            body_length: body.count, connect_milliseconds: Self.limits.connect,
            total_milliseconds: Self.limits.total, needs_http_2: 0, certificates: nil,
            may_connect: { context, address in
              guard let context, let address, let found = IPAddress(address) else { return 0 }
              let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
              if attempt.sender.addresses.contain(found) { return 1 }
              attempt.refused = found
              return 0
            },
            is_over: { context in
              guard let context else { return 1 }
              let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
              return attempt.sender.isOver.load(ordering: .relaxed) ? 1 : 0
            },
            context: Unmanaged.passUnretained(attempt).toOpaque())
          ccurl_post(&request, &result)
        }
      }
    }
    guard result.code != 0 else {
      return WebhookOutcome(status: Int64(result.status), error: nil, milliseconds: begin.milliseconds)
    }
    guard !isOver.load(ordering: .relaxed) else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
    let words = withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let error =
      attempt.refused.map {
        "\($0.description) is no address of the Internet. The operator may allow it (--webhook-allow)."
      } ?? words
    return WebhookOutcome(status: nil, error: error, milliseconds: begin.milliseconds)
  }
}

extension ContinuousClock.Instant {
  /// The milliseconds that have passed since.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = duration(to: .now).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
