import Testing
import TimeclockDomain

@Suite("Attempts to log in, in a storage")
struct LogInAttemptTests {
  @Test(
    "are refused after five of an account from a network, until there is room for one again",
    arguments: StorageFactory.all)
  func pair(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.tries(6)
      #expect(first == [nil, nil, nil, nil, nil, 180])
      // One that is refused is not counted.
      #expect(try await world.tries(3, at: .second(100)) == [80, 80, 80])
      #expect(try await world.tries(2, at: .second(180)) == [nil, 180])
      #expect(try await world.tries(4, at: .second(720)) == [nil, nil, nil, 180])
      // Other accounts, and other networks, have their own.
      #expect(try await world.tries(1, email: "ben@x.example") == [nil])
      #expect(try await world.tries(1, from: "192.0.2.2") == [nil])
      #expect(try await world.tries(1, at: .second(720), email: "ANA@x.example") == [180])
    }
  }

  @Test("are forgotten with a log-in, for the account from that network", arguments: StorageFactory.all)
  func success(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      #expect(try await world.tries(4) == [nil, nil, nil, nil])
      #expect(try await world.tries(5, from: "192.0.2.2") == [nil, nil, nil, nil, nil])
      try await world.logsIn()
      #expect(try await world.tries(6) == [nil, nil, nil, nil, nil, 180])
      #expect(try await world.tries(1, from: "192.0.2.2") == [180])
    }
  }

  @Test("are taken back if the password was not looked at", arguments: StorageFactory.all)
  func takenBack(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let attempt = LogInAttempt(email: "ana@x.example", from: ClientNetwork(address: "192.0.2.1"))
      for _ in 0..<200 {
        try await world.storage.beginLogInAttempt(attempt, at: World.start)
        try await world.storage.endLogInAttempt(attempt, as: .notChecked, at: World.start)
      }
      #expect(try await world.tries(6) == [nil, nil, nil, nil, nil, 180])
      // Nor do they count for the network, or for the account from elsewhere.
      #expect(try await world.tries(1, email: "ben@x.example") == [nil])
      #expect(try await world.tries(5, from: "192.0.2.2") == [nil, nil, nil, nil, nil])
    }
  }

  @Test(
    "are refused after fifty of a network; those that succeed do not count", arguments: StorageFactory.all)
  func network(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for number in 0..<60 { try await world.logsIn(email: "in\(number)@x.example") }
      for number in 0..<50 { #expect(try await world.tries(1, email: "out\(number)@x.example") == [nil]) }
      #expect(try await world.tries(1, email: "next@x.example") == [18])
      #expect(try await world.tries(2, at: .second(18), email: "next@x.example") == [nil, 18])
      #expect(try await world.tries(1, from: "192.0.2.2", email: "next@x.example") == [nil])
      // Half an IPv6 address is one network.
      for number in 0..<50 {
        #expect(
          try await world.tries(1, from: "2001:db8::\(number)", email: "out\(number)@x.example") == [nil])
      }
      #expect(try await world.tries(1, from: "2001:db8::ffff:1", email: "next@x.example") == [18])
      #expect(try await world.tries(1, from: "2001:db8:0:1::1", email: "next@x.example") == [nil])
    }
  }

  @Test(
    "from anywhere leave the owner's networks alone, and every other one its first attempt",
    arguments: StorageFactory.all)
  func attack(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      try await world.logsIn(from: "192.0.2.1")
      for number in 0..<99 { #expect(try await world.tries(1, from: "198.51.100.\(number)") == [nil]) }
      #expect(try await world.tries(2, from: "203.0.113.1") == [nil, 60])
      #expect(try await world.tries(1, from: "203.0.113.2") == [nil])
      #expect(try await world.tries(1, at: .second(59), from: "203.0.113.1") == [1])
      #expect(try await world.tries(2, at: .second(60), from: "203.0.113.1") == [nil, 180])
      #expect(try await world.tries(5, from: "192.0.2.1") == [nil, nil, nil, nil, nil])
      // Thirty days later the network is one of many, unless there was a log-in.
      let later = Instant.hour(30 * 24 - 1)
      for number in 0..<100 {
        #expect(try await world.tries(1, at: later, from: "198.51.100.\(number)") == [nil])
      }
      #expect(try await world.tries(2, at: later, from: "192.0.2.1") == [nil, nil])
      #expect(try await world.tries(1, at: .hour(30 * 24), from: "192.0.2.1") == [nil])
      for number in 0..<100 {
        #expect(try await world.tries(1, at: .hour(30 * 24), from: "198.51.100.\(number)") == [nil])
      }
      #expect(try await world.tries(2, at: .hour(30 * 24), from: "192.0.2.1") == [60, 60])
      // Another account is not under attack.
      #expect(try await world.tries(2, from: "203.0.113.1", email: "ben@x.example") == [nil, nil])
    }
  }

  @Test("at once are no more than the limit lets through", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for round in 0..<5 {
        let email = "ana\(round)@x.example"
        let outcomes = await concurrently(64) { _ in
          try await world.tries(1, from: "192.0.2.\(round)", email: email)[0] == nil
        }
        let ofPair = try outcomes.filter { try $0.get() }.count
        #expect(ofPair == 5)
        let network = await concurrently(64) { number in
          try await world.tries(1, from: "198.51.100.\(round)", email: "\(number)\(email)")[0] == nil
        }
        let ofNetwork = try network.filter { try $0.get() }.count
        #expect(ofNetwork == 50)
      }
    }
  }

  @Test(
    "with the right password are thirty, from wherever, and then one every ten seconds",
    arguments: StorageFactory.all)
  func rightPasswords(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for number in 0..<30 { try await world.logsIn(from: "192.0.2.\(number % 7)") }
      for address in ["192.0.2.1", "198.51.100.1"] {
        #expect(try await world.tries(1, from: address) == [10])
      }
      // Another person logs in, and so does the same one later.
      try await world.logsIn(email: "ben@x.example")
      #expect(try await world.tries(1, at: .second(9)) == [1])
      try await world.logsIn(at: .second(10))
      #expect(try await world.tries(1, at: .second(10)) == [10])
      #expect(try await world.tries(1, at: .second(20)) == [nil])
      // Wrong passwords count nothing there.
      #expect(try await world.tries(3, at: .second(300)) == [nil, nil, nil])
      for _ in 0..<30 { try await world.logsIn(at: .second(310)) }
      #expect(try await world.tries(1, at: .second(310)) == [10])
    }
  }

  @Test("by somebody who is logged in are theirs, wherever they are", arguments: StorageFactory.all)
  func loggedIn(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let attempt = LogInAttempt(by: organization.admin.id)
      for _ in 0..<5 { try await world.storage.beginLogInAttempt(attempt, at: World.start) }
      await #expect(throws: TimeclockError.tooManyAttempts(retryAfterSeconds: 180)) {
        try await world.storage.beginLogInAttempt(attempt, at: World.start)
      }
      try await world.storage.beginLogInAttempt(LogInAttempt(by: world.id()), at: World.start)
      #expect(try await world.tries(1, email: organization.admin.email) == [nil])
      try await world.storage.endLogInAttempt(attempt, as: .succeeded, at: World.start)
      try await world.storage.beginLogInAttempt(attempt, at: World.start)
    }
  }

  @Test("are removed when they say nothing any more, some at a time", arguments: StorageFactory.all)
  func removal(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let storage = world.storage
      for number in 0..<3 { #expect(try await world.tries(1, from: "192.0.2.\(number)") == [nil]) }
      try await world.logsIn(from: "192.0.2.3")
      // Four accounts with networks, four networks, one account, and one log-in with the right password.
      #expect(
        try await storage.deleteExpiredLogInAttempts(at: World.start.adding(milliseconds: -1), limit: 9) == 0)
      // The network that somebody logged in from counts nothing.
      #expect(try await storage.deleteExpiredLogInAttempts(at: .second(9), limit: 9) == 1)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .second(17), limit: 9) == 1)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .second(18), limit: 2) == 2)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .second(18), limit: 2) == 1)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .second(180), limit: 9) == 4)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .hour(30 * 24 - 1), limit: 9) == 0)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .hour(30 * 24), limit: 9) == 1)
      #expect(try await storage.deleteExpiredLogInAttempts(at: .latest, limit: 9) == 0)
    }
  }

  @Test("are forgotten with the person, unless the account is used elsewhere", arguments: StorageFactory.all)
  func anonymized(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (organization, other) = (try await world.organization(), try await world.organization())
      for isElsewhere in [true, false] {
        let account = try world.account()
        let person = try await world.member(of: organization, account: account)
        if isElsewhere { _ = try await world.member(of: other, account: account) }
        let byID = LogInAttempt(by: person.id)
        for _ in 0..<5 {
          #expect(try await world.tries(1, email: account.email.text) == [nil])
          try await world.storage.beginLogInAttempt(byID, at: World.start)
        }
        _ = try await world.update(person, in: organization) { $0.isActive = false }
        _ = try await world.storage.anonymizeMember(person.id, in: organization.key, context: .test())
        #expect(try await world.tries(1, email: account.email.text) == [isElsewhere ? 180 : nil])
        if isElsewhere {
          await #expect(throws: TimeclockError.tooManyAttempts(retryAfterSeconds: 180)) {
            try await world.storage.beginLogInAttempt(byID, at: World.start)
          }
        } else {
          try await world.storage.beginLogInAttempt(byID, at: World.start)
        }
      }
    }
  }
}

extension World {
  /// Begins attempts and leaves them counted; for each, the seconds to wait, or nil if it was let through.
  fileprivate func tries(
    _ count: Int, at now: Instant = World.start, from address: String = "192.0.2.1",
    email: String = "ana@x.example"
  ) async throws -> [Int?] {
    let attempt = LogInAttempt(email: email, from: ClientNetwork(address: address))
    var waits: [Int?] = []
    for _ in 0..<count {
      do {
        try await storage.beginLogInAttempt(attempt, at: now)
        waits.append(nil)
      } catch TimeclockError.tooManyAttempts(let seconds) {
        waits.append(seconds)
      }
    }
    return waits
  }

  fileprivate func logsIn(
    at now: Instant = World.start, from address: String = "192.0.2.1", email: String = "ana@x.example"
  ) async throws {
    let attempt = LogInAttempt(email: email, from: ClientNetwork(address: address))
    try await storage.beginLogInAttempt(attempt, at: now)
    try await storage.endLogInAttempt(attempt, as: .succeeded, at: now)
  }
}

extension Instant {
  fileprivate static func second(_ seconds: Int64) -> Instant {
    World.start.adding(milliseconds: seconds * 1_000)
  }
}
