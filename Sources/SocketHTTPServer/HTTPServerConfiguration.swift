import Glibc
import HTTPMessages

/// The address that the server listens on, and its limits.
package struct HTTPServerConfiguration: Sendable {
  /// An IPv4 or IPv6 address as text, or `localhost`, which is 127.0.0.1. `::` takes IPv4 as well. Or `unix:` and the
  /// path of a Unix-domain socket, which has no port; its peers count as 127.0.0.1.
  package var host = "127.0.0.1"
  /// The mode of a Unix-domain socket's file.
  package var socketMode: UInt32 = 0o660
  /// The TCP port; 0 lets the system choose one.
  package var port: UInt16 = 8080
  /// The number of event loops that run. One core is left for other work: the kernel's side of the network, a storage's
  /// writer. On two cores one loop answered more requests a second than two.
  package var eventLoopCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
  /// The name of the event loops' threads, before a hyphen and a number.
  package var threadName = "http"
  /// The most connections that are open at once; further ones wait in the system's queue.
  package var connectionLimit = 10_000
  /// The most connections that one IPv4 address, or all addresses of one IPv6 /64, have open at once over all event
  /// loops. A few beyond it are answered 503 and closed, further ones are reset. A value of `connectionLimit` means no
  /// limit for an address.
  package var addressConnectionLimit = 1_000
  /// Whether connections of an address, given as text without a port, are left out of `addressConnectionLimit`, as those
  /// of a proxy with many clients behind it. Called once for each connection, on any event loop.
  package var isUncountedAddress: @Sendable (String) -> Bool = HTTPServerConfiguration.isLoopback
  /// The most bytes of request content that each event loop holds in memory at once, without the first
  /// `HTTPServerConfiguration.uncountedContentByteCount` of each request. A request whose content exceeds the limit is
  /// answered 503, and its connection is closed.
  package var bufferedContentByteCount = 32 * 1024 * 1024
  /// The folder in which long content is kept while it is needed, in files without names.
  package var spoolFolder = HTTPServerConfiguration.temporaryFolder
  /// The most such files of each event loop; each has at most `limits.longBodyByteCount` bytes. A request that finds
  /// none left is answered 503, or the slowest other one.
  package var spoolLimit = 16
  /// The time for which a peer may send nothing of long content before its file may go to another peer.
  package var spoolPatience = Duration.seconds(2)
  package var limits = HTTPRequestLimits()
  package var timeouts = HTTPServerTimeouts()

  /// The bytes of each request's content that `bufferedContentByteCount` leaves out.
  package static let uncountedContentByteCount = ContentBudget.uncountedByteCount

  /// The default configuration.
  package init() {}

  /// The folder for temporary files: the one that `TMPDIR` names, or `/var/tmp`, which is on a disk where `/tmp` may be
  /// memory (file-hierarchy(7)); `/tmp` if the process may not write there.
  package static let temporaryFolder: String = {
    if let folder = getenv("TMPDIR"), folder[0] != 0 { return String(cString: folder) }
    return access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : "/tmp"
  }()

  /// The reason why no file can be made in `spoolFolder`, for a person; nil if one can.
  package var spoolFault: String? {
    do throws(ContentFile.Failure) {
      _ = try ContentFile(in: spoolFolder)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The path of the Unix-domain socket; nil if the host is an address.
  package var socketPath: String? {
    let scheme = UnixListeningSocket.scheme
    return host.hasPrefix(scheme) ? String(host.dropFirst(scheme.count)) : nil
  }

  /// The host and the port, or the Unix-domain socket, as text for a person.
  package var place: String { socketPath ?? "\(host):\(port)" }

  /// Whether an address, given as text, is a loopback address of this machine, 127.0.0.0/8 or ::1, as of a proxy that
  /// runs on it.
  package static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1"
  }
}

/// The times for which the server waits for a client, and for itself to stop.
package struct HTTPServerTimeouts: Sendable {
  /// The time from a connection's or a request's first byte to the end of the request's head.
  package var head = Duration.seconds(10)
  /// The time in which each `HTTPServerTimeouts.progressByteCount` bytes of a request's content have to arrive.
  package var body = Duration.seconds(30)
  /// The time in which the client has to take each `HTTPServerTimeouts.progressByteCount` bytes of a response.
  package var write = Duration.seconds(30)
  /// The bytes of a streamed response that the client must take, on average, in each second that the response waits for
  /// it beyond `streamGrace`: a streamed response holds more than its connection.
  package var streamBytesPerSecond = 16_000
  /// The time for which a streamed response may wait for its client before `streamBytesPerSecond` counts.
  package var streamGrace = Duration.seconds(30)
  /// The time between a response and the next request on the same connection.
  package var idle = Duration.seconds(75)
  /// The time from the start of a graceful stop until requests that still run are cut.
  package var shutdown = Duration.seconds(10)
  /// The time for which a closed connection still reads, so that the peer can read the last response.
  package var lingering = Duration.seconds(2)

  /// The bytes that a slow client must move in a window of `body` or `write`; fewer are too slow.
  package static let progressByteCount = 4096

  /// The default time-outs.
  package init() {}
}
