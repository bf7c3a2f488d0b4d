import HTTPMessages
import Procedures
import TimeclockDomain

extension OperationRequest {
  /// The field by which a person in several organizations says which one is meant.
  private static let organizationField: StaticString = "Timeclock-Organization"

  /// The caller's task timer, in the organization that `TaskTimer.find` finds.
  ///
  /// - Throws: As `TaskTimer.find` does.
  func taskTimer() async throws -> TaskTimer {
    let named = http.fields.values(of: Self.organizationField)
    guard named.count <= 1 else { throw TimeclockError.notFound(.organization) }
    return try await TaskTimer.find(
      Authenticator(context: context).digest(of: http), namedOrganization: named.first, requestID: id,
      in: timeclock
    ).timer
  }

  /// Reads a body of which only the known members count, as the app's server did.
  func openBody<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    try body { reader in
      reader.ignoresUnknownMembers = true
      return try read(reader)
    }
  }
}

extension TaskTimer {
  /// The task timer of a token's person: in the organization of an API token, else in the one that is named, else in the only
  /// one in which the person is active.
  ///
  /// - Throws: `.invalidToken`, `.passwordChangeRequired`, `.notFound(.organization)`, `.callerDeactivated`,
  ///   `.organizationDeactivated`; `RequestError.invalidParameter` if there are several and none is named.
  static func find(
    _ token: TokenDigest, namedOrganization name: String?, requestID: RequestID? = nil,
    in timeclock: Timeclock
  ) async throws -> (timer: TaskTimer, authentication: Authentication) {
    let organization = try await organization(of: token, named: name, in: timeclock)
    let authentication = try await timeclock.authenticate(token, organizationID: organization)
    try authentication.requireOwnPassword()
    var membership = try authentication.requireMembership()
    membership.author = authentication.author(requestID: requestID)
    return (TaskTimer(timeclock: timeclock, caller: membership), authentication)
  }

  private static func organization(
    of token: TokenDigest, named name: String?, in timeclock: Timeclock
  ) async throws -> OrganizationID {
    if let name {
      guard let id = OrganizationID(name) else { throw TimeclockError.notFound(.organization) }
      return id
    }
    let caller = try await timeclock.authenticate(token, organizationID: nil)
    let memberships = try await timeclock.storage.profile(of: caller.user).visible(in: caller.scope)
    let active = memberships.filter { $0.isActive && $0.isAccepted }
    guard let only = active.first ?? memberships.first else { throw TimeclockError.notFound(.organization) }
    guard active.count <= 1 else {
      throw RequestError.invalidParameter([
        ProblemDetail(
          place: .header, location: "Timeclock-Organization", code: "missing",
          detail: "is missing: you are in several organizations")
      ])
    }
    return only.organizationID
  }
}
