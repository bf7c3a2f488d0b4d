import Credentials
import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Creates an organization with its first admin, for the operator.
  static let createOrganization = Operation("createOrganization") { request in
    try request.requireNoQuery()
    let (organization, password) = try request.body(newOrganization)
    let token = BearerToken()
    let secrecy = password.map { _ in RequestSecrecy.password(request.hashingCaller) } ?? .answer
    return try await request.once(secrecy: secrecy) { created in
      let body = JSONWriter.object { writer in
        writer.name("organization")
        created.organization.write(to: &writer)
        writer.name("user")
        created.admin.write(to: &writer)
        writer.member("token", token.text)
        writer.member("expiresAt", created.tokenExpiresAt)
      }
      return .json(status: .created, location: "/v1/organizations/\(created.organization.id)", body)
    } perform: { recording in
      try await request.timeclock.createOrganization(
        organization, password: password.map { request.newPassword($0) }, token: token.digest,
        by: Author(means: .operator, requestID: request.id), recording: recording)
    }
  }

  private static func newOrganization(
    _ body: ObjectReader
  ) -> (request: NewOrganizationRequest, adminPassword: String?) {
    let name = body.string("name")
    let timeZone = body.string("timeZone")
    let admin = body.object("admin") {
      (email: $0.string("email"), name: $0.string("name"), password: $0.optionalString("password"))
    }
    return (
      NewOrganizationRequest(
        name: name, timeZone: timeZone, adminEmail: admin?.email ?? "", adminName: admin?.name ?? ""),
      admin?.password
    )
  }
}
