import CLinux
import EventLoops
import Glibc
import HTTPMessages

/// A server's share of one event loop: a listening socket, the connections it accepted, and their requests.
///
/// A request's task starts, suspends and resumes on the loop's thread, which owns the socket, so it needs
/// no lock and no hop to another thread.
///
/// `@unchecked Sendable`: the constants never change, and everything else is used only on the loop's own
/// thread: in the loop's turns, and by the jobs that it runs.
final class ServerLoop: EventLoopClient, DescriptorWatcher, @unchecked Sendable {
  let events: EventLoop
  let handler: any HTTPHandler
  let limits: HTTPRequestLimits
  let timeouts: LoopTimeouts
  let connectionCount: LimitedCount
  let connectionsByAddress: ConnectionsByAddress

  /// The buffer that every socket is read into. A connection copies out only the bytes that it cannot use at once.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Buffers for the next responses. A connection returns its buffer when its bytes are sent, so an idle one holds none.
  private var spareBuffers: [[UInt8]] = []
  var listener: Listener
  /// The open connections by descriptor.
  var connections: [Connection?] = []
  var openConnectionCount = 0
  /// The request content that the connections and the answering tasks hold.
  var contentBudget: ContentBudget
  /// The files of long content.
  let contentSpools: ContentSpools
  /// The number of requests that the handler has not finished.
  var runningRequestCount = 0
  /// The workers that wait for a request; the one that answered last is taken first.
  private var spareWorkers: [RequestWorker] = []
  /// Connections with output that is sent when the ready jobs have run.
  var connectionsToFlush: [Connection] = []
  /// The end of a graceful stop, in the loop's nanoseconds; nil while the server serves.
  var stopDeadline: Int64?

  private var dateClock = DateClock()
  private var nextTick: Int64 = 0

  /// Makes a loop that owns `listeningSocket` from now on, and accepts from it once it runs.
  init(
    listeningSocket: Int32, configuration: HTTPServerConfiguration, connectionCount: LimitedCount,
    connectionsByAddress: ConnectionsByAddress, handler: any HTTPHandler
  ) throws(EventLoopError) {
    self.handler = handler
    self.connectionCount = connectionCount
    self.connectionsByAddress = connectionsByAddress
    contentBudget = ContentBudget(limit: configuration.bufferedContentByteCount)
    contentSpools = ContentSpools(configuration)
    limits = configuration.limits
    timeouts = LoopTimeouts(configuration.timeouts)
    listener = Listener(descriptor: listeningSocket)
    events = try EventLoop()
    readBuffer = .allocate(byteCount: Self.readBufferByteCount, alignment: 64)
  }

  deinit {
    readBuffer.deallocate()
  }

  /// The loop's clock in nanoseconds, which never goes back.
  @inline(__always)
  var now: Int64 { events.now }

  /// The wall clock's second, for `Date`.
  var date: HTTPDate { dateClock.date(inTurn: now) }

  /// Serves until a stop is complete. Call it on the loop's own thread.
  func run() {
    events.add(self)
    resumeAccepting()
    events.run()
  }

  /// Accepts the connections that wait on the listening socket.
  func handle(_ events: DescriptorEvents) {
    acceptConnections()
  }

  func turnEnded() {
    flushConnections()
    if listener.isPaused { resumeAcceptingIfDue() }
    if now >= nextTick { tick() }
    if isStopped { events.end() }
  }

  var nextDeadline: Int64 {
    guard connectionsToFlush.isEmpty else { return now }
    guard openConnectionCount > 0 || stopDeadline != nil || listener.isPaused else { return .max }
    return min(nextTick, listener.resumeTime)
  }

  /// Sends the output that the jobs have written, so that answers written together go out together.
  private func flushConnections() {
    guard !connectionsToFlush.isEmpty else { return }
    let flushed = connectionsToFlush
    connectionsToFlush.removeAll()
    for connection in flushed { connection.flushAfterJobs() }
  }

  /// Takes back a buffer whose bytes are sent, for another response.
  func reuse(_ buffer: consuming [UInt8]) {
    if 1...Self.spareBufferByteCount ~= buffer.capacity, spareBuffers.count < Self.spareBufferLimit {
      buffer.removeAll(keepingCapacity: true)
      spareBuffers.append(buffer)
    }
  }

  /// Returns an empty buffer, one with capacity if any is spare.
  func takeSpareBuffer() -> [UInt8] {
    spareBuffers.popLast() ?? []
  }

  /// Notes that a request is answered whole, or that its connection is gone.
  func endRequest(contentByteCount: Int) {
    assert(events.isExclusive)
    runningRequestCount -= 1
    contentBudget.release(contentByteCount)
  }

  /// Returns an idle request worker, or creates one.
  func takeWorker() -> RequestWorker {
    assert(events.isExclusive)
    return spareWorkers.popLast() ?? RequestWorker(loop: self)
  }

  /// Keeps an idle worker for another request; false if enough workers are idle.
  func keep(_ worker: RequestWorker) -> Bool {
    assert(events.isExclusive)
    guard !isStopping, spareWorkers.count < Self.spareWorkerLimit else { return false }
    spareWorkers.append(worker)
    return true
  }

  /// Ends the idle workers.
  func endSpareWorkers() {
    for worker in spareWorkers { worker.end() }
    spareWorkers = []
  }

  private func tick() {
    nextTick = now + timeouts.tick
    for index in connections.indices { connections[index]?.checkDeadlines() }
    if let stopDeadline, now >= stopDeadline { cutConnections() }
  }

  private static let readBufferByteCount = 64 * 1024
  static let spareBufferByteCount = 16 * 1024
  private static let spareBufferLimit = 64
  private static let spareWorkerLimit = 64
}
