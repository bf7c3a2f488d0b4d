import CLinux
import Glibc

/// A listening socket that is a file (unix(7)), for clients on the same machine: the file's mode says whose.
struct UnixListeningSocket {
  /// The beginning of `HTTPServerConfiguration.host` for one.
  static let scheme = "unix:"

  /// The descriptors, one for each event loop and all of one socket, which the caller owns.
  let descriptors: [Int32]
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Makes the file and listens.
  ///
  /// A file that an ended server left is replaced; one that a server answers on, or that is no socket, is not.
  ///
  /// - Throws: `HTTPServerError`; nothing is left open then.
  init(path: String, mode: mode_t, count: Int) throws(HTTPServerError) {
    guard let address = SocketAddress(unixPath: path) else { throw .invalidSocketPath(path) }
    let first = linux_nonblocking_stream_socket(AF_UNIX)
    guard first >= 0 else { throw .system(call: "socket", code: errno) }
    var descriptors = [first]
    do throws(HTTPServerError) {
      try Self.bind(first, to: address, path: path)
      do throws(HTTPServerError) {
        // Nobody can connect before listen(2), so the mode holds from the start.
        guard chmod(path, mode) == 0 else { throw .system(call: "chmod", code: errno) }
        guard listen(first, ListeningSocket.backlog) == 0 else { throw .system(call: "listen", code: errno) }
        while descriptors.count < count {
          let copy = fcntl(first, F_DUPFD_CLOEXEC, 0)
          guard copy >= 0 else { throw .system(call: "fcntl", code: errno) }
          descriptors.append(copy)
        }
      } catch {
        unlink(path)
        throw error
      }
    } catch {
      ListeningSocket.close(descriptors)
      throw error
    }
    var file = stat()
    lstat(path, &file)
    (self.descriptors, self.path, device, inode) = (descriptors, path, file.st_dev, file.st_ino)
  }

  /// Removes the file, unless it is another's by now.
  func remove() {
    var file = stat()
    guard lstat(path, &file) == 0, file.st_dev == device, file.st_ino == inode else { return }
    unlink(path)
  }

  private static func bind(
    _ descriptor: Int32, to address: SocketAddress, path: String
  ) throws(HTTPServerError) {
    var address = address
    if address.withPointer({ Glibc.bind(descriptor, $0, $1.pointee) }) == 0 { return }
    guard errno == EADDRINUSE else { throw .system(call: "bind to \(path)", code: errno) }
    guard isAbandoned(address, path) else { throw .socketInUse(path) }
    unlink(path)
    guard address.withPointer({ Glibc.bind(descriptor, $0, $1.pointee) }) == 0 else {
      throw .system(call: "bind to \(path)", code: errno)
    }
  }

  /// Whether the file is a socket that nobody listens on.
  private static func isAbandoned(_ address: SocketAddress, _ path: String) -> Bool {
    var file = stat()
    guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = linux_nonblocking_stream_socket(AF_UNIX)
    guard probe >= 0 else { return false }
    defer { Glibc.close(probe) }
    var address = address
    return address.withPointer({ connect(probe, $0, $1.pointee) }) != 0 && errno == ECONNREFUSED
  }
}
