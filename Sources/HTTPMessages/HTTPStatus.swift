/// A response's status code (RFC 9110, section 15).
package struct HTTPStatus: Hashable, Sendable {
  /// Three digits, 100 to 599.
  package let code: Int

  package init(_ code: Int) {
    self.code = code
  }

  package static let ok = HTTPStatus(200)
  package static let created = HTTPStatus(201)
  package static let noContent = HTTPStatus(204)
  package static let notModified = HTTPStatus(304)
  package static let badRequest = HTTPStatus(400)
  package static let unauthorized = HTTPStatus(401)
  package static let forbidden = HTTPStatus(403)
  package static let notFound = HTTPStatus(404)
  package static let methodNotAllowed = HTTPStatus(405)
  package static let notAcceptable = HTTPStatus(406)
  package static let requestTimeout = HTTPStatus(408)
  package static let conflict = HTTPStatus(409)
  package static let gone = HTTPStatus(410)
  package static let preconditionFailed = HTTPStatus(412)
  package static let contentTooLarge = HTTPStatus(413)
  package static let uriTooLong = HTTPStatus(414)
  package static let unsupportedMediaType = HTTPStatus(415)
  package static let expectationFailed = HTTPStatus(417)
  package static let misdirectedRequest = HTTPStatus(421)
  package static let unprocessableContent = HTTPStatus(422)
  package static let preconditionRequired = HTTPStatus(428)
  package static let tooManyRequests = HTTPStatus(429)
  package static let requestHeaderFieldsTooLarge = HTTPStatus(431)
  package static let internalServerError = HTTPStatus(500)
  package static let notImplemented = HTTPStatus(501)
  package static let serviceUnavailable = HTTPStatus(503)
  package static let httpVersionNotSupported = HTTPStatus(505)
  package static let insufficientStorage = HTTPStatus(507)

  /// The reason phrase of the registry; empty for a code it does not list.
  package var reasonPhrase: String {
    switch code {
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}
