import ArgumentParser
import SocketHTTPServer

/// `timeclock check-health`: asks a running server whether it can serve; for timers and containers.
struct CheckHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a running server whether it is ready. Exits with 0 when it is, 1 when it is not.")

  @OptionGroup var listen: ListenOptions

  func run() throws {
    var configuration = HTTPServerConfiguration()
    configuration.host = try listen.resolvedHost()
    configuration.port = try listen.resolvedPort()
    let place: LocalRequest.Place =
      configuration.socketPath.map { .socket(path: $0) }
      ?? .address(host: configuration.host, port: configuration.port)
    let status = try LocalRequest(place: place).send("GET", "/health/ready").status
    guard status == 200 else {
      throw CommandError("The server at \(configuration.place) is not ready (status \(status)).")
    }
    print("ready")
  }
}
