/// A request method (RFC 9110, section 9). Methods are case-sensitive.
package enum HTTPMethod: Hashable, Sendable {
  case get
  case head
  case post
  case put
  case patch
  case delete
  case options
  /// A syntactically valid method this service has no use for.
  case other(String)

  /// The method's name on the wire.
  package var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other(let name): name
    }
  }

  /// The method with this name on the wire.
  package init(name: String) {
    switch name {
    case "GET": self = .get
    case "HEAD": self = .head
    case "POST": self = .post
    case "PUT": self = .put
    case "PATCH": self = .patch
    case "DELETE": self = .delete
    case "OPTIONS": self = .options
    default: self = .other(name)
    }
  }
}
