import ImportFiles

/// What is wrong with a request before any rule of the domain is asked.
enum RequestError: Error {
  case noSuchRoute
  /// The methods that the path does have.
  case methodNotAllowed([String])
  /// No path has the method.
  case methodNotImplemented
  case missingToken
  /// The media types that the client could have.
  case notAcceptable([String])
  /// The content types that it could have.
  case unsupportedMediaType(String)
  case malformedJSON(String)
  case unexpectedBody
  case missingBody
  case invalidBody([ProblemDetail])
  case invalidParameter([ProblemDetail])
  case preconditionRequired
  /// The caller has used up what the rate limit grants.
  case rateLimited(retryAfterSeconds: Int)
  /// A file that cannot be imported.
  case unreadableFile(ImportFileError)
}

/// One thing that is wrong with a body's member or a query's parameter.
struct ProblemDetail: Equatable, Sendable {
  enum Place: Sendable {
    case body
    case query
    case header
  }

  var place: Place
  /// A JSON pointer into the body (RFC 6901), or the name of the parameter or field.
  var location: String
  var code: String
  var detail: String

  /// The most that an answer names; more would let a small request make a large answer.
  private static let shownLimit = 20

  /// What an answer names, in the order of the places.
  static func shown(_ details: [ProblemDetail]) -> [ProblemDetail] {
    let inOrder = details.sorted { $0.location.utf8.lexicographicallyPrecedes($1.location.utf8) }
    return Array(inOrder.prefix(shownLimit))
  }
}
