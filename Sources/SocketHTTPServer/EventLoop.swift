import CLinux
import Glibc
import HTTPMessages
import Synchronization

/// One thread that waits for its sockets, and the executor of the tasks that answer their requests.
///
/// A request's task starts, suspends and resumes here, on the thread that owns the socket, so it needs
/// no lock and no hop to another thread.
///
/// `@unchecked Sendable`: `inbox` is a mutex, the constants never change, and everything else is used
/// only on the loop's own thread: by `run` and what it calls, and by the jobs that it runs.
final class EventLoop: TaskExecutor, @unchecked Sendable {
  let handler: any HTTPHandler
  let limits: HTTPRequestLimits
  let timeouts: LoopTimeouts
  let connectionCount: ConnectionCount
  let poller: Poller

  let inbox: Mutex<EventLoopInbox>
  private let wakeup: Wakeup

  /// Where every socket is read into; only what a connection cannot use at once is copied out of it.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Room for the next responses. A connection gives its buffer back when it is sent: an idle one holds none.
  var spareBuffers: [[UInt8]] = []
  var clock = LoopClock()
  var listener: Listener
  /// The open connections by descriptor.
  var connections: [Connection?] = []
  var openConnectionCount = 0
  /// The request content that the connections, and the tasks that answer, hold.
  var contentBudget: ContentBudget
  /// Tasks that answer a request and have not returned.
  var runningTaskCount = 0
  /// Connections with output that is sent when the ready jobs have run.
  var connectionsToFlush: [Connection] = []
  /// When a graceful stop ends, in the clock's nanoseconds; nil while the loop serves.
  var stopDeadline: Int64?

  private var readyJobs: [UnownedJob] = []
  private var runningJobs: [UnownedJob] = []
  private var nextTick: Int64 = 0

  /// A loop that accepts from `listeningSocket`, which it owns from here on.
  init(
    listeningSocket: Int32, configuration: HTTPServerConfiguration, connectionCount: ConnectionCount,
    handler: any HTTPHandler
  ) throws(HTTPServerError) {
    self.handler = handler
    self.connectionCount = connectionCount
    contentBudget = ContentBudget(limit: configuration.bufferedContentByteCount)
    limits = configuration.limits
    timeouts = LoopTimeouts(configuration.timeouts)
    listener = Listener(descriptor: listeningSocket)
    poller = try Poller()
    do throws(HTTPServerError) {
      wakeup = try Wakeup()
    } catch {
      poller.close()
      throw error
    }
    inbox = Mutex(EventLoopInbox(wakeup: wakeup))
    readBuffer = .allocate(byteCount: Self.readBufferByteCount, alignment: 64)
  }

  deinit {
    readBuffer.deallocate()
    poller.close()
    wakeup.close()
  }

  /// Whether the caller is on the loop's thread.
  var isCurrent: Bool {
    linux_thread_mark() == Unmanaged.passUnretained(self).toOpaque()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      readyJobs.append(job)
    } else {
      inbox.withLock { $0.add(job) }
    }
  }

  /// Serves until a stop is complete. Call it on the loop's own thread.
  func run() {
    linux_set_thread_mark(Unmanaged.passUnretained(self).toOpaque())
    _ = poller.add(wakeup.descriptor, .readable)
    resumeAccepting()
    while !isStopped {
      handleEvents(poller.wait(milliseconds: waitMilliseconds))
      runReadyJobs()
      flushConnections()
      if listener.isPaused { resumeAcceptingIfDue() }
      if clock.now >= nextTick { tick() }
    }
    inbox.withLock { $0.close() }
    linux_set_thread_mark(nil)
  }

  private func handleEvents(_ eventCount: Int) {
    clock.update()
    for index in 0..<eventCount {
      let (descriptor, events) = poller[index]
      if descriptor == wakeup.descriptor {
        openInbox()
      } else if descriptor == listener.descriptor {
        acceptConnections()
      } else if connections.indices.contains(Int(descriptor)), let connection = connections[Int(descriptor)] {
        // Should the descriptor have been closed and given to a new connection since the events were
        // reported, that one finds nothing to read, and no harm is done.
        connection.handle(events)
        // At once, while the request is in the processor's cache.
        runReadyJobs()
      }
    }
  }

  private func openInbox() {
    wakeup.clear()
    let stopRequest = inbox.withLock { $0.take(into: &readyJobs) }
    if let stopRequest, stopDeadline == nil { beginStop(stopRequest) }
  }

  /// Runs the jobs that are ready and those that they make ready, for a bounded number of rounds.
  private func runReadyJobs() {
    for _ in 0..<Self.jobRoundLimit where !readyJobs.isEmpty {
      swap(&readyJobs, &runningJobs)
      for job in runningJobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      runningJobs.removeAll(keepingCapacity: true)
    }
  }

  /// Sends what the jobs have written, so that answers written together go out together.
  private func flushConnections() {
    guard !connectionsToFlush.isEmpty else { return }
    let flushed = connectionsToFlush
    connectionsToFlush.removeAll()
    for connection in flushed { connection.flushAfterJobs() }
  }

  /// Takes a buffer whose bytes are sent, to be used for another response.
  func reuse(_ buffer: inout [UInt8]) {
    if 1...Self.spareBufferByteCount ~= buffer.capacity, spareBuffers.count < Self.spareBufferLimit {
      buffer.removeAll(keepingCapacity: true)
      spareBuffers.append(buffer)
    }
    buffer = []
  }

  private func tick() {
    nextTick = clock.now + timeouts.tick
    for index in connections.indices { connections[index]?.checkDeadlines() }
    if let stopDeadline, clock.now >= stopDeadline { cutConnections() }
  }

  /// How long the next wait may last.
  private var waitMilliseconds: Int32 {
    guard readyJobs.isEmpty, connectionsToFlush.isEmpty else { return 0 }
    guard openConnectionCount > 0 || stopDeadline != nil || listener.isPaused else { return -1 }
    let wait = max(0, min(nextTick, listener.resumeTime) - clock.now)
    return Int32(clamping: (wait + 999_999) / 1_000_000)
  }

  private static let readBufferByteCount = 64 * 1024
  private static let jobRoundLimit = 32
  private static let spareBufferByteCount = 16 * 1024
  private static let spareBufferLimit = 64
}
