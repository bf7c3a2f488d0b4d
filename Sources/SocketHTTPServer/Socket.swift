import CLinux
import Glibc

/// The system calls on a connected socket, with their errors sorted by how the caller has to react.
enum Socket {
  enum Received {
    case bytes(Int)
    /// The peer has sent the end of its data.
    case end
    case wouldBlock
    case failed
  }

  enum Sent {
    case bytes(Int)
    case wouldBlock
    case failed
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Received {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .failed
      }
    }
  }

  /// Sends as many of the `bytes` from `start` on as the socket takes, `limit` at most; never raises SIGPIPE.
  static func send(_ descriptor: Int32, _ bytes: [UInt8], from start: Int, atMost limit: Int) -> Sent {
    // The pointer is used only within the closure, and the slice has checked the bounds.
    bytes[start...].withUnsafeBytes { buffer in
      while true {
        let count = Glibc.send(descriptor, buffer.baseAddress, min(limit, buffer.count), Int32(MSG_NOSIGNAL))
        if count >= 0 { return .bytes(count) }
        switch errno {
        case EINTR: continue
        case EAGAIN: return .wouldBlock
        default: return .failed
        }
      }
    }
  }

  /// The number of sent bytes that the peer has not acknowledged yet.
  static func unacknowledgedByteCount(_ descriptor: Int32) -> Int {
    Int(linux_unacknowledged_byte_count(descriptor))
  }

  /// Sends small segments at once (TCP_NODELAY): a response is written whole, so there is nothing to gather.
  static func disableDelay(_ descriptor: Int32) {
    _ = setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Makes the coming close(2) a reset, so that the peer cannot take an incomplete answer for a complete one.
  static func resetOnClose(_ descriptor: Int32) {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }
}
