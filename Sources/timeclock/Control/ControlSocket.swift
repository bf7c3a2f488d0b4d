import Credentials
import FoundationEssentials
import Glibc
import HTTPMessages
import Logging
import Procedures
import SocketHTTPServer
import TimeclockDomain

/// The socket beside an SQLite database on which the server that holds it does the work of commands.
///
/// An SQLite file belongs to one process, so a command beside a running server asks it. The file's mode lets nobody
/// connect but the server's own user and root, who can read and write the database anyway (unix(7)); nothing else is asked
/// of the caller.
enum ControlSocket {
  /// The path of the socket of a database.
  static func path(ofDatabase path: String) -> String { "\(path)-control" }

  /// A server on the socket of a database; nil, after a line in the log, if there can be none. The service does without
  /// it.
  static func server(
    ofDatabase path: String, timeclock: Timeclock, _ passwords: PasswordHasher, logger: Logger,
    _ format: LogFormat
  ) -> HTTPServer? {
    var configuration = HTTPServerConfiguration()
    configuration.host = "unix:\(Self.path(ofDatabase: path))"
    configuration.socketMode = 0o600
    configuration.eventLoopCount = 1
    configuration.threadName = "control"
    configuration.connectionLimit = 8
    let server = HTTPServer(
      configuration: configuration,
      handler: ControlHandler(timeclock: timeclock, passwords: passwords, logger: logger, format: format))
    do {
      try server.start()
      return server
    } catch {
      logger.warning("commands cannot reach this server: \(error)")
      return nil
    }
  }

  /// Whether a server that holds a database listens there.
  static func isServed(ofDatabase path: String) -> Bool {
    LocalRequest(place: .socket(path: Self.path(ofDatabase: path))).isReachable
  }

  /// Has the server that holds a database do the work.
  ///
  /// - Returns: The lines to print.
  /// - Throws: `CommandError`.
  static func perform(_ task: OperatorTask, onDatabase path: String) throws -> [String] {
    let content = Array(try JSONEncoder().encode(task))
    // Hashing a password may wait behind others.
    let request = LocalRequest(place: .socket(path: Self.path(ofDatabase: path)), timeout: 60)
    guard let answer = try request.sendIfReachable("POST", "/tasks", content: content) else {
      throw CommandError(
        "Another process holds the database \(path), and takes no commands (no server answers at \(path)-control). "
          + "Stop it first, or run this as the server's user or as root.")
    }
    guard answer.status == 200,
      let result = try? JSONDecoder().decode(Result.self, from: Data(answer.content))
    else {
      throw CommandError("The server that holds the database is of another version: stop it first.")
    }
    if let failure = result.failure {
      var error = CommandError(failure)
      error.status = result.status ?? error.status
      throw error
    }
    return result.lines
  }

  /// The end of a task.
  fileprivate struct Result: Codable {
    var lines: [String] = []
    /// The sentence for the person at the terminal; nil after a success.
    var failure: String?
    /// The number with which the command ends; nil for that of any failure.
    var status: Int32?
  }
}

/// Does tasks that come over the socket.
private struct ControlHandler: HTTPHandler {
  let timeclock: Timeclock
  let passwords: PasswordHasher
  let logger: Logger
  let format: LogFormat

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.method.name == "POST", request.path == "/tasks",
      let task = try? JSONDecoder().decode(OperatorTask.self, from: Data(request.body))
    else { return HTTPResponse(status: .notFound) }
    var result = ControlSocket.Result()
    do {
      result.lines = try await task.perform(on: timeclock) { passwords }
      logger.event(.notice, "command", format, ["task": .string(task.name)])
    } catch let error as TimeclockError {
      result.failure = CommandError(error).description
    } catch let error as CommandError {
      (result.failure, result.status) = (error.description, error.status)
    } catch {
      logger.error("command \(task.name): \(error)")
      result.failure = "The server could not do it: \(error)"
    }
    let content = (try? JSONEncoder().encode(result)) ?? Data()
    return HTTPResponse(status: .ok, body: .bytes(Array(content)))
  }

  func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse {
    HTTPResponse(status: rejection.status)
  }
}
