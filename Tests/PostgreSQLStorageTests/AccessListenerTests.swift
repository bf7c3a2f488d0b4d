import EventLoops
import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Two storages on one database, as two instances of the service have it.
@Suite("What one storage revokes")
struct AccessListenerTests {
  /// Makes sure that `storage` answers for the token out of its memory.
  private static func warm(_ storage: PostgreSQLStorage, _ office: TestOffice) async throws {
    try await eventually(within: .seconds(20)) {
      guard try await isGood(office.token, in: storage), isTrusted(storage),
        storage.access.find(office.token, nil).authentication != nil
      else { throw Absent() }
    }
  }

  private static func isTrusted(_ storage: PostgreSQLStorage) -> Bool {
    storage.listener?.isTrusted(at: EventLoop.monotonicNow()) ?? false
  }

  private static func isGood(_ token: TokenDigest, in storage: PostgreSQLStorage) async throws -> Bool {
    try await storage.authenticate(token, organizationID: nil, at: TestDatabase.now) != nil
  }

  /// Revokes the admin's log-in, and waits until `storage` refuses it.
  private static func expectRevocation(by office: TestOffice, holdsIn storage: PostgreSQLStorage) async throws
  {
    let key = try #require(
      try await office.storage.authenticate(office.token, organizationID: nil, at: TestDatabase.now)
    ).tokenKey
    try await office.storage.deleteToken(key, context: .test())
    let begin = ContinuousClock.now
    #expect(try await !isGood(office.token, in: office.storage))
    try await Task.sleep(until: begin + .seconds(1))
    // From now on, however busy the machine was.
    #expect(try await !isGood(office.token, in: storage))
  }

  @Test("holds in another within a second")
  func sound() async throws {
    try await TestDatabase.run { database in
      let office = try await TestOffice(in: database.open())
      let other = try database.open()
      for number in 0..<3 as Range<UInt8> {
        let office = number == 0 ? office : try await TestOffice(in: office.storage, number: number + 1)
        try await Self.warm(other, office)
        try await Self.expectRevocation(by: office, holdsIn: other)
      }
      await other.close()
      await office.storage.close()
    }
  }

  @Test(
    "holds in another within a second, whatever happens to the connection that listens",
    arguments: [FaultyNetwork.Behavior.silentForListeners, .cutsListeners, .silent])
  func faulty(_ behavior: FaultyNetwork.Behavior) async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let office = try await TestOffice(in: database.open())
      let other = try database.open(network.conninfo(database.conninfo))
      try await Self.warm(other, office)
      network.behave(behavior)
      if behavior == .silent {
        // Nothing can be asked: then access is refused, even by cached data.
        let key = try #require(
          try await office.storage.authenticate(office.token, organizationID: nil, at: TestDatabase.now)
        ).tokenKey
        try await office.storage.deleteToken(key, context: .test())
        try await Task.sleep(for: .seconds(1))
        await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
          _ = try await Self.isGood(office.token, in: other)
        }
      } else {
        try await Self.expectRevocation(by: office, holdsIn: other)
        #expect(!Self.isTrusted(other))
      }
      // And afterwards it is remembered again.
      network.behave(.sound)
      let next = try await TestOffice(in: office.storage, number: 2)
      try await Self.warm(other, next)
      await other.close()
      await office.storage.close()
    }
  }

  @Test("holds in one whose session does not listen, whatever answers in its place")
  func misheard() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let office = try await TestOffice(in: database.open())
      network.behave(.mishearsListeners)
      let other = try database.open(network.conninfo(database.conninfo))
      for _ in 0..<30 {
        #expect(try await Self.isGood(office.token, in: other))
        #expect(!Self.isTrusted(other))
        try await Task.sleep(for: .milliseconds(50))
      }
      try await Self.expectRevocation(by: office, holdsIn: other)
      network.behave(.sound)
      try await Self.warm(other, try await TestOffice(in: office.storage, number: 2))
      await other.close()
      await office.storage.close()
    }
  }

  @Test("is not asked about when nobody comes, and nothing is trusted unasked")
  func idle() async throws {
    try await TestDatabase.run { database in
      let office = try await TestOffice(in: database.open())
      try await Self.warm(office.storage, office)
      try await Task.sleep(for: .seconds(4))
      #expect(!Self.isTrusted(office.storage))
      try await Self.warm(office.storage, office)
      await office.storage.close()
    }
  }

  @Test("and changes is announced in another, also after the connection that listens was lost")
  func announcements() async throws {
    try await TestDatabase.run { database in
      let office = try await TestOffice(in: database.open())
      let other = try database.open()
      try await Self.warm(other, office)
      let count = Atomic(0)
      let organization = office.member.key.organization
      let listening = other.changeBus.listen(to: organization) { count.add(1, ordering: .relaxed) }
      var minute = 0
      for _ in 0..<2 {
        let before = count.load(ordering: .relaxed)
        try await eventually(within: .seconds(20)) {
          minute += 2
          try await office.keep(minute)
          // Reading seals, and sealing notifies.
          _ = try await office.storage.lastSequence(of: organization)
          guard count.load(ordering: .relaxed) > before else { throw Absent() }
        }
        try database.execute(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
      }
      withExtendedLifetime(listening) {}
      await other.close()
      await office.storage.close()
    }
  }
}
