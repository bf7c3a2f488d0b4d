import EventLoops
import HTTPMessages

/// A task that answers one request after the other, of whichever connections its loop has.
///
/// A task for each request, with the memory that it grows to and gives back, is a tenth of what a small request costs.
///
/// `@unchecked Sendable`: it is used only on its loop's thread, by the loop's connections and by its own task.
final class RequestWorker: @unchecked Sendable {
  /// A request, and who gets the answer.
  struct Exchange {
    let connection: Connection
    let request: HTTPRequest
    let context: HTTPResponseContext
    /// What the request's content counts in the loop's budget; the task holds it, even should the connection be gone.
    let contentByteCount: Int
  }

  private let loop: ServerLoop
  private var next: Exchange?
  /// Waits for the next request; nil while one is being answered.
  private var waiting: UnsafeContinuation<Void, Never>?

  /// The task, once it has begun.
  private var task: Task<Void, Never>?

  init(loop: ServerLoop) {
    self.loop = loop
  }

  /// Begins to answer; call it when the worker is new, or spare.
  ///
  /// - Returns: The task, for who wants to cancel it while it answers this request.
  func answer(_ exchange: consuming Exchange) -> Task<Void, Never> {
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
    waiting?.resume()
    waiting = nil
  }

  private func takeNext() -> Exchange? {
    var exchange: Exchange?
    swap(&exchange, &next)
    return exchange
  }

  private func run() async {
    while true {
      do {
        guard let exchange = takeNext() else { return }
        await exchange.connection.answer(exchange.request, in: exchange.context)
        loop.runningRequestCount -= 1
        loop.contentBudget.release(exchange.contentByteCount)
      }
      // Who was canceled stays so.
      guard !Task.isCancelled, loop.keep(self) else { return }
      await withUnsafeContinuation { waiting = $0 }
    }
  }
}
