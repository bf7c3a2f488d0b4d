import HTTPMessages
import Synchronization
import TimeclockDomain

/// One operation: its method and path, its access rule, and its implementation.
final class Operation: Sendable {
  /// The callers that may use an operation.
  enum Access: Hashable, Sendable {
    /// Anyone, without a token.
    case open
    /// The person who runs the service, with the operator's token.
    case `operator`
    /// Anyone with a token.
    case user
    /// A member of the organization in the path, of at least this role.
    case role(Role)
  }

  /// The requests that an operation answers.
  struct Route: Hashable, Sendable {
    let method: HTTPMethod
    /// The path with its parameters in braces.
    let path: String
    let access: Access
  }

  /// The contract's operationId.
  let id: String
  let method: HTTPMethod
  /// The path with its parameters in braces.
  let path: String
  let access: Access
  let respond: @Sendable (OperationRequest) async throws -> HTTPResponse
  /// Whether it shows or commands a timer, or sends one to a phone: a timer is its member's own, so only a log-in may
  /// call it. An API token was made by an admin.
  let isOfOwnTimer: Bool
  /// A number of the operation, from 0 on in the order in which operations are made.
  let number = Operation.count.wrappingAdd(1, ordering: .relaxed).oldValue
  private static let count = Atomic(0)

  /// An operation of the contract, which says its method, path and access.
  ///
  /// - Parameter id: The operationId. Another one than those of the contract is a fault of this program.
  convenience init(
    _ id: String, _ respond: @escaping @Sendable (OperationRequest) async throws -> HTTPResponse
  ) {
    self.init(id, ContractRoutes.route(of: id), respond)
  }

  init(
    _ id: String, _ route: Route,
    _ respond: @escaping @Sendable (OperationRequest) async throws -> HTTPResponse
  ) {
    self.id = id
    method = route.method
    path = route.path
    access = route.access
    self.respond = respond
    let place = path.split(separator: "/").dropFirst(3).first
    isOfOwnTimer = ["timers", "timerSessions", "liveActivity", "pushTargets"].contains(place)
  }

  /// Whether it is a health check, which supervisors call every few seconds.
  var isHealthCheck: Bool { self === Operation.getLiveness || self === Operation.getReadiness }
}
