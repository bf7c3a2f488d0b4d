import CLinux
import EventLoops
import Glibc

/// A server loop's listening socket.
struct Listener {
  /// The socket's descriptor; -1 once it is closed.
  var descriptor: Int32
  /// Whether the loop does not accept at present, because of the limit of connections or for want of descriptors.
  var isPaused = true
  /// The time of the next try, in the loop's nanoseconds.
  var resumeTime = Int64.max
}

extension ServerLoop {
  /// Accepts waiting connections, but few enough that the open ones need not wait.
  func acceptConnections(limit: Int = 64) {
    assert(events.isExclusive)
    for _ in 0..<limit {
      guard listener.descriptor >= 0 else { return }
      guard connectionCount.add() else { return pauseAccepting(until: now + timeouts.tick) }
      guard acceptConnection() else {
        connectionCount.remove()
        return
      }
    }
  }

  /// Accepts a connection; false if none waits, or none can be accepted at present.
  private func acceptConnection() -> Bool {
    while true {
      var address = SocketAddress()
      let descriptor = address.withPointer { pointer, length in
        pointer.withMemoryRebound(to: sockaddr_storage.self, capacity: 1) {
          linux_accept_nonblocking(listener.descriptor, $0, length)
        }
      }
      if descriptor >= 0 { return addConnection(descriptor, address) }
      switch errno {
      case EAGAIN: return false
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // The socket stays readable, so waiting for it would spin.
        pauseAccepting(until: now + Self.exhaustionPause)
        return false
      case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP:
        pauseAccepting(until: now + Self.exhaustionPause)
        return false
      default:
        // EINTR, or a network error of a connection that failed before it was accepted (accept(2)).
        continue
      }
    }
  }

  private func addConnection(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
    let host = address.host
    switch connectionsByAddress.admit(address, host: host) {
    case .uncounted: return addConnection(descriptor, host, place: nil)
    case .counted(let place): return addConnection(descriptor, host, place: place)
    case .refused:
      // After a reset nothing of the connection is left, not even in the system.
      Socket.resetOnClose(descriptor)
      close(descriptor)
      connectionCount.remove()
      return true
    }
  }

  private func addConnection(
    _ descriptor: Int32, _ host: String?, place: ConnectionsByAddress.Place?
  ) -> Bool {
    let connection = Connection(descriptor: descriptor, remoteAddress: host, place: place, loop: self)
    guard events.watch(descriptor, .readable, connection) else {
      close(descriptor)
      if let place { connectionsByAddress.remove(place) }
      pauseAccepting(until: now + Self.exhaustionPause)
      return false
    }
    Socket.disableDelay(descriptor)
    let index = Int(descriptor)
    while connections.count <= index { connections.append(nil) }
    connections[index] = connection
    openConnectionCount += 1
    if let place, !place.isServed { connection.reject(.tooManyConnections) }
    return true
  }

  /// Forgets a connection whose descriptor is closed.
  func removeConnection(_ descriptor: Int32) {
    assert(events.isExclusive)
    if let place = connections[Int(descriptor)]?.place { connectionsByAddress.remove(place) }
    connections[Int(descriptor)] = nil
    openConnectionCount -= 1
    connectionCount.remove()
    // There is room for another connection, which the next turn accepts.
    if listener.isPaused, listener.descriptor >= 0 {
      listener.resumeTime = min(listener.resumeTime, now)
    }
  }

  func pauseAccepting(until time: Int64) {
    guard !listener.isPaused else { return }
    listener.isPaused = true
    listener.resumeTime = time
    events.unwatch(listener.descriptor)
  }

  func resumeAccepting() {
    guard listener.isPaused, listener.descriptor >= 0 else { return }
    guard events.watch(listener.descriptor, .readable, self) else {
      listener.resumeTime = now + Self.exhaustionPause
      return
    }
    listener.isPaused = false
    listener.resumeTime = .max
  }

  func resumeAcceptingIfDue() {
    guard listener.isPaused, now >= listener.resumeTime else { return }
    if connectionCount.isBelowLimit {
      resumeAccepting()
    } else {
      listener.resumeTime = now + timeouts.tick
    }
  }

  func closeListener() {
    guard listener.descriptor >= 0 else { return }
    events.unwatch(listener.descriptor)
    close(listener.descriptor)
    listener = Listener(descriptor: -1)
  }

  /// The wait for descriptors or memory to come back, in nanoseconds.
  private static let exhaustionPause: Int64 = 100_000_000
}
