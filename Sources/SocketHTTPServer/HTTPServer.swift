import EventLoops
import HTTPMessages
import Synchronization
import Threads

/// An HTTP/1.1 server on POSIX sockets (RFC 9110, RFC 9112): a few event loops, and tasks that
/// answer the requests.
///
/// It handles no signals and logs nothing. TLS and HTTP/2 are left to a reverse proxy.
package final class HTTPServer: Sendable {
  private struct State {
    var loops: [ServerLoop] = []
    var threads: [NamedThread] = []
    var port: UInt16?
    var socketFile: UnixListeningSocket?
    var connectionCount: LimitedCount?
  }

  private let configuration: HTTPServerConfiguration
  private let handler: any HTTPHandler
  private let state = Mutex(State())

  /// A server that does nothing until it is started.
  package init(configuration: HTTPServerConfiguration, handler: any HTTPHandler) {
    self.configuration = configuration
    self.handler = handler
  }

  /// The port the server listens on, chosen by the system if 0 was configured; 0 on a Unix-domain socket; nil before the
  /// start.
  package var port: UInt16? { state.withLock { $0.port } }

  /// The number of open connections; 0 before the start.
  package var openConnectionCount: Int { state.withLock { $0.connectionCount?.current ?? 0 } }

  /// The event loops that serve; none before the start and after the end.
  package var eventLoops: [EventLoop] { state.withLock { $0.loops.map(\.events) } }

  /// Binds the port and starts to serve; returns when connections are accepted.
  ///
  /// - Throws: `HTTPServerError`; nothing is left open then.
  package func start() throws(HTTPServerError) {
    try state.withLock { (state) throws(HTTPServerError) in
      guard state.port == nil else { throw .alreadyStarted }
      let (sockets, port, file) = try listen()
      let connectionCount = LimitedCount(limit: max(1, configuration.connectionLimit))
      do throws(HTTPServerError) {
        let loops = try makeLoops(sockets, connectionCount)
        state.threads = try Self.startThreads(loops, named: configuration.threadName)
        state.loops = loops
      } catch {
        file?.remove()
        throw error
      }
      state.connectionCount = connectionCount
      state.port = port
      state.socketFile = file
    }
  }

  /// Stops gracefully: accepts no more connections, closes idle ones, finishes the requests in flight
  /// until the time-out, then cuts the remaining connections and cancels their requests. Call it once.
  ///
  /// - Parameter timeout: The time that the requests in flight may take; nil for the configured shutdown time-out.
  ///   Returns at most 1.5 seconds later.
  package func stop(within timeout: Duration? = nil) async {
    beginStop(within: timeout)
    let (loops, threads) = state.withLock { state in
      defer { (state.loops, state.threads) = ([], []) }
      return (state.loops, state.threads)
    }
    for loop in loops { await loop.waitUntilStopped() }
    // The loops have ended, so their threads are about to.
    for thread in threads { thread.join() }
  }

  /// Begins to stop as `stop` does, and waits for nothing. The time-out of the first call holds.
  package func beginStop(within timeout: Duration? = nil) {
    let (loops, file) = state.withLock { state in
      defer { state.socketFile = nil }
      return (state.loops, state.socketFile)
    }
    file?.remove()
    for loop in loops { loop.requestStop(within: timeout) }
  }

  /// Opens the listening sockets, one for each event loop.
  private func listen() throws(HTTPServerError) -> ([Int32], UInt16, UnixListeningSocket?) {
    let count = max(1, configuration.eventLoopCount)
    if let path = configuration.socketPath {
      let file = try UnixListeningSocket(path: path, mode: configuration.socketMode, count: count)
      return (file.descriptors, 0, file)
    }
    let (sockets, port) = try ListeningSocket.open(
      host: configuration.host, port: configuration.port, count: count)
    return (sockets, port, nil)
  }

  private func makeLoops(
    _ sockets: [Int32], _ connectionCount: LimitedCount
  ) throws(HTTPServerError) -> [ServerLoop] {
    let connectionsByAddress = ConnectionsByAddress(configuration)
    var loops: [ServerLoop] = []
    do throws(EventLoopError) {
      for socket in sockets {
        loops.append(
          try ServerLoop(
            listeningSocket: socket, configuration: configuration, connectionCount: connectionCount,
            connectionsByAddress: connectionsByAddress, handler: handler))
      }
      return loops
    } catch {
      ListeningSocket.close(sockets)
      throw .system(call: error.call, code: error.code)
    }
  }

  private static func startThreads(
    _ loops: [ServerLoop], named name: String
  ) throws(HTTPServerError) -> [NamedThread] {
    var threads: [NamedThread] = []
    for (index, loop) in loops.enumerated() {
      do {
        threads.append(try NamedThread(name: "\(name)-\(index)", precedence: .prompt) { loop.run() })
      } catch {
        for loop in loops.dropFirst(index) { loop.closeListener() }
        for loop in loops.prefix(index) { loop.requestStop() }
        for thread in threads { thread.join() }
        throw .system(call: "pthread_create", code: (error as? ThreadStartError)?.code ?? 0)
      }
    }
    return threads
  }
}
