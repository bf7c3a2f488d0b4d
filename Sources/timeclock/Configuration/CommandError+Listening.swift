import SocketHTTPServer

extension CommandError {
  /// Names the setting because of which a server cannot listen.
  ///
  /// - Parameters:
  ///   - error: The error of `HTTPServer.start`.
  ///   - host: The setting that has the address.
  ///   - port: The setting that has the port.
  init(listening error: any Error, host: Setting, port: Setting) {
    switch error as? HTTPServerError {
    case .portInUse, .portNotPermitted: self.init("\(port.name): \(error)")
    case .invalidHost, .invalidSocketPath: self.init(usage: "\(host.name): \(error)")
    default: self.init("\(host.name): \(error)")
    }
  }
}
