import EventLoops
import Glibc
import HTTPMessages

/// One client's connection. It reads requests, hands them to the handler one at a time, and sends the answers in order.
///
/// `@unchecked Sendable`: it is used only on its loop's thread, by the loop itself and by the request
/// tasks, whose executor the loop is. Only `loop`, which never changes, is used elsewhere.
final class Connection: DescriptorWatcher, @unchecked Sendable {
  /// The activity of the connection.
  enum Phase {
    /// Waiting for a request, or in the middle of one.
    case reading
    /// A request is with the handler, or its response is being streamed, or the connection speaks another protocol.
    case responding
    /// The last response is being sent; further input is thrown away.
    case finishing
    /// The connection is half closed, so that the peer can read the last response; further input is thrown away.
    case lingering
    case closed
  }

  /// The kind of time-out that ends at `readDeadline`.
  enum ReadTimer {
    case none
    case head
    case body
    case idle
    case lingering
  }

  let loop: ServerLoop
  let descriptor: Int32
  /// The connection's place in the count of its address; nil if connections of the address are not counted.
  let place: ConnectionsByAddress.Place?

  var phase = Phase.reading
  var parser: HTTPRequestParser
  /// Bytes that came while a request was being answered; the parser has seen those before `unreadStart`.
  var unread: [UInt8] = []
  var unreadStart = 0
  /// Bytes to send; those before `outboundStart` are sent.
  var outbound: [UInt8] = []
  var outboundStart = 0
  /// The events that the poller reports.
  var watchedEvents = DescriptorEvents.readable
  /// The bytes of the arriving request's content that count in the loop's budget.
  var countedContentByteCount = 0
  /// The file that takes the arriving request's content; nil while memory does.
  var spool: Spool?
  /// Whether the peer has sent the end of its data.
  var hasReadEnd = false
  /// Whether the connection is in the loop's list of those to flush.
  var isFlushScheduled = false

  /// The task that answers the current request.
  var task: Task<Void, Never>?
  /// Counts requests, so that a body writer that outlives its own cannot write into another's response.
  var exchangeNumber = 0
  /// Whether the response that is streamed, or was streamed last, ends with the connection.
  var streamsUntilClose = false
  /// The task that waits for input on an upgraded connection.
  var inputWaiter: UnsafeContinuation<Void, Never>?
  /// The pace at which the peer takes the streamed response; nil while no response is streamed.
  var streamProgress: StreamProgress?
  /// Tasks that wait until enough output is sent; each learns whether the connection is still open.
  var drainWaiters: [UnsafeContinuation<Bool, Never>] = []

  var readTimer = ReadTimer.head
  var readDeadline: Int64
  /// The parser's count of content bytes when the body's current window began.
  var bodyWindowStart = 0
  /// The time by which the peer must have taken some output; nil while the system takes all output.
  var writeDeadline: Int64?
  /// Bytes handed to the system.
  var sentByteCount = 0
  /// The bytes that the peer had taken when the write window began.
  var writeWindowStart = 0
  /// Bytes thrown away since the last response was written.
  var discardedByteCount = 0

  init(
    descriptor: Int32, remoteAddress: String?, place: ConnectionsByAddress.Place?, loop: ServerLoop
  ) {
    self.descriptor = descriptor
    self.place = place
    self.loop = loop
    parser = HTTPRequestParser(limits: loop.limits, remoteAddress: remoteAddress)
    readDeadline = loop.now + loop.timeouts.head
  }

  /// Bytes that wait to be sent.
  var pendingByteCount: Int { outbound.count - outboundStart }

  /// Handles the poller's events.
  func handle(_ events: DescriptorEvents) {
    assert(loop.events.isExclusive)
    if events.has(.broken), phase != .lingering, phase != .reading {
      // The peer has reset the connection while an answer is made or sent, so nobody can receive it.
      return disconnect()
    }
    if events.has(.writable) { flush() }
    if events.has(.readable | .broken), phase != .closed { receive() }
  }

  /// Makes the poller report the events that the connection can use now, if they have changed.
  func updateWatchedEvents() {
    guard phase != .closed else { return }
    var events = canReceive ? DescriptorEvents.readable : .none
    if pendingByteCount > 0, !isFlushScheduled { events = events | .writable }
    guard events != watchedEvents else { return }
    watchedEvents = events
    loop.events.change(descriptor, to: events)
  }

  private var canReceive: Bool {
    guard !hasReadEnd else { return false }
    switch phase {
    case .reading: return pendingByteCount <= Self.highWaterByteCount
    case .responding: return unread.count - unreadStart < Self.unreadLimit
    case .finishing, .lingering: return true
    case .closed: return false
    }
  }

  /// Output beyond which no further request is begun and a streaming handler waits.
  static let highWaterByteCount = 64 * 1024
  /// The most that one connection sends in a turn of the loop: the system takes some 50 µs for so much.
  static let portionByteCount = 128 * 1024
  /// Pipelined input beyond which nothing is read until the current request is answered.
  static let unreadLimit = 64 * 1024
  /// The bytes of input that are thrown away after the last response before the connection is closed anyway.
  static let discardLimit = 16 * 1024 * 1024
}
