import HTTPMessages
import Metrics

/// Answers `GET /metrics`, and nothing else.
struct MetricsHandler: HTTPHandler {
  /// Makes the text of all metrics.
  let text: @Sendable () -> String

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.path == "/metrics" else { return Self.plain(.notFound, "Metrics are at /metrics.\n") }
    guard request.method == .get || request.method == .head else {
      var response = Self.plain(.methodNotAllowed, "Metrics are read with GET.\n")
      response.fields.append("Allow", "GET, HEAD")
      return response
    }
    var response = HTTPResponse(status: .ok, body: .bytes(Array(text().utf8)))
    response.fields.append("Content-Type", MetricsText.mediaType)
    return response
  }

  func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse {
    Self.plain(rejection.status, "\(rejection.detail)\n")
  }

  private static func plain(_ status: HTTPStatus, _ words: String) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: .bytes(Array(words.utf8)))
    response.fields.append("Content-Type", "text/plain; charset=utf-8")
    return response
  }
}
