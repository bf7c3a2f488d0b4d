import FoundationEssentials
import Glibc
import HTTPMessages
import SocketHTTPServer
import Testing

@Suite("A server on a Unix-domain socket")
struct UnixSocketTests {
  /// Runs `body` with the path of a socket in a folder of its own.
  private func withPath(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "timeclock-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "http").path)
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test(
    "Each loop answers on it, its peers count as 127.0.0.1, and nothing of it is left", arguments: [1, 3])
  func answers(_ eventLoopCount: Int) async throws {
    try await withPath { path in
      try await withServer(
        configure: { configuration in
          configuration.host = "unix:\(path)"
          configuration.eventLoopCount = eventLoopCount
        },
        handler: { request in text("\(request.remoteAddress ?? "nobody") \(request.body.count)") }
      ) { port, _, _ in
        #expect(port == 0)
        var file = stat()
        #expect(lstat(path, &file) == 0 && file.st_mode == S_IFSOCK | 0o660)
        for _ in 0..<20 {
          let client = try TestClient(socketPath: path)
          try await client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
          #expect(try await client.readResponse().body == "127.0.0.1 3")
        }
      }
      #expect(!exists(path))
    }
  }

  @Test("A server takes the place of one that ended without a word, and not of one that answers")
  func takesPlace() async throws {
    try await withPath { path in
      let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0)
      close(left)
      try await withServer(configure: { $0.host = "unix:\(path)" }) { _, handler, _ in
        var configuration = HTTPServerConfiguration()
        configuration.host = "unix:\(path)"
        let second = HTTPServer(configuration: configuration, handler: handler)
        #expect(throws: HTTPServerError.socketInUse(path)) { try second.start() }
        let client = try TestClient(socketPath: path)
        try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.readResponse().status == 200)
      }
    }
  }

  @Test("A file of another kind stays, and a path that is too long is refused")
  func refuses() async throws {
    try await withPath { path in
      try Data("kept".utf8).write(to: URL(filePath: path))
      let cases: [(String, HTTPServerError)] = [
        (path, .socketInUse(path)),
        ("", .invalidSocketPath("")),
        (String(repeating: "a", count: 108), .invalidSocketPath(String(repeating: "a", count: 108))),
        ("\(path)/http", .system(call: "bind to \(path)/http", code: ENOTDIR)),
      ]
      for (path, expected) in cases {
        var configuration = HTTPServerConfiguration()
        configuration.host = "unix:\(path)"
        let server = HTTPServer(configuration: configuration, handler: TestHandler(echo))
        #expect(throws: expected) { try server.start() }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    }
  }
}
