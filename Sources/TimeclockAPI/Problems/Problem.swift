import HTTPMessages
import TimeclockDomain

/// An error as clients see it: a problem details object (RFC 9457).
struct Problem {
  var status: HTTPStatus
  /// Stable; listed in the contract.
  var code: String
  var detail: String
  var errors: [ProblemDetail] = []
  /// The request's id, if the person who runs the service has to look into the log.
  var requestID: String?
  var writeExtensions: ((inout JSONWriter) -> Void)?
  /// Header fields in addition to those of every answer.
  var fields: [(name: String, value: String)] = []

  /// The problem as a response.
  var response: HTTPResponse {
    var writer = JSONWriter()
    write(to: &writer)
    var response = HTTPResponse(status: status, fields: StandardFields.problem, body: .bytes(writer.bytes))
    for field in fields { response.fields.append(field.name, field.value) }
    return response
  }

  /// Writes the contract's Problem.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "urn:timeclock:problem:\(code)")
      writer.member("title", status.reasonPhrase)
      writer.member("status", Int64(status.code))
      writer.member("detail", detail)
      writer.member("code", code)
      if let requestID { writer.member("requestId", requestID) }
      if !errors.isEmpty { writer.array("errors", errors) { $1.write(to: &$0) } }
      writeExtensions?(&writer)
    }
  }
}

extension ProblemDetail {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch place {
      case .body: writer.member("pointer", location)
      case .query, .header: writer.member("parameter", location)
      case .file: break
      }
      writer.member("code", code)
      writer.member("detail", detail)
    }
  }
}
