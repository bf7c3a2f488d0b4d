import ImportFiles
import TimeclockDomain

/// A fault of a request that is found before any rule of the domain is applied.
enum RequestError: Error {
  case noSuchRoute
  /// The path has these methods, but not the request's.
  case methodNotAllowed([String])
  /// No path has the method.
  case methodNotImplemented
  case missingToken
  /// The client takes none of the media types that the service can answer with, which are these.
  case notAcceptable([String])
  /// The body has none of the content types that the operation takes, which are these.
  case unsupportedMediaType(String)
  case malformedJSON(String)
  case unexpectedBody
  case missingBody
  case invalidBody([ProblemDetail])
  case invalidParameter([ProblemDetail])
  case preconditionRequired
  /// The caller has used up the requests that the rate limit grants.
  case rateLimited(retryAfterSeconds: Int)
  /// A file that cannot be imported.
  case unreadableFile(ImportFileError)
  /// A calendar file of which nothing is taken.
  case unreadableCalendar(CalendarFileError)
  /// A file of people to add, with all that is wrong with it; malformed if some of that is the form of the file.
  case invalidFile([ProblemDetail], isMalformed: Bool)
  /// A file with more rows than one request may have.
  case tooManyRows(limit: Int)
}

/// One fault of a body's member or a query's parameter.
struct ProblemDetail: Equatable, Sendable {
  /// The part of the request, by the word for it.
  enum Place: String, Sendable {
    case body
    case query
    case header
    /// A file, whose lines the sentence names.
    case file

    /// The noun for one part of the place.
    fileprivate var noun: String {
      switch self {
      case .body: "property"
      case .query: "parameter"
      case .header: "header"
      case .file: "line"
      }
    }
  }

  var place: Place
  /// A JSON pointer into the body (RFC 6901), or the name of the parameter or field.
  var location: String
  var code: String
  var detail: String

  /// The most faults that an answer names; without the limit, a small request could make a large answer.
  static let shownLimit = 20

  /// The fault with its place, such as `unknown property /department`, to stand behind the word for the part of the request.
  var sentence: String {
    if location.isEmpty { return "it \(detail)" }
    guard code == "unknown" else { return "\(location) \(detail)" }
    return "unknown \(place.noun) \(location)\(detail.dropFirst(Self.isUnknown.count))"
  }

  private static let isUnknown = "is unknown"

  /// The sentence on a name that is not known.
  ///
  /// - Parameters:
  ///   - known: The names that are.
  ///   - count: The faults that were found before it. If they are as many as an answer names, no similar name is looked
  ///     for: a request may have tens of thousands.
  static func unknown(_ name: String, known: [String], after count: Int) -> String {
    let nearest = count < shownLimit ? SimilarNames.nearest(to: name, among: known) : nil
    return isUnknown + (nearest.map { "; similar: \($0)" } ?? "")
  }

  /// The faults that an answer names, in the order of their places.
  static func shown(_ details: [ProblemDetail]) -> [ProblemDetail] {
    let inOrder = details.sorted { $0.location.utf8.lexicographicallyPrecedes($1.location.utf8) }
    return Array(inOrder.prefix(shownLimit))
  }
}
