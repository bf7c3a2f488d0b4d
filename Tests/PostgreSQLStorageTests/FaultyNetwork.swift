import Glibc
import PostgreSQLTestCluster
import Synchronization

/// Stands between storages and a cluster on a Unix socket of its own, knows where the server's messages begin and end
/// (postgresql.org/docs/current/protocol-message-formats.html), and loses them on request.
///
/// On a Unix socket libpq asks for no encryption, so everything that the server says is such a message.
final class FaultyNetwork: Sendable {
  enum Behavior: Equatable {
    case sound
    /// Cuts the next connection on which the server reports a commit, and loses that report.
    case losesCommit
    /// Cuts the connection that would carry the server's message of this number from now on, once.
    case cuts(atMessage: Int)
    /// Every connection stays, and carries nothing.
    case silent
    /// Connections that stand stay, and carry nothing more.
    case silentOnceConnected
    /// Connections that listen stay, and carry nothing.
    case silentForListeners
    /// No connection that listens.
    case cutsListeners
    /// Sessions listen to another channel than was said.
    case mishearsListeners
  }

  private struct State {
    var behavior = Behavior.sound
    var messageCount = 0
    var cutCount = 0
    var connectionCount = 0
    var isEnded = false
  }

  private let state = Mutex(State())
  private let target: String
  /// The folder of its socket.
  let folder: String
  private let listening: Int32

  init(to cluster: PostgreSQLTestCluster) throws {
    target = cluster.folder + Self.socketName
    var template = Array("/tmp/timeclock-net-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FaultyNetworkError(code: errno) }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.withAddress(folder + Self.socketName, { bind(listening, $0, $1) }) == 0,
      listen(listening, 64) == 0
    else { throw FaultyNetworkError(code: errno) }
    Self.startThread { [self] in accept() }
  }

  /// The same database by way of this network.
  func conninfo(_ direct: String) -> String {
    direct.split(separator: " ").map { $0.hasPrefix("host=") ? "host=\(folder)" : String($0) }
      .joined(separator: " ")
  }

  func behave(_ behavior: Behavior) {
    state.withLock { state in
      state.behavior = behavior
      state.messageCount = 0
    }
  }

  /// How many connections it has cut.
  var cutCount: Int { state.withLock { $0.cutCount } }

  /// How many connections it has taken.
  var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Whether its one-time fault is over.
  var isSound: Bool { state.withLock { $0.behavior == .sound } }

  /// Cuts everything, and takes no connection any more.
  func end() {
    state.withLock { $0.isEnded = true }
    shutdown(listening, Int32(SHUT_RDWR))
    unlink(folder + Self.socketName)
    rmdir(folder)
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listening, nil, nil)
      guard client >= 0 else { break }
      state.withLock { $0.connectionCount += 1 }
      let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
        close(client)
        close(server)
        continue
      }
      Self.startThread { [self] in carry(Line(client: client, server: server)) }
    }
    close(listening)
  }

  /// One connection, until either side ends it.
  private func carry(_ line: consuming Line) {
    while !state.withLock({ $0.isEnded }) {
      var descriptors = [
        pollfd(fd: line.client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: line.server, events: Int16(POLLIN), revents: 0),
      ]
      poll(&descriptors, 2, 10)
      if behavior(for: line) == .cutsListeners { return noteCut() }
      let isSilent = [.silent, .silentOnceConnected, .silentForListeners].contains(behavior(for: line))
      if descriptors[0].revents != 0 {
        guard let bytes = Self.read(line.client) else { return }
        let sent = state.withLock { $0.behavior == .mishearsListeners } ? Self.misheard(bytes) : bytes
        if !isSilent { Self.write(sent, to: line.server) }
      }
      if descriptors[1].revents != 0 {
        guard let bytes = Self.read(line.server) else { return }
        line.received += bytes
        while let message = line.nextMessage() {
          guard passes(message, &line) else { return noteCut() }
          if !isSilent { Self.write(message, to: line.client) }
          if message.first == UInt8(ascii: "Z") { line.isConnected = true }
        }
      }
    }
  }

  /// The behavior toward a connection at this moment.
  private func behavior(for line: borrowing Line) -> Behavior {
    let behavior = state.withLock { $0.behavior }
    let isForOthers =
      switch behavior {
      case .silentForListeners, .cutsListeners: !line.isListener
      case .silentOnceConnected: !line.isConnected
      default: false
      }
    return isForOthers ? .sound : behavior
  }

  /// Whether this message may pass.
  private func passes(_ message: [UInt8], _ line: inout Line) -> Bool {
    if message.starts(with: Self.listenDone) { line.isListener = true }
    return state.withLock { state in
      switch state.behavior {
      case .losesCommit where message.starts(with: Self.commitDone): break
      case .cuts(let number):
        state.messageCount += 1
        guard state.messageCount > number else { return true }
      default: return true
      }
      state.behavior = .sound
      return false
    }
  }

  /// The same with another name of the channel, of the same length.
  private static func misheard(_ bytes: [UInt8]) -> [UInt8] {
    let statement = Array("LISTEN timeclock_access".utf8)
    var bytes = bytes
    for range in bytes.ranges(of: statement) { bytes[range.upperBound - 1] = UInt8(ascii: "_") }
    return bytes
  }

  private func noteCut() {
    state.withLock { $0.cutCount += 1 }
  }

  private static let socketName = "/.s.PGSQL.5432"
  // CommandComplete: its type, its length, its tag.
  private static let commitDone = Array("C\0\0\0\u{B}COMMIT\0".utf8)
  private static let listenDone = Array("C\0\0\0\u{B}LISTEN\0".utf8)
}

struct FaultyNetworkError: Error {
  let code: Int32
}

/// The two ends of one connection.
private struct Line: ~Copyable {
  let client: Int32
  let server: Int32
  var isListener = false
  /// Whether the server has said that it is ready for a query.
  var isConnected = false
  /// Bytes from the server that are no whole message yet.
  var received: [UInt8] = []

  init(client: Int32, server: Int32) {
    self.client = client
    self.server = server
  }

  deinit {
    close(client)
    close(server)
  }

  mutating func nextMessage() -> [UInt8]? {
    guard received.count >= 5 else { return nil }
    let length = 1 + received[1...4].reduce(0) { $0 << 8 | Int($1) }
    guard received.count >= length else { return nil }
    defer { received.removeFirst(length) }
    return Array(received[..<length])
  }
}

extension FaultyNetwork {
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if code == 0 { pthread_detach(thread) } else { box.release() }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
