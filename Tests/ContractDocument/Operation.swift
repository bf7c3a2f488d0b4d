/// One operation of the contract, with all references to parameters and responses resolved.
struct Operation: Sendable {
  var id: String
  var method: String
  /// The path with `{names}` where parameters go.
  var pathTemplate: String
  var parameters: [Parameter]
  /// The schema of the JSON body; nil if the operation takes none.
  var bodySchema: JSONValue?
  var isBodyRequired: Bool
  /// The example of the JSON body.
  var bodyExample: JSONValue?
  /// The body of an operation that takes text, and no JSON.
  var textBody: TextBody?
  var responses: [Int: Response]
  /// Whether a bearer token is needed.
  var isSecured: Bool
  var requiredRole: RequiredRole?
  /// The role that may call it about another member, in `x-required-role-for-others`; nil if it makes no difference.
  var requiredRoleForOthers: RequiredRole?
  /// The part in a group by which members read what is of the group, in `x-required-part-for-group`; nil if there is none.
  var requiredPartForGroup: String?
  /// The problem codes that each status can carry.
  var codes: [Int: [String]]

  /// A body that is text.
  struct TextBody: Sendable {
    /// The content types that it can have.
    var contentTypes: [String]
    /// The example, of the first content type.
    var example: String
  }

  /// A parameter in the path, the query or the head.
  struct Parameter: Sendable {
    var name: String
    var location: String
    var isRequired: Bool
    var schema: JSONValue
  }

  /// The contract of one status.
  struct Response: Sendable {
    var headers: [String: Header]
    /// The schema of each content type; empty without content.
    var content: [String: JSONValue]
  }

  /// A header of a response.
  struct Header: Sendable {
    var isRequired: Bool
    var schema: JSONValue
  }

  /// The role that may call an operation, in `x-required-role`.
  enum RequiredRole: String, Sendable {
    case user, member, manager, admin
    case `operator`
  }

  /// The parameters that stand in the query.
  var queryParameters: [Parameter] { parameters.filter { $0.location == "query" } }

  /// The parameters that stand in the path.
  var pathParameters: [Parameter] { parameters.filter { $0.location == "path" } }

  /// Whether the operation takes an `If-Match`.
  var takesIfMatch: Bool { parameters.contains { $0.name == "If-Match" } }

  /// Whether the operation needs an `If-Match`: to leave it out is an answer of its own.
  var needsIfMatch: Bool { takesIfMatch && responses[428] != nil }

  /// Whether the operation takes an `Idempotency-Key`.
  var takesIdempotencyKey: Bool { parameters.contains { $0.name == "Idempotency-Key" } }

  /// Whether the operation happens inside an organization.
  var isInOrganization: Bool { pathParameters.contains { $0.name == "organizationID" } }
}
