import Glibc

/// The reason why the server could not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
  /// The host is neither an IP address nor `localhost`.
  case invalidHost(String)
  /// Another program, or another instance of this one, listens on the port.
  case portInUse(host: String, port: UInt16)
  /// This user may not listen on the port, which is usually one below 1024.
  case portNotPermitted(host: String, port: UInt16)
  /// The address is not one of this machine's.
  case addressNotAvailable(host: String)
  /// The path is empty, or longer than the 107 bytes that the system takes.
  case invalidSocketPath(String)
  /// Another server answers on the Unix-domain socket, or the path is a file of another kind.
  case socketInUse(String)
  /// `start` was called before.
  case alreadyStarted
  /// A system call failed, with its errno.
  case system(call: String, code: Int32)

  /// One line for a person.
  package var description: String {
    switch self {
    case .invalidHost(let host):
      "\"\(host)\" is no IP address, nor localhost, nor unix: with the path of a socket"
    case .portInUse(let host, let port): "port \(port) on \(host) is in use by another program"
    case .portNotPermitted(let host, let port): "this user may not listen on port \(port) of \(host)"
    case .addressNotAvailable(let host): "\(host) is not an address of this machine"
    case .invalidSocketPath(let path): "\"\(path)\" is no path of 1 to 107 bytes, as a Unix-domain socket has"
    case .socketInUse(let path): "another program listens on \(path), or it is no socket"
    case .alreadyStarted: "the HTTP server has been started already"
    case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
    }
  }
}
