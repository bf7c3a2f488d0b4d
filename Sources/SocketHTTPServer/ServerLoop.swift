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
  let connectionCount: ConnectionCount
  let connectionsByAddress: ConnectionsByAddress

  /// Where every socket is read into; only what a connection cannot use at once is copied out of it.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Room for the next responses. A connection gives its buffer back when it is sent: an idle one holds none.
  private var spareBuffers: [[UInt8]] = []
  var listener: Listener
  /// The open connections by descriptor.
  var connections: [Connection?] = []
  var openConnectionCount = 0
  /// The request content that the connections, and the tasks that answer, hold.
  var contentBudget: ContentBudget
  /// Requests that the handler has not done with.
  var runningRequestCount = 0
  /// Those who wait for a request, the last one that answered first.
  private var spareWorkers: [RequestWorker] = []
  /// Connections with output that is sent when the ready jobs have run.
  var connectionsToFlush: [Connection] = []
  /// When a graceful stop ends, in the loop's nanoseconds; nil while the server serves.
  var stopDeadline: Int64?

  private var dateClock = DateClock()
  private var nextTick: Int64 = 0

  /// Accepts from `listeningSocket`, which it owns from here on, once it runs.
  init(
    listeningSocket: Int32, configuration: HTTPServerConfiguration, connectionCount: ConnectionCount,
    connectionsByAddress: ConnectionsByAddress, handler: any HTTPHandler
  ) throws(EventLoopError) {
    self.handler = handler
    self.connectionCount = connectionCount
    self.connectionsByAddress = connectionsByAddress
    contentBudget = ContentBudget(limit: configuration.bufferedContentByteCount)
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

  /// Accepts what waits on the listening socket.
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

  /// Sends what the jobs have written, so that answers written together go out together.
  private func flushConnections() {
    guard !connectionsToFlush.isEmpty else { return }
    let flushed = connectionsToFlush
    connectionsToFlush.removeAll()
    for connection in flushed { connection.flushAfterJobs() }
  }

  /// Takes a buffer whose bytes are sent, to be used for another response.
  func reuse(_ buffer: consuming [UInt8]) {
    if 1...Self.spareBufferByteCount ~= buffer.capacity, spareBuffers.count < Self.spareBufferLimit {
      buffer.removeAll(keepingCapacity: true)
      spareBuffers.append(buffer)
    }
  }

  /// An empty buffer, with room if there is one to spare.
  func takeSpareBuffer() -> [UInt8] {
    spareBuffers.popLast() ?? []
  }

  /// Someone to answer a request.
  func takeWorker() -> RequestWorker {
    spareWorkers.popLast() ?? RequestWorker(loop: self)
  }

  /// Keeps someone who has answered for another request; false where there are enough.
  func keep(_ worker: RequestWorker) -> Bool {
    guard !isStopping, spareWorkers.count < Self.spareWorkerLimit else { return false }
    spareWorkers.append(worker)
    return true
  }

  /// Lets go of those who wait for a request.
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
  private static let spareBufferByteCount = 16 * 1024
  private static let spareBufferLimit = 64
  private static let spareWorkerLimit = 64
}
