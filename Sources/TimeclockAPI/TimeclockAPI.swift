import Credentials
import HTTPMessages
import Logging
import TimeclockDomain

/// The HTTP interface that openapi.yaml describes; knows requests and responses, but no socket.
package struct TimeclockAPI: HTTPHandler {
  private let context: APIContext
  private let router = Router(Operation.all)
  private let log: RequestLog

  /// The API of a service.
  ///
  /// - Parameters:
  ///   - timeclock: What it serves.
  ///   - passwords: Hashes and checks passwords.
  ///   - operatorToken: The digest of the token that creates organisations; nil refuses it to everyone.
  ///   - logger: Gets a line for each request, and one for each failure that is not the client's.
  package init(
    timeclock: Timeclock, passwords: PasswordHasher, operatorToken: TokenDigest?, logger: Logger
  ) {
    context = APIContext(timeclock: timeclock, passwords: passwords, operatorToken: operatorToken)
    log = RequestLog(logger: logger)
  }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    var record = log.begin(request, id: id(for: request))
    let response: HTTPResponse
    do {
      let match = try router.match(request.method, request.path)
      record.operation = match.operation
      if match.operation === Operation.getLiveness {
        response = try await respond(to: request, match, &record)
      } else {
        response = try await StorageDeadline.$current.withValue(StorageDeadline(StorageDeadline.ofRequest)) {
          try await respond(to: request, match, &record)
        }
      }
    } catch RequestError.noSuchRoute where request.path == "*" {
      response = Self.serverOptions
    } catch {
      response = problem(for: error, record).response
    }
    log.end(record, response.status)
    return response
  }

  /// The answer to `OPTIONS *`, which asks about the service as a whole (RFC 9110, section 9.3.7).
  private static let serverOptions: HTTPResponse = {
    var response = HTTPResponse.noContent
    let methods = Set(Operation.all.map(\.method)).union([.head, .options])
    response.fields.append("Allow", methods.map(\.name).sorted().joined(separator: ", "))
    return response
  }()

  private func respond(
    to request: HTTPRequest, _ match: Router.Match, _ record: inout RequestLog.Record
  ) async throws -> HTTPResponse {
    var caller = Authenticator.Caller()
    if match.operation.access != .open {
      caller = try await Authenticator(context: context).authenticate(request, for: match)
      record.membership = caller.membership
    }
    return try await match.operation.respond(
      OperationRequest(
        id: record.id, operationID: match.operation.id, http: request, context: context,
        pathParameters: match.parameters, authentication: caller.authentication, membership: caller.membership
      ))
  }

  /// The id of a request that may change something; one that only reads needs none, and is not slowed down by it.
  private func id(for request: HTTPRequest) -> RequestID? {
    guard request.method != .get, request.method != .head else { return nil }
    return context.timeclock.identifiers.next(at: context.timeclock.clock.now)
  }

  package func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse {
    log.note(rejection, from: remoteAddress)
    var problem = Problem(status: rejection.status, code: rejection.code, detail: rejection.detail)
    if let seconds = rejection.retryAfterSeconds { problem.fields = [("Retry-After", String(seconds))] }
    return problem.response
  }

  /// What the client is told. Errors that are not meant for clients stay in the log, under an id.
  private func problem(for error: any Error, _ record: RequestLog.Record) -> Problem {
    switch error {
    case let error as RequestError:
      return Problem(error)
    case let error as TimeclockError:
      return Problem(error, at: context.timeclock.clock.now)
    default:
      let requestID = log.failure(
        error, record, id: record.id ?? context.timeclock.identifiers.next(at: context.timeclock.clock.now))
      return Problem(
        status: .internalServerError, code: "internal_error",
        detail: "The service failed. The person who runs it finds the reason in its log.",
        requestID: requestID)
    }
  }
}
