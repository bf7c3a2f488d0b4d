import Credentials
import Testing
import TimeclockDomain

@testable import ContractDocument

/// The cost of a log-in, counted in hashes: a difference that can be measured from outside would reveal accounts.
struct LogInWorkTests {
  /// Runs a test in a world whose hashes are counted.
  private static func run(
    _ storage: StorageKind, _ test: (World, PasswordHasher) async throws -> Void
  ) async throws {
    let passwords = try PasswordHasher(cost: .minimal, threadCount: 2, placesOfPerson: 4)
    let service = try await Service.start(
      ServiceKind(storage: storage, transport: .inProcess), passwords: passwords)
    let findings = Findings()
    do {
      let client = ContractClient(
        document: try OpenAPIDocument.contract.get(), transport: service.transport, recorder: Recorder(),
        findings: findings)
      try await test(try await World(client: client, service: service), passwords)
    } catch {
      findings.add("stopped by \(error)")
    }
    await service.stop()
    #expect(findings.all == [])
  }

  private static func logIn(_ email: String, _ password: String = World.password) -> Call {
    Call(operationID: "createToken", body: .json(["email": .string(email), "password": .string(password)]))
  }

  @Test("Every failed log-in is answered with the same bytes after one hash", arguments: StorageKind.allCases)
  func failures(_ storage: StorageKind) async throws {
    try await Self.run(storage) { world, passwords in
      let gone = try await world.makePerson("gone@home.example")
      try await world.deactivate(gone)
      let plain: JSONValue = ["email": "plain@home.example", "name": "P", "role": "member"]
      try await world.client.expect(world.call("createMember", as: world.home.admin, body: plain), 201)
      var answers: Set<String> = []
      for (email, password) in [
        ("nobody@home.example", World.password), (world.home.member.email, "another password"),
        (gone.email, World.password), ("plain@home.example", ""), ("plain@home.example", World.password),
        ("no address", World.password), ("", ""),
        (world.home.member.email, String(repeating: "x", count: 2_000)),
      ] {
        let before = passwords.hashCount
        let reply = try await world.client.expect(Self.logIn(email, password), 401, comment: email)
        #expect(passwords.hashCount == before + 1, "\(email) \(password.prefix(20))")
        var response = reply.response
        response.headers.removeAll { $0.name.lowercased() == "x-request-id" }
        answers.insert("\(response)")
      }
      #expect(answers.count == 1)
    }
  }

  @Test(
    "A log-in that succeeds costs one hash, and one that is refused unseen costs none",
    arguments: StorageKind.allCases)
  func others(_ storage: StorageKind) async throws {
    try await Self.run(storage) { world, passwords in
      let email = world.home.member.email
      var before = passwords.hashCount
      try await world.client.expect(Self.logIn(email), 200)
      #expect(passwords.hashCount == before + 1)
      for email in [email, "nobody@home.example"] {
        for _ in 0..<5 { try await world.client.expect(Self.logIn(email, "wrong"), 401) }
        before = passwords.hashCount
        for _ in 0..<20 { try await world.client.expect(Self.logIn(email), 429) }
        #expect(passwords.hashCount == before)
      }
    }
  }

  @Test("A log-in that could not be looked at is not counted", arguments: StorageKind.allCases)
  func unavailable(_ storage: StorageKind) async throws {
    let full = try PasswordHasher(cost: .minimal, threadCount: 1, queueLimit: 0)
    let service = try await Service.start(
      ServiceKind(storage: storage, transport: .inProcess), passwords: full)
    let findings = Findings()
    let client = ContractClient(
      document: try OpenAPIDocument.contract.get(), transport: service.transport, recorder: Recorder(),
      findings: findings)
    for _ in 0..<60 {
      try await client.expect(Self.logIn("nobody@home.example"), 503, code: "unavailable")
    }
    await service.stop()
    #expect(findings.all == [])
  }

  @Test(
    "An answer with a token is kept without hashing where the request holds no password",
    arguments: StorageKind.allCases)
  func keptAnswers(_ storage: StorageKind) async throws {
    try await Self.run(storage) { world, passwords in
      func repeated(_ call: Call, hashes: Int) async throws {
        let call = call.with { $0.idempotencyKey = "5c1f3a52-a7e6-4f3e-8f5c-0d1f6f1f9b11" }
        let before = passwords.hashCount
        let first = try await world.client.expect(call, 201)
        #expect(passwords.hashCount == before + hashes)
        let again = try await world.client.expect(call, 201)
        #expect(again.response.body == first.response.body)
        #expect(again.response.values(of: "idempotency-replayed") == ["true"])
        let other = call.with { $0.json = $0.json.setting("name", to: "Another") }
        try await world.client.expect(other, 422, code: "idempotency_key_reused")
      }
      let token: JSONValue = ["name": "t", "userId": .string(world.home.member.userID)]
      try await repeated(world.call("createApiToken", as: world.home.admin, body: token), hashes: 0)
      let member: JSONValue = ["email": "new@home.example", "name": "N", "role": "member"]
      // One hash is the password's, and the other is for keeping the answer.
      let withPassword = member.setting("password", to: .string(World.password))
      try await repeated(world.call("createMember", as: world.home.admin, body: withPassword), hashes: 2)
    }
  }

  @Test(
    "A caller without a free place for hashing is told so, and counted for nothing",
    arguments: StorageKind.allCases)
  func noPlace(_ storage: StorageKind) async throws {
    let none = try PasswordHasher(cost: .minimal, threadCount: 1, placesOfPerson: 0)
    let service = try await Service.start(
      ServiceKind(storage: storage, transport: .inProcess), passwords: none)
    let findings = Findings()
    let client = ContractClient(
      document: try OpenAPIDocument.contract.get(), transport: service.transport, recorder: Recorder(),
      findings: findings)
    for _ in 0..<60 {
      let reply = try await client.expect(Self.logIn("nobody@home.example"), 429, code: "rate_limited")
      #expect(reply.response.values(of: "retry-after") == ["1"])
    }
    #expect(none.hashCount == 0)
    await service.stop()
    #expect(findings.all == [])
  }

  @Test("A log-in rehashes a password that has other parameters", arguments: StorageKind.allCases)
  func renewal(_ storage: StorageKind) async throws {
    try await Self.run(storage) { world, passwords in
      let email = world.home.member.email
      let storage = world.service.storage
      let account = try #require(try await storage.logInAccount(for: EmailAddress(email)))
      let old = try await PasswordHasher(
        cost: #require(ScryptCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)), threadCount: 1
      ).hash(World.password)
      try await storage.changePassword(
        of: account.key, from: #require(account.passwordHash), to: old, keepingToken: 0,
        context: ChangeContext(author: .service, operation: "test", time: world.service.clock.wallClock.now))
      func stored() async throws -> String {
        try await storage.passwordHash(of: account.key)?.text ?? ""
      }
      try await world.client.expect(Self.logIn(email, "wrong"), 401)
      #expect(try await stored() == old.text)
      let before = try await world.etag(of: world.home.member)
      try await world.client.expect(Self.logIn(email), 200)
      let renewed = try await stored()
      #expect(renewed.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
      #expect(try await world.etag(of: world.home.member) == before)
      let count = passwords.hashCount
      try await world.client.expect(Self.logIn(email), 200)
      #expect(passwords.hashCount == count + 1)
      #expect(try await stored() == renewed)
    }
  }

  @Test("Log-ins at once all succeed while one rehashes the password", arguments: StorageKind.allCases)
  func renewalAtOnce(_ storage: StorageKind) async throws {
    try await Self.run(storage) { world, _ in
      let email = world.home.member.email
      let storage = world.service.storage
      let account = try #require(try await storage.logInAccount(for: EmailAddress(email)))
      let weaker = try PasswordHasher(
        cost: #require(ScryptCost(logarithmOfRounds: 2, blockSize: 1, parallelism: 1)), threadCount: 1)
      var present = try #require(account.passwordHash)
      for _ in 0..<5 {
        let old = try await weaker.hash(World.password)
        try await storage.changePassword(
          of: account.key, from: present, to: old, keepingToken: 0,
          context: ChangeContext(author: .service, operation: "test", time: world.service.clock.wallClock.now)
        )
        try await withThrowingTaskGroup { group in
          for _ in 0..<4 {
            group.addTask { _ = try await world.client.expect(Self.logIn(email), 200) }
          }
          try await group.waitForAll()
        }
        present = try #require(try await storage.passwordHash(of: account.key))
        #expect(present.text.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
      }
    }
  }
}
