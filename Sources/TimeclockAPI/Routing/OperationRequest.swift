import Credentials
import HTTPMessages
import TimeclockDomain

/// A request on its way into an operation: authenticated, its place found, its body not yet read.
struct OperationRequest: Sendable {
  /// What the request is called in the log; nil for one that only reads.
  let id: RequestID?
  /// The contract's operationId.
  let operationID: String
  let http: HTTPRequest
  let context: APIContext
  /// The path segments that stand for the path's parameters, in order.
  let pathParameters: [String]
  /// Who asks; nil for an open operation and for the operator.
  let authentication: Authentication?
  /// What the caller is in the organization of the path; nil outside one.
  let membership: Membership?
  /// Counts rows against the caller's rate limit; nil where nothing is limited.
  let rowCharge: RowCharge?

  var timeclock: Timeclock { context.timeclock }

  /// Who asks.
  func requireAuthentication() throws -> Authentication {
    guard let authentication else { throw RequestError.missingToken }
    return authentication
  }

  /// What the caller is in the organization of the path.
  func requireMembership() throws -> Membership {
    guard var membership, let authentication else { throw TimeclockError.notFound(.organization) }
    membership.author = authentication.author(requestID: id)
    return membership
  }

  /// The id in the path after the organization's. An id of another form is an id that never was.
  func pathIdentifier<Subject>(_ resource: TimeclockError.Resource) throws -> Identifier<Subject> {
    guard pathParameters.count == 2, let identifier = Identifier<Subject>(pathParameters[1]) else {
      throw TimeclockError.notFound(resource)
    }
    return identifier
  }

  /// Refuses a query, unless it is empty.
  func requireNoQuery() throws {
    if http.query != nil { try query { _ in } }
  }

  /// Reads the query with `read`, and refuses what it does not ask for.
  func query<Value>(_ read: (QueryReader) throws -> Value) throws -> Value {
    let reader = QueryReader(http.query)
    let value = try read(reader)
    try reader.finish()
    return value
  }

  /// The list that an operation answers with, by what the query asks for.
  func list(_ operationID: StaticString, _ query: QueryReader) throws -> ListIdentity {
    try ListIdentity(operationID, of: requireMembership().organizationID, parameters: query.sentParameters)
  }

  /// Reads the body, which must be a JSON object, with `read`, and refuses what it does not ask for.
  func body<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    guard !http.body.isEmpty else { throw RequestError.missingBody }
    return try object(read)
  }

  /// Reads a body that may be left out.
  func optionalBody<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    http.body.isEmpty ? try read(ObjectReader([])) : try object(read)
  }

  /// The body, which must be comma- or tab-separated text.
  func delimitedText() throws -> [UInt8] {
    let types = ["text/csv", "text/tab-separated-values"]
    guard types.contains(where: { MediaType.isUTF8($0, http.fields["Content-Type"]) }) else {
      throw RequestError.unsupportedMediaType("text/csv or text/tab-separated-values")
    }
    return http.body
  }

  /// Refuses a body.
  func requireNoBody() throws {
    guard http.body.isEmpty else { throw RequestError.unexpectedBody }
  }

  /// The password of a body, to be hashed when everything else is known to be in order.
  func newPassword(_ text: String) -> NewPassword {
    NewPassword { [passwords = context.passwords, hashingCaller] obvious in
      try await passwords.hash(text, obvious: obvious, by: hashingCaller)
    }
  }

  /// Where the request comes from.
  var network: ClientNetwork { ClientNetwork(address: http.remoteAddress) }

  /// Whom hashing counts for in an operation that needs a token.
  var hashingCaller: HashingCaller {
    if let membership { return .member(membership.key) }
    return authentication.map { .user($0.user, from: network) } ?? .operator
  }

  /// What the `If-Match` field demands.
  func requireVersionCondition() throws -> VersionCondition {
    let values = http.fields.values(of: "If-Match")
    guard !values.isEmpty else { throw RequestError.preconditionRequired }
    guard let condition = VersionCondition(ifMatch: values.joined(separator: ",")) else {
      let detail = "must be an ETag in its quotes, such as \"3\", or *"
      throw RequestError.invalidParameter([
        ProblemDetail(place: .header, location: "If-Match", code: "invalid", detail: detail)
      ])
    }
    return condition
  }

  private func object<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    guard MediaType.isUTF8("application/json", http.fields["Content-Type"]) else {
      throw RequestError.unsupportedMediaType("application/json")
    }
    let value: JSONValue
    do {
      value = try JSONParser.parse(http.body)
    } catch let error as JSONSyntaxError {
      throw RequestError.malformedJSON(error.detail)
    }
    guard case .object(let members) = value else { throw RequestError.missingBody }
    let reader = ObjectReader(members)
    let result = try read(reader)
    try reader.finish()
    return result
  }
}
