import HTTPMessages
import ImportFiles

extension Problem {
  /// Makes the answer to a request that was not understood.
  init(_ error: RequestError) {
    switch error {
    case .noSuchRoute:
      self.init(status: .notFound, code: "no_such_route", detail: "There is nothing at this path.")
    case .methodNotAllowed(let methods):
      self.init(
        status: .methodNotAllowed, code: "method_not_allowed",
        detail: "This path does not support this method.",
        fields: [("Allow", methods.joined(separator: ", "))])
    case .methodNotImplemented:
      self.init(
        status: .notImplemented, code: "method_not_implemented",
        detail: "This service does not implement this method.")
    case .missingToken:
      self.init(
        status: .unauthorized, code: "missing_token",
        detail: "Send a token as Authorization: Bearer TOKEN.", fields: [Self.challenge])
    case .notAcceptable(let types):
      self.init(
        status: .notAcceptable, code: "not_acceptable",
        detail: "The Accept header allows none of \(types.joined(separator: ", ")).")
    case .unsupportedMediaType(let types):
      self.init(
        status: .unsupportedMediaType, code: "unsupported_media_type",
        detail: "Send the body as Content-Type: \(types).")
    case .malformedJSON(let detail):
      self.init(status: .badRequest, code: "malformed_json", detail: detail)
    case .unexpectedBody:
      self.init(
        status: .badRequest, code: "unexpected_body", detail: "This operation takes no body.")
    case .missingBody:
      self.init(
        status: .badRequest, code: "invalid_body", detail: "This operation needs a JSON object as body.")
    case .invalidBody(let errors):
      self.init(
        status: .badRequest, code: "invalid_body", detail: Self.summary(of: errors),
        errors: errors)
    case .invalidFile(let errors, let isMalformed):
      let others = errors.count - 1
      self.init(
        status: .badRequest, code: isMalformed ? "malformed_csv" : "invalid_body",
        detail: (errors.first?.detail ?? "") + (others > 0 ? " And \(others) more." : ""),
        errors: Array(errors.prefix(ProblemDetail.shownLimit)))
    case .invalidParameter(let errors):
      self.init(
        status: .badRequest, code: "invalid_parameter", detail: Self.summary(of: errors),
        errors: errors)
    case .preconditionRequired:
      self.init(
        status: .preconditionRequired, code: "precondition_required",
        detail: "Send the ETag that you read as If-Match, or *, or the version in the body.")
    case .rateLimited(let seconds):
      self.init(
        status: .tooManyRequests, code: "rate_limited",
        detail: "Too many requests in a minute. Try again after Retry-After seconds.",
        fields: [("Retry-After", String(seconds))])
    case .tooManyRows(let limit):
      self.init(
        status: .contentTooLarge, code: "body_too_large",
        detail: "The file has more than \(limit) rows. Split it, each part with the first line.")
    case .unreadableCalendar(let error):
      let line = error.line.map { "Line \($0): " } ?? ""
      self.init(status: .badRequest, code: "malformed_calendar", detail: line + error.detail)
    case .unreadableFile(let error):
      let detail = error.detail(.parameters)
      if case .malformed = error {
        self.init(status: .badRequest, code: "malformed_csv", detail: detail)
      } else {
        self.init(status: .unprocessableContent, code: "date_order_unknown", detail: detail)
      }
    }
  }

  /// Names the scheme of authentication (RFC 6750, section 3).
  static let challenge = (name: "WWW-Authenticate", value: "Bearer")

  /// The first fault in words, and how many more there are.
  private static func summary(of errors: [ProblemDetail]) -> String {
    guard let first = errors.first else { return "Invalid request." }
    let others = errors.count - 1
    return "Invalid \(first.place.rawValue): \(first.sentence)\(others == 0 ? "" : " (and \(others) more)")."
  }
}
