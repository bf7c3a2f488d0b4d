import HTTPMessages
import TimeclockDomain

extension OperationRequest {
  /// The field by which a person in several organizations says which one is meant.
  private static let organizationField: StaticString = "Timeclock-Organization"

  /// The caller's task timer: in the organization of an API token, else in the one that `Timeclock-Organization` names, else
  /// in the only one that the caller is active in.
  ///
  /// - Throws: `.notFound(.organization)`, `.callerDeactivated`, `.organizationDeactivated`;
  ///   `RequestError.invalidParameter` where there are several and none is named.
  func taskTimer() async throws -> TaskTimer {
    let token = try Authenticator(context: context).digest(of: http)
    let authentication = try await timeclock.authenticate(
      token, organizationID: try await organizationOfTimer())
    var membership = try authentication.requireMembership()
    membership.author = authentication.author(requestID: id)
    return TaskTimer(timeclock: timeclock, caller: membership)
  }

  private func organizationOfTimer() async throws -> OrganizationID {
    let named = http.fields.values(of: Self.organizationField)
    if let name = named.first {
      guard named.count == 1, let id = OrganizationID(name) else {
        throw TimeclockError.notFound(.organization)
      }
      return id
    }
    let caller = try requireAuthentication()
    let memberships = try await timeclock.storage.profile(of: caller.user).visible(in: caller.scope)
    let active = memberships.filter { $0.isActive && $0.isAccepted }
    guard let only = active.first ?? memberships.first else { throw TimeclockError.notFound(.organization) }
    guard active.count <= 1 else {
      throw RequestError.invalidParameter([
        ProblemDetail(
          place: .header, location: Self.organizationField.description, code: "missing",
          detail: "Several organizations: state one")
      ])
    }
    return only.organizationID
  }

  /// Reads a body of which only the known members count, as the app's server did.
  func openBody<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
    try body { reader in
      reader.ignoresUnknownMembers = true
      return try read(reader)
    }
  }
}
