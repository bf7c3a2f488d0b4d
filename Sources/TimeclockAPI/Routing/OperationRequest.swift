import Credentials
import HTTPMessages
import Procedures
import TimeclockDomain

/// A request that is handed to an operation: it is authenticated and routed, and its body is not read yet.
struct OperationRequest: Sendable {
  /// The request's id in the log; nil for a request that only reads.
  let id: RequestID?
  /// The contract's operationId.
  let operationID: String
  let http: HTTPRequest
  let context: APIContext
  /// The path segments that stand for the path's parameters, in order.
  let pathParameters: [String]
  /// The caller's token and person; nil for an open operation and for the operator.
  let authentication: Authentication?
  /// The caller's membership in the organization of the path; nil if the path has no organization.
  let membership: Membership?
  /// Counts rows against the caller's rate limit; nil if there is no limit.
  let rowCharge: RowCharge?

  var timeclock: Timeclock { context.timeclock }

  /// Returns the caller's token and person.
  func requireAuthentication() throws -> Authentication {
    guard let authentication else { throw RequestError.missingToken }
    return authentication
  }

  /// Returns the caller's membership in the organization of the path.
  func requireMembership() throws -> Membership {
    guard var membership, let authentication else { throw TimeclockError.notFound(.organization) }
    membership.author = authentication.author(requestID: id)
    return membership
  }

  /// Returns the id in the path after the organization's. Text that is not an id is refused like an unknown id.
  func pathIdentifier<Subject>(_ resource: TimeclockError.Resource) throws -> Identifier<Subject> {
    guard pathParameters.count == 2, let identifier = Identifier<Subject>(pathParameters[1]) else {
      throw TimeclockError.notFound(resource)
    }
    return identifier
  }

  /// Returns the only id in the path. Text that is not an id is refused like an unknown id.
  func onlyPathIdentifier<Subject>(_ resource: TimeclockError.Resource) throws -> Identifier<Subject> {
    guard pathParameters.count == 1, let identifier = Identifier<Subject>(pathParameters[0]) else {
      throw TimeclockError.notFound(resource)
    }
    return identifier
  }

  /// Refuses a query, unless it is empty.
  func requireNoQuery() throws {
    if http.query != nil { try query { _ in } }
  }

  /// Reads the query with `read`, and refuses parameters that `read` does not ask for.
  func query<Value>(_ read: (QueryReader) throws -> Value) throws -> Value {
    let reader = QueryReader(http.query)
    let value = try read(reader)
    try reader.finish()
    return value
  }

  /// Whether it asks for a page of more rows than an event loop should write: it is made on the threads for long work.
  var asksForLongPage: Bool {
    guard let query = http.query else { return false }
    return query.utf8.split(separator: UInt8(ascii: "&")).contains { parameter in
      parameter.starts(with: "limit=".utf8) && (Int(Substring(parameter.dropFirst(6))) ?? 0) > 100
    }
  }

  /// Identifies the list that an operation answers with, by the query's parameters.
  func list(_ operationID: String, _ query: QueryReader) throws -> ListIdentity {
    try ListIdentity(operationID, of: requireMembership().organizationID, parameters: query.sentParameters)
  }

  /// Reads the body, which must be a JSON object, with `read`, and refuses members that `read` does not ask for.
  ///
  /// - Parameter otherType: Another type of content that the operation takes.
  func body<Value>(
    orElse otherType: String? = nil, _ read: (ObjectReader) throws -> Value
  ) throws -> Value {
    guard !http.body.isEmpty else { throw RequestError.missingBody }
    return try object(orElse: otherType, read)
  }

  /// Reads a body that may be left out.
  func optionalBody<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    http.body.isEmpty ? try read(ObjectReader([])) : try object(read)
  }

  /// Whether the body is stated to be comma- or tab-separated text, in an encoding in which files are read.
  var isDelimitedText: Bool {
    ["text/csv", "text/tab-separated-values"].contains { type in
      MediaType.isText(type, http.fields["Content-Type"], in: ["utf-8", "utf-16", "windows-1252"])
    }
  }

  /// Returns the body, which must be comma- or tab-separated text.
  func delimitedText() throws -> [UInt8] {
    try requireDelimitedText()
    return http.body
  }

  /// Refuses a body that is not stated to be comma- or tab-separated text.
  func requireDelimitedText() throws {
    guard isDelimitedText else {
      throw RequestError.unsupportedMediaType("text/csv or text/tab-separated-values")
    }
  }

  /// Refuses a body.
  func requireNoBody() throws {
    guard http.body.isEmpty else { throw RequestError.unexpectedBody }
  }

  /// Returns the password of a body. It is hashed only after everything else has been checked.
  ///
  /// - Parameter isOneTime: Whether the person has to change it at the first log-in.
  func newPassword(_ text: String, isOneTime: Bool = false) -> NewPassword {
    NewPassword { obvious in
      try NewPasswordRules.check(text, obvious: obvious)
    } hash: { [passwords = context.passwords, hashingCaller] obvious in
      var hash = try await passwords.hash(text, obvious: obvious, by: hashingCaller)
      hash.isOneTime = isOneTime
      return hash
    }
  }

  /// The network that the request comes from.
  var network: ClientNetwork { ClientNetwork(address: http.remoteAddress) }

  /// The caller that hashing counts for, in an operation that needs a token.
  var hashingCaller: HashingCaller {
    if let membership { return .member(membership.key) }
    return authentication.map { .user($0.user, from: network) } ?? .operator
  }

  /// Returns the condition of the `If-Match` field and of the version that a body or a query states; both hold if both
  /// are there.
  ///
  /// - Throws: `RequestError.preconditionRequired` without either, `.invalidParameter`.
  func requireVersionCondition(stated version: Int64?) throws -> VersionCondition {
    guard let condition = try versionCondition(stated: version) else {
      throw RequestError.preconditionRequired
    }
    return condition
  }

  /// Returns the same condition; nil without either.
  ///
  /// - Throws: `RequestError.invalidParameter`.
  func versionCondition(stated version: Int64? = nil) throws -> VersionCondition? {
    let values = http.fields.values(of: "If-Match")
    guard !values.isEmpty else { return version.map { .oneOf([$0]) } }
    guard let condition = VersionCondition(ifMatch: values.joined(separator: ",")) else {
      let detail = "must be an ETag in its quotes, such as \"3\", or *"
      throw RequestError.invalidParameter([
        ProblemDetail(place: .header, location: "If-Match", code: "invalid", detail: detail)
      ])
    }
    return version.map(condition.and) ?? condition
  }

  private func object<Value>(
    orElse otherType: String? = nil, _ read: (ObjectReader) throws -> Value
  ) throws -> Value {
    guard MediaType.isUTF8("application/json", http.fields["Content-Type"]) else {
      throw RequestError.unsupportedMediaType("application/json" + (otherType.map { " or \($0)" } ?? ""))
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
