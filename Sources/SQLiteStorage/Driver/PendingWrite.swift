import TimeclockDomain

/// A write on its way through the writer's queue: executed once, then finished once.
protocol PendingWrite: Sendable {
  /// The time that it takes, and the organization that it is for.
  var length: WriteLength { get }
  /// Does the write's work inside the open transaction.
  func execute(_ transaction: SQLiteTransaction) throws
  /// Keeps the error of the work, until the others of the batch are committed.
  func note(failure: any Error)
  /// Answers the caller, after the commit.
  func finish()
  /// Reports to the caller that nothing was done, or that the outcome is unknown.
  func finish(failure: any Error)
}

/// A write that a task waits for.
///
/// `@unchecked Sendable`: made by one thread and handed to the writer's through the queue; `result` is
/// touched by the writer's only.
final class AwaitedWrite<Value: Sendable>: PendingWrite, @unchecked Sendable {
  let length: WriteLength
  private let body: @Sendable (SQLiteTransaction) throws -> Value
  private let onCommit: (@Sendable () -> Void)?
  private let continuation: UnsafeContinuation<Value, any Error>
  private var result: Result<Value, any Error>?

  init(
    length: WriteLength, body: @escaping @Sendable (SQLiteTransaction) throws -> Value,
    onCommit: (@Sendable () -> Void)?,
    continuation: UnsafeContinuation<Value, any Error>
  ) {
    self.length = length
    self.body = body
    self.onCommit = onCommit
    self.continuation = continuation
  }

  func execute(_ transaction: SQLiteTransaction) throws {
    result = .success(try body(transaction))
  }

  func note(failure: any Error) {
    result = .failure(failure)
  }

  func finish() {
    if case .success? = result { onCommit?() }
    continuation.resume(with: result ?? .failure(TimeclockError.unavailable(retryAfterSeconds: 1)))
  }

  func finish(failure: any Error) {
    continuation.resume(throwing: failure)
  }
}

/// A write that nobody waits for.
///
/// `@unchecked Sendable`: made by one thread and handed to the writer's through the queue; `hasFailed` is
/// touched by the writer's only.
final class UnawaitedWrite: PendingWrite, @unchecked Sendable {
  let length = WriteLength.short(nil)
  private let body: @Sendable (SQLiteTransaction) throws -> Void
  private let onEnd: @Sendable (_ isCommitted: Bool) -> Void
  private var hasFailed = false

  init(
    body: @escaping @Sendable (SQLiteTransaction) throws -> Void,
    onEnd: @escaping @Sendable (_ isCommitted: Bool) -> Void
  ) {
    self.body = body
    self.onEnd = onEnd
  }

  func execute(_ transaction: SQLiteTransaction) throws {
    try body(transaction)
  }

  func note(failure: any Error) { hasFailed = true }

  func finish() { onEnd(!hasFailed) }

  func finish(failure: any Error) { onEnd(false) }
}
