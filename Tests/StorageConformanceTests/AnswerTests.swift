import Synchronization
import Testing
import TimeclockDomain

@Suite("Requests that come again, in a storage")
struct AnswerTests {
  @Test(
    "a write and its answer are kept together, and the write is not done again", arguments: StorageFactory.all
  )
  func once(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let first = world.entry(of: member, in: organization, from: .hour(1), to: .hour(2))
      let kept = try await world.create(first, of: member, under: "a")
      #expect(kept == first)
      let answer = Self.answer(to: first)
      #expect(try await world.storage.recordedAnswer(for: world.key("a"), at: .hour(23.9)) == answer)
      #expect(try await world.storage.recordedAnswer(for: world.key("b"), at: .hour(1)) == nil)
      // Another write under the key: it is the key that counts.
      for entry in [first, world.entry(of: member, in: organization, from: .hour(3), to: .hour(4))] {
        let before = await #expect(throws: AnsweredBefore.self) {
          try await world.create(entry, of: member, under: "a")
        }
        #expect(before?.answer == answer)
      }
      #expect(try await world.listAll(organization, pageSize: 10) == [first])
      try await world.create(
        world.entry(of: member, in: organization, from: .hour(3), to: .hour(4)), of: member, under: "b")
      #expect(try await world.listAll(organization, pageSize: 10).count == 2)
    }
  }

  @Test(
    "an answer is kept for as long as it is said, and for all requests that a write does",
    arguments: StorageFactory.all)
  func others(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = world.entry(of: member, in: organization, from: .hour(1), to: .hour(2))
      var recording = AnswerRecording<TimeEntry>(key: world.key("a"), time: .hour(0)) {
        Self.answer("\($0.id)")
      }
      recording.lifetime = 90 * 86_400_000
      let other = AnswerRecording<TimeEntry>.Other(
        key: world.key("b"), fingerprint: [UInt8](repeating: 9, count: 32))
      recording.others = [other]
      _ = try await world.storage.createTimeEntry(
        NewTimeEntry(member: member.key, entry: entry, needsSessionAssignment: false, context: .test()),
        recording: recording.mapping { $0 })
      for time in [Instant.hour(0), .hour(89.9 * 24)] {
        let first = try #require(try await world.storage.recordedAnswer(for: world.key("a"), at: time))
        let second = try #require(try await world.storage.recordedAnswer(for: world.key("b"), at: time))
        #expect(first == Self.answer("\(entry.id)") && second.fingerprint == other.fingerprint)
        #expect(second.body == first.body)
      }
      #expect(try await world.storage.recordedAnswer(for: world.key("b"), at: .hour(90 * 24)) == nil)
    }
  }

  @Test("a write that is refused keeps no answer", arguments: StorageFactory.all)
  func refused(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let first = try await world.keep(member, in: organization, from: .hour(1), to: .hour(2))
      let second = world.entry(of: member, in: organization, from: .hour(1), to: .hour(3))
      await #expect(throws: TimeclockError.overlap([first], count: 1)) {
        try await world.create(second, of: member, under: "a")
      }
      #expect(try await world.storage.recordedAnswer(for: world.key("a"), at: .hour(0)) == nil)
      // Nor does one whose answer cannot be made.
      let third = world.entry(of: member, in: organization, from: .hour(5), to: .hour(6))
      await #expect(throws: Missing.self) {
        try await world.storage.createTimeEntry(
          NewTimeEntry(member: member.key, entry: third, needsSessionAssignment: false, context: .test()),
          recording: AnswerRecording(key: world.key("a"), time: .hour(0)) { _ in throw Missing() })
      }
      #expect(try await world.storage.recordedAnswer(for: world.key("a"), at: .hour(0)) == nil)
      #expect(try await world.listAll(organization, pageSize: 10) == [first])
      try await world.create(third, of: member, under: "a")
    }
  }

  @Test("every write that takes a recording keeps it", arguments: StorageFactory.all)
  func everyWrite(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      // The answer holds its value, as text.
      func recording<Value: Sendable>(
        _ name: String, _ text: @escaping @Sendable (Value) -> String
      ) -> AnswerRecording<Value> {
        AnswerRecording(key: world.key(name), time: .hour(0)) { Self.answer(text($0)) }
      }
      func answered(_ name: String) async throws -> String? {
        let answer = try await world.storage.recordedAnswer(for: world.key(name), at: .hour(0))
        return answer.map { String(decoding: $0.body, as: UTF8.self) }
      }
      try await world.keep(member, in: organization, from: .hour(1), to: nil)
      let closed = try await world.storage.clockOut(
        ClockOut(
          member: member.key, time: .hour(2), isStated: true, notes: nil, policy: .standard,
          context: .test(at: .hour(2))),
        recording: recording("out") { "\($0.timeEntry.id) \($0.timeEntry.version)" })
      #expect(try await answered("out") == "\(closed.id) 2")
      let person = try await world.storage.createMember(
        world.account(), NewMember(organization: organization.key, role: .member, timeZone: nil),
        context: .test(), recording: recording("member") { $0.userID.text })
      #expect(try await answered("member") == person.userID.text)
      let other = Organization(
        id: world.id(), name: "Other", timeZone: zone("UTC"), policy: .standard, createdAt: .hour(0),
        updatedAt: .hour(0))
      let admin = try await world.storage.createOrganization(
        other, admin: world.account(), token: world.token(), context: .test(),
        recording: recording("organization") { $0.email })
      #expect(try await answered("organization") == admin.email)
      try await world.storage.createLogInToken(
        world.token(), for: member.key.user, checkedHash: World.passwordHash, newHash: nil,
        recording: recording("log-in") { "log-in" })
      #expect(try await answered("log-in") == "log-in")
      let apiToken = ApiToken(
        id: world.id(), name: "Door", userID: member.id, scope: .full, createdAt: .hour(0),
        expiresAt: .hour(9), lastUsedAt: nil)
      try await world.storage.createApiToken(
        apiToken, digest: world.digest(), in: organization.key, context: .test(),
        recording: recording("token") { "token" })
      #expect(try await answered("token") == "token")
      try await world.storage.recordAnswer(recording("nothing") { "refused" })
      #expect(try await answered("nothing") == "refused")
      await #expect(throws: AnsweredBefore.self) {
        try await world.storage.recordAnswer(recording("nothing") { "again" })
      }
    }
  }

  @Test("an answer holds for 24 hours, and then the key is free", arguments: StorageFactory.all)
  func expiry(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let first = world.entry(of: member, in: organization, from: .hour(-9), to: .hour(-8))
      try await world.create(first, of: member, under: "a")
      let last = Instant.hour(24).adding(milliseconds: -1)
      #expect(try await world.storage.recordedAnswer(for: world.key("a"), at: last) != nil)
      #expect(try await world.storage.recordedAnswer(for: world.key("a"), at: .hour(24)) == nil)
      await #expect(throws: AnsweredBefore.self) {
        try await world.create(first, of: member, under: "a", at: last)
      }
      let second = world.entry(of: member, in: organization, from: .hour(-7), to: .hour(-6))
      try await world.create(second, of: member, under: "a", at: .hour(24))
      #expect(
        try await world.storage.recordedAnswer(for: world.key("a"), at: .hour(47)) == Self.answer(to: second))
    }
  }

  @Test("expired answers are removed, a limited number at a time", arguments: StorageFactory.all)
  func removal(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for number in 0..<5 {
        try await world.storage.recordAnswer(
          AnswerRecording(key: world.key("\(number)"), time: .hour(Double(number))) { Self.answer("x") })
      }
      #expect(try await world.storage.deleteExpiredAnswers(at: .hour(23.9), limit: 10) == 0)
      #expect(try await world.storage.deleteExpiredAnswers(at: .hour(26), limit: 2) == 2)
      #expect(try await world.storage.deleteExpiredAnswers(at: .hour(26), limit: 2) == 1)
      #expect(try await world.storage.deleteExpiredAnswers(at: .hour(26), limit: 2) == 0)
      // The others are still there.
      for number in 0..<5 {
        let answer = try await world.storage.recordedAnswer(for: world.key("\(number)"), at: .hour(0))
        #expect((answer != nil) == (number > 2))
      }
    }
  }

  @Test("of many at once under one key, one is done", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      for round in 0..<5 {
        let start = Double(round * 100)
        let outcomes = await concurrently(16) { number in
          // Nothing but the key keeps these from standing side by side.
          let hour = start + Double(number)
          let entry = world.entry(of: member, in: organization, from: .hour(hour), to: .hour(hour + 0.5))
          return try await world.create(entry, of: member, under: "round \(round)")
        }
        var doneCount = 0
        for outcome in outcomes {
          switch outcome {
          case .success: doneCount += 1
          case .failure(let before as AnsweredBefore): #expect(before.answer.status == 201)
          case .failure(let error): #expect(error as? TimeclockError == .requestInProgress)
          }
        }
        #expect(doneCount == 1)
        #expect(try await world.listAll(organization, pageSize: 100).count == round + 1)
      }
    }
  }

  fileprivate static func answer(to entry: TimeEntry) -> RecordedAnswer { answer("\(entry.id)") }

  private static func answer(_ text: String) -> RecordedAnswer {
    RecordedAnswer(
      fingerprint: Array(repeating: 7, count: 32), salt: Array(repeating: 0, count: 16), status: 201,
      entityTag: "\"1\"", location: "/v1/x", body: Array(text.utf8))
  }
}

extension World {
  /// A key of nobody in particular.
  fileprivate func key(_ name: String) -> IdempotencyKey {
    var digest = Array(name.utf8.prefix(32))
    digest += Array(repeating: 0, count: 32 - digest.count)
    return IdempotencyKey(digest: digest, user: nil)
  }

  @discardableResult
  fileprivate func create(
    _ entry: TimeEntry, of member: TestMember, under name: String, at time: Instant = World.start
  ) async throws -> TimeEntry {
    try await storage.createTimeEntry(
      NewTimeEntry(member: member.key, entry: entry, needsSessionAssignment: false, context: .test()),
      recording: AnswerRecording(key: key(name), time: time) { AnswerTests.answer(to: $0) })
  }
}
