import CCurl
import Glibc
import HTTPMessages
import Synchronization
import Threads
import TimeclockDomain

/// Posts messages over the network, by libcurl on threads of its own. Both come with the first message; each thread keeps its
/// connections for the next.
final class Poster: Sendable {
  struct Settings: Sendable {
    /// The threads' name.
    var name: String
    /// The number of messages that are under way at once.
    var threadCount: Int
    /// The number of further ones that may wait.
    var queueLimit: Int
    /// Whether answers have to come by HTTP/2 over TLS.
    var needsHTTP2 = false
    /// A file of the certificates that are trusted; nil for those of the system.
    var certificates: String?
    /// Says why an address is not connected to, when a socket to it is about to be opened; nil for one that may be.
    var refusal: @Sendable (IPAddress) -> String? = { _ in nil }
  }

  /// The end of a request.
  struct Result: Sendable {
    /// The status of the answer; nil if none came.
    var status: Int?
    /// The beginning of the answer's body, 512 bytes at most.
    var body: [UInt8]
    /// The seconds of the answer's `retry-after`; nil if it has none.
    var retryAfter: Int64?
    /// The reason why no answer came; nil if one did.
    var fault: String?
    /// The time that it took, in milliseconds.
    var milliseconds: Int64
  }

  private let settings: Settings
  private let pool = Mutex<BlockingPool?>(nil)
  private let isOver = Atomic(false)

  /// The time for connecting, and for everything, in milliseconds.
  private static let limits: (connect: Int, total: Int) = (5_000, 15_000)
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  init(_ settings: Settings) {
    self.settings = settings
  }

  /// Posts a message and waits for the answer.
  ///
  /// - Parameter fields: Makes the lines of the request, such as `name: value`, on the thread that posts it. An empty
  ///   `expect` sends the body at once.
  /// - Throws: `TimeclockError.unavailable` if too many messages wait, or the service ends; any error of `fields`.
  func post(
    _ body: [UInt8], to url: String, fields: @escaping @Sendable () throws -> [String]
  ) async throws -> Result {
    let pool = try pool.withLock { pool in
      guard !isOver.load(ordering: .relaxed) else { throw Self.unavailable }
      let present =
        try pool
        ?? BlockingPool(
          name: settings.name, threadCount: settings.threadCount, queueLimit: settings.queueLimit)
      pool = present
      return present
    }
    do {
      return try await pool.run { [self] in try send(body, to: url, fields: fields()) }
    } catch is BlockingPoolFull {
      throw Self.unavailable
    }
  }

  /// Gives up sends under way, within about a second, and ends the threads. Call it once; it blocks.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    pool.withLock { $0 }?.stop()
  }

  /// The subject of libcurl's calls, and the reason for which an address was refused.
  private final class Attempt {
    let poster: Poster
    var refusal: String?

    init(_ poster: Poster) {
      self.poster = poster
    }
  }

  private func send(_ body: [UInt8], to url: String, fields: [String]) throws -> Result {
    let attempt = Attempt(self)
    let begin = ContinuousClock.now
    let lines = fields.map { strdup($0) }
    let certificates = settings.certificates.flatMap { strdup($0) }
    defer { for text in lines + [certificates] { free(text) } }
    let headers = lines.map { UnsafePointer($0) }
    var result = ccurl_result()
    url.withCString { url in
      headers.withUnsafeBufferPointer { headers in
        body.withUnsafeBytes { body in
          var request = ccurl_request(
            url: url, headers: headers.baseAddress, header_count: headers.count, body: body.baseAddress,
            body_length: body.count, connect_milliseconds: Self.limits.connect,
            total_milliseconds: Self.limits.total, needs_http_2: settings.needsHTTP2 ? 1 : 0,
            certificates: UnsafePointer(certificates),
            may_connect: { context, address in
              guard let context, let address, let found = IPAddress(address) else { return 0 }
              let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
              guard let refusal = attempt.poster.settings.refusal(found) else { return 1 }
              attempt.refusal = refusal
              return 0
            },
            is_over: { context in
              guard let context else { return 1 }
              let attempt = Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
              return attempt.poster.isOver.load(ordering: .relaxed) ? 1 : 0
            },
            context: Unmanaged.passUnretained(attempt).toOpaque())
          ccurl_post(&request, &result)
        }
      }
    }
    let isAnswered = result.code == 0
    if !isAnswered, isOver.load(ordering: .relaxed) { throw Self.unavailable }
    let words = withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Result(
      status: isAnswered ? result.status : nil,
      body: withUnsafeBytes(of: result.body) { Array($0.prefix(result.body_length)) },
      retryAfter: result.retry_after < 0 ? nil : Int64(result.retry_after),
      fault: isAnswered ? nil : attempt.refusal ?? words, milliseconds: begin.duration(to: .now).milliseconds)
  }
}
