import EventLoops
import HTTPMessages

/// A task that answers one request after the other, from any of its loop's connections.
///
/// A task for each request would take a tenth of the time of a small request, with the memory that it takes and returns.
///
/// `@unchecked Sendable`: it is used only on its loop's thread, by the loop's connections and by its own task.
final class RequestWorker: @unchecked Sendable {
  /// A request, and the connection that gets the answer.
  struct Exchange {
    let connection: Connection
    let request: HTTPRequest
    let context: HTTPResponseContext
    /// The bytes of the request's content that count in the loop's budget; the task holds them, even if the connection is
    /// gone.
    let contentByteCount: Int
  }

  private let loop: ServerLoop
  private var next: Exchange?
  /// The continuation of the task that waits for the next request; nil while it answers one.
  private var waiting: UnsafeContinuation<Void, Never>?

  /// The task, once it has begun.
  private var task: Task<Void, Never>?

  init(loop: ServerLoop) {
    self.loop = loop
  }

  /// Begins to answer a request; call it on a new or a spare worker.
  ///
  /// - Returns: The task, which the caller may cancel while it answers this request.
  func answer(_ exchange: consuming Exchange) -> Task<Void, Never> {
    assert(loop.events.isExclusive)
    next = consume exchange
    if let task, let waiting {
      self.waiting = nil
      waiting.resume()
      return task
    }
    let task = Task(executorPreference: loop.events) { await self.run() }
    self.task = task
    return task
  }

  /// Lets the task of a spare worker end.
  func end() {
    assert(loop.events.isExclusive)
    waiting?.resume()
    waiting = nil
  }

  private func takeNext() -> Exchange? {
    assert(loop.events.isExclusive)
    var exchange: Exchange?
    swap(&exchange, &next)
    return exchange
  }

  private func run() async {
    while true {
      do {
        guard let exchange = takeNext() else { return }
        if let rest = await exchange.connection.answer(exchange.request, in: exchange.context) {
          // A task keeps the memory that its deepest calls took, as long as it lives: one for each of thousands of streams
          // must not have been through the answering.
          exchange.connection.task = Task(executorPreference: loop.events) {
            [loop, contentByteCount = exchange.contentByteCount] in
            await rest()
            loop.endRequest(contentByteCount: contentByteCount)
          }
        } else {
          loop.endRequest(contentByteCount: exchange.contentByteCount)
        }
      }
      // A canceled task stays canceled, so it cannot be reused.
      guard !Task.isCancelled, loop.keep(self) else { return }
      await withUnsafeContinuation { waiting = $0 }
    }
  }
}
