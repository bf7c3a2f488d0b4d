import Credentials
import HTTPMessages
import Logging
import Procedures
import Threads
import TimeclockDomain
import WebPage

/// The HTTP interface that openapi.yaml describes. It knows requests and responses, but no socket.
package struct TimeclockAPI: HTTPHandler {
  private let context: APIContext
  private let router: Router
  private let timerSockets: TimerSockets
  private let log: RequestLog
  private let requestIDs: RequestIDs

  /// Makes the API of a service.
  ///
  /// - Parameters:
  ///   - timeclock: The use cases that it serves.
  ///   - passwords: Hashes and checks passwords.
  ///   - operatorToken: The digest of the token that creates organizations; nil forbids everyone to create them.
  ///   - version: The program's version, as the service reports it.
  ///   - edge: The settings of the layer before the operations.
  ///   - pings: Sends the messages by which admins try a webhook.
  ///   - logger: Gets a line for each request, and one for each failure that the client did not cause.
  ///   - logsFields: Whether the facts of a line are its metadata, or stand in its message.
  ///   - metrics: Counts the requests; nil if nobody asks for the numbers.
  package init(
    timeclock: Timeclock, passwords: PasswordHasher, operatorToken: TokenDigest?, version: String,
    edge: EdgeConfiguration = EdgeConfiguration(), pings: any WebhookSending, logger: Logger,
    logsFields: Bool = false, metrics: RequestMetrics? = nil
  ) {
    let page = edge.servesPage ? [Operation.pageWorker, .pageAsset] : []
    router = Router(Operation.all.filter { edge.servesTaskTimer || !$0.isOfTaskTimer } + page)
    // Made now, so that no request waits for it.
    if edge.servesPage { _ = WebPage.embedded }
    context = APIContext(
      timeclock: timeclock, passwords: passwords, operatorToken: operatorToken, version: version, edge: edge,
      pings: pings)
    timerSockets = TimerSockets(context)
    requestIDs = RequestIDs(timeclock)
    log = RequestLog(logger: logger, logsFields: logsFields, metrics: metrics)
  }

  /// Ends every stream and every connection of a timer app, and begins none any more, so that a stop does not wait for them.
  package func endStreams() {
    timerSockets.end()
    context.liveFeeds.end()
  }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    let proxies = context.edge.trustedProxies
    guard !proxies.isEmpty else { return await answer(request, fromProxy: false) }
    var attributed = request
    attributed.remoteAddress = proxies.clientAddress(of: request)
    return await answer(attributed, fromProxy: request.remoteAddress.map(proxies.include) ?? false)
  }

  /// Answers a request whose `remoteAddress` is the client's address.
  private func answer(_ request: HTTPRequest, fromProxy: Bool) async -> HTTPResponse {
    var record = log.begin(
      request, id: requestIDs.next(for: request.method),
      names: RequestNames(request.fields, isTrusted: fromProxy))
    var response = await answer(request, &record)
    response.fields.append("X-Request-Id", record.names.given ?? record.id.text)
    record.allowance?.append(to: &response.fields)
    // The page is this origin's alone: another one may not read its files, nor have a copy of it act for it.
    if record.operation?.isOfPage != true { context.edge.crossOrigin?.append(to: &response, for: request) }
    log.end(record, response.status)
    return response
  }

  private func answer(_ request: HTTPRequest, _ record: inout RequestLog.Record) async -> HTTPResponse {
    do {
      let isForSocket = context.edge.servesTaskTimer && TimerSockets.has(request.path)
      if let policy = context.edge.crossOrigin, policy.isPreflight(request),
        !(context.edge.servesPage && Operation.hasOnlyPage(request.path))
      {
        return policy.preflightResponse(
          methods: isForSocket ? ["GET", "POST"] : try router.methods(of: request.path))
      }
      if isForSocket {
        try countForSocket(request, &record)
        return await timerSockets.respond(to: request)
      }
      let match = page(of: request, for: try router.match(request.method, request.path))
      record.operation = match.operation
      if match.operation === Operation.getLiveness { return try await respond(to: request, match, &record) }
      return try await StorageDeadline.$current.withValue(StorageDeadline(StorageDeadline.ofRequest)) {
        try await respond(to: request, match, &record)
      }
    } catch RequestError.noSuchRoute where request.path == "*" {
      return Self.serverOptions
    } catch {
      let error = refusal(error, of: request, &record)
      let problem = problem(for: error, record)
      guard record.operation?.isOfTaskTimer == true else { return problem.response }
      return problem.forTaskTimer(saying: (error as? TaskTimerConflict)?.sentence).response
    }
  }

  /// Returns the page's operation in place of `getService` if a browser asks, which names `text/html`; else `match`.
  private func page(of request: HTTPRequest, for match: Router.Match) -> Router.Match {
    guard match.operation === Operation.getService, context.edge.servesPage,
      AcceptField(request.fields.values(of: "Accept")).names("text/html")
    else { return match }
    return Router.Match(operation: .page, parameters: [])
  }

  /// Answers `OPTIONS *`, which asks about the service as a whole (RFC 9110, section 9.3.7).
  private static let serverOptions: HTTPResponse = {
    var response = HTTPResponse.noContent
    let methods = Set(Operation.all.map(\.method)).union([.head, .options])
    response.fields.append("Allow", methods.map(\.name).sorted().joined(separator: ", "))
    return response
  }()

  private func respond(
    to request: HTTPRequest, _ match: Router.Match, _ record: inout RequestLog.Record
  ) async throws -> HTTPResponse {
    // Its place is elsewhere, with any token.
    if match.operation.method != .get, context.timeclock.isReadOnly {
      throw TimeclockError.readOnlyInstance
    }
    var caller = Authenticator.Caller()
    var rowCharge: RowCharge?
    if match.operation.access != .open {
      caller = try await Authenticator(context: context).authenticate(request, for: match) { token in
        guard let limiter = context.rateLimiter else { return }
        try count(limiter.take(token, at: record.start), in: &record)
        rowCharge = RowCharge(limiter, token, at: record.start)
      }
      record.membership = caller.membership
    } else if !match.operation.isHealthCheck, !match.operation.isOfPage {
      try countByAddress(request, &record)
    }
    defer { record.allowance = rowCharge?.allowance ?? record.allowance }
    let operationRequest = OperationRequest(
      id: record.id, operationID: match.operation.id, http: request, context: context,
      pathParameters: match.parameters, authentication: caller.authentication,
      membership: caller.membership,
      rowCharge: rowCharge)
    let respond = match.operation.respond
    var response =
      operationRequest.asksForLongPage
      ? try await LongWorkExecutor.run { try await respond(operationRequest) }
      : try await respond(operationRequest)
    // A stream of events judges its right by itself, and ends in order.
    if case .stream = response.body, let membership = caller.membership,
      match.operation !== Operation.streamEvents
    {
      response = response.watched(by: try operationRequest.liveAccess(as: membership))
    }
    guard request.method == .get || request.method == .head, !match.operation.isOfPage else {
      return response
    }
    let named = request.fields.values(of: "If-None-Match")
    guard !named.isEmpty, let tag = response.fields["ETag"],
      EntityTag.isNamed(tag, in: named.joined(separator: ","))
    else { return response }
    return .notModified(tag)
  }

  /// Returns the error that a request is refused with. A request without a valid token counts for its address.
  private func refusal(
    _ error: any Error, of request: HTTPRequest, _ record: inout RequestLog.Record
  ) -> any Error {
    switch error {
    case RequestError.missingToken, TimeclockError.invalidToken: break
    default: return error
    }
    guard record.allowance == nil else { return error }
    do {
      try countByAddress(request, &record)
      return error
    } catch let limit {
      return limit
    }
  }

  /// Counts a request without a token, or with an invalid one.
  ///
  /// - Throws: `RequestError.rateLimited`.
  private func countByAddress(_ request: HTTPRequest, _ record: inout RequestLog.Record) throws {
    let allowance = context.rateLimiter?.take(address: request.remoteAddress, at: record.start)
    try count(allowance, in: &record)
  }

  /// Counts a request of a timer app's connection: for its token if that is known, else for the address.
  ///
  /// - Throws: `RequestError.rateLimited`.
  private func countForSocket(_ request: HTTPRequest, _ record: inout RequestLog.Record) throws {
    guard let limiter = context.rateLimiter else { return }
    let socket = timerSockets.socket(of: request)
    if let token = socket?.token {
      return try count(limiter.take(token, at: record.start), in: &record)
    }
    try countByAddress(request, &record)
    socket?.noteRequest()
  }

  private func count(_ allowance: RateLimitAllowance?, in record: inout RequestLog.Record) throws {
    guard let allowance else { return }
    record.allowance = allowance
    if let seconds = allowance.retryAfterSeconds {
      throw RequestError.rateLimited(retryAfterSeconds: seconds)
    }
  }

  package func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse {
    let id = requestIDs.next(for: .get)
    log.note(rejection, id: id, from: remoteAddress)
    var problem = Problem(status: rejection.status, code: rejection.code, detail: rejection.detail)
    if let seconds = rejection.retryAfterSeconds { problem.fields = [("Retry-After", String(seconds))] }
    problem.fields.append(("X-Request-Id", id.text))
    return problem.response
  }

  /// Makes the problem that the client sees. Errors that are not meant for clients stay in the log, under an id.
  private func problem(for error: any Error, _ record: RequestLog.Record) -> Problem {
    switch error {
    case let conflict as TaskTimerConflict:
      return problem(for: conflict.refusal, record)
    case let error as RequestError:
      return Problem(error)
    case let error as TimeclockError:
      log.noteRefusal(error, record)
      return Problem(error, at: context.timeclock.clock.now)
    default:
      let requestID = log.failure(error, record)
      return Problem(
        status: .internalServerError, code: "internal_error",
        detail: "The service failed. The person who runs it finds the reason in its log.",
        requestID: requestID)
    }
  }
}
