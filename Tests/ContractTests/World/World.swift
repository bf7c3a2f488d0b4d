@testable import ContractDocument

/// One service with one organization in it, made by calling the service's own operations.
struct World: Sendable {
  let client: ContractClient
  let service: Service
  let home: Tenant
  let snapshots = KnownSnapshots()

  /// The password of everyone.
  static let password = "correct horse battery"

  /// Well-formed ids that nothing has.
  static let absentID = "019aa0f2-3c00-7a10-8b20-ffffffffffff"

  init(client: ContractClient, service: Service) async throws {
    self.client = client
    self.service = service
    home = try await Self.makeTenant("home", client: client, operatorToken: service.operatorToken)
  }

  /// Creates one more organization with other people.
  func makeTenant(_ name: String) async throws -> Tenant {
    try await Self.makeTenant(name, client: client, operatorToken: service.operatorToken)
  }

  private static func makeTenant(
    _ name: String, client: ContractClient, operatorToken: String
  ) async throws -> Tenant {
    let email = "admin@\(name).example"
    let created = try await client.expect(
      Call(
        operationID: "createOrganization",
        body: .json([
          "name": .string(name), "timeZone": "Asia/Kathmandu",
          "admin": ["email": .string(email), "name": "Admin", "password": .string(password)],
        ]), token: operatorToken), 201)
    let organizationID = try text(created.json["organization"]?["id"])
    let admin = Person(
      userID: try text(created.json["user"]?["id"]), email: email, password: password,
      token: try text(created.json["token"]))
    return Tenant(
      organizationID: organizationID, admin: admin,
      manager: try await makePerson(
        "manager@\(name).example", role: "manager", in: organizationID, by: admin, client: client),
      member: try await makePerson(
        "member@\(name).example", role: "member", in: organizationID, by: admin, client: client))
  }

  /// Adds a person to an organization and logs them in.
  func makePerson(
    _ email: String, role: String = "member", mustChangePassword: Bool = false, in tenant: Tenant? = nil
  ) async throws -> Person {
    let tenant = tenant ?? home
    return try await Self.makePerson(
      email, role: role, mustChangePassword: mustChangePassword, in: tenant.organizationID, by: tenant.admin,
      client: client)
  }

  private static func makePerson(
    _ email: String, role: String, mustChangePassword: Bool = false, in organizationID: String,
    by admin: Person, client: ContractClient
  ) async throws -> Person {
    let created = try await client.expect(
      Call(
        operationID: "createMember", path: ["organizationID": organizationID],
        body: .json([
          "email": .string(email), "name": "A Person", "role": .string(role), "password": .string(password),
          "mustChangePassword": .bool(mustChangePassword),
        ]), token: admin.token), 201)
    return Person(
      userID: try text(created.json["userId"]), email: email, password: password,
      token: try await logIn(email, client: client))
  }

  /// Logs in and answers the token.
  func logIn(_ email: String) async throws -> String { try await Self.logIn(email, client: client) }

  private static func logIn(_ email: String, client: ContractClient) async throws -> String {
    let body: JSONValue = ["email": .string(email), "password": .string(password)]
    let reply = try await client.expect(Call(operationID: "createToken", body: .json(body)), 200)
    return try text(reply.json["token"])
  }

  /// The text that an answer must have held for the test to go on.
  static func text(_ value: JSONValue?) throws -> String {
    guard let text = value?.string else { throw DocumentError("an answer lacks what the test needs") }
    return text
  }
}

extension World {
  /// A call in an organization; `home` unless stated.
  func call(
    _ operationID: String, as person: Person?, in tenant: Tenant? = nil, path: [String: String] = [:],
    query: [(name: String, value: String)] = [], body: JSONValue? = nil, ifMatch: String? = nil
  ) -> Call {
    let own = ["organizationID": (tenant ?? home).organizationID]
    return Call(
      operationID: operationID, path: own.merging(path) { $1 }, query: query,
      body: body.map { .json($0) } ?? .none, token: person?.token, ifMatch: ifMatch)
  }

  /// Adds a finding unless the condition holds.
  func check(_ condition: Bool, _ finding: @autoclosure () -> String) {
    client.check(condition, finding())
  }

  /// The entity tag of a member now.
  func etag(of person: Person) async throws -> String? {
    try await client.expect(call("getMember", as: home.admin, path: ["userId": person.userID]), 200).etag
  }
}
