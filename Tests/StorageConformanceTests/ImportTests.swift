import Procedures
import StorageCalls
import Synchronization
import Testing
import TimeclockDomain

@Suite("Imported entries, in a storage")
struct ImportTests {
  @Test(
    "come with their members, who are inactive, all logged one by one, and in any number",
    arguments: StorageFactory.all)
  func kept(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await world.changes(organization).count
      let accounts = [
        try world.account(email: "Bo@Example.com", name: "Bo"), try world.account(name: "Cem"),
      ]
      // More than go to a database at once.
      let batch = world.batch(
        of: organization, accounts,
        (0..<1_203).map { number in
          let owner: ImportedEntry.Owner =
            number % 3 == 2 ? .member(organization.admin.key) : .newMember(number % 3)
          return world.imported(owner, in: organization, from: Double(number), to: Double(number) + 1)
        })
      let outcome = try await world.storage.importTimeEntries(batch, isDryRun: false, recording: nil)
      let members = try outcome.members.map { try $0.get() }
      #expect(members.map(\.member.userID) == accounts.map(\.userID))
      #expect(members.map(\.member.email) == accounts.map(\.email.text))
      #expect(members.map(\.member.name) == ["Bo", "Cem"])
      #expect(
        members.allSatisfy { !$0.member.isActive && $0.member.role == .member && $0.member.version == 1 })
      for created in members {
        #expect(try await world.storage.member(created.member.userID, in: organization.key) == created.member)
        let membership = try await world.storage.membership(of: created.member.userID, in: organization.key)
        #expect(membership?.key == created.key)
      }
      let entries = try outcome.entries.map { try $0.get() }
      let owners = members.map(\.member.userID) + [organization.admin.id]
      #expect(entries.map(\.userID) == entries.indices.map { owners[$0 % 3] })
      #expect(entries.map(\.id) == batch.entries.map(\.entry.id))
      #expect(
        try await world.listAll(organization, pageSize: 500).sorted { $0.clockInTime < $1.clockInTime }
          == entries)
      var changes = try await world.changes(organization).dropFirst(before)
      changes += try await world.changes(organization, after: 1_000).dropFirst(changes.count + before - 1_000)
      let expected = members.map { Snapshot.member($0.member) } + entries.map { .timeEntry($0) }
      #expect(changes.map(\.after) == expected)
      #expect(changes.allSatisfy { $0.before == nil && $0.context == .test() })
    }
  }

  @Test("join the account that a person has elsewhere, whatever its id", arguments: StorageFactory.all)
  func joined(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let elsewhere = try await world.organization()
      let person = try await world.member(of: elsewhere)
      let logIn = try await world.logIn(person)
      let account = try world.account(email: person.email.uppercased(), name: "New Name")
      let batch = world.batch(
        of: organization, [account], [world.imported(.newMember(0), in: organization, from: 1, to: 2)])
      let outcome = try await world.storage.importTimeEntries(batch, isDryRun: false, recording: nil)
      #expect(try outcome.members.first?.get().member.userID == person.id)
      #expect(try outcome.members.first?.get().member.name == "New Name")
      #expect(try outcome.entries.first?.get().userID == person.id)
      #expect(try await world.listAll(organization, pageSize: 5).map(\.userID) == [person.id])
      #expect(try await world.listAll(elsewhere, pageSize: 5).isEmpty)
      // Their log-in is not valid here: the owner of its password is unknown here.
      let access = try await world.storage.authenticate(
        logIn, organizationID: organization.id, at: World.start)
      #expect(access?.membership == nil)
    }
  }

  @Test("are kept also of who is deactivated, and of nobody who is anonymous", arguments: StorageFactory.all)
  func inactive(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let gone = try await world.member(of: organization)
      let forgotten = try await world.member(of: organization)
      for member in [gone, forgotten] {
        try await world.update(member, in: organization) { $0.isActive = false }
      }
      _ = try await world.storage.anonymizeMember(forgotten.id, in: organization.key, context: .test())
      let batch = world.batch(
        of: organization, [],
        [gone, forgotten].map { world.imported(.member($0.key), in: organization, from: 1, to: 2, of: $0.id) }
      )
      let outcome = try await world.storage.importTimeEntries(batch, isDryRun: false, recording: nil)
      #expect(
        outcome.entries == [.success(batch.entries[0].entry), .failure(TimeclockError.memberDeactivated)])
      // By any other way nothing more is entered for them.
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.keep(gone, in: organization, from: .hour(3), to: .hour(4))
      }
      #expect(try await world.listAll(organization, pageSize: 5) == [batch.entries[0].entry])
    }
  }

  @Test("of who is a member by now are refused, and the others kept", arguments: StorageFactory.all)
  func memberExists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let there = try await world.member(of: organization)
      let accounts = [try world.account(email: there.email), try world.account()]
      let batch = world.batch(
        of: organization, accounts,
        [0, 1, 0].enumerated().map { number, member in
          world.imported(.newMember(member), in: organization, from: Double(number), to: Double(number) + 1)
        })
      let outcome = try await world.storage.importTimeEntries(batch, isDryRun: false, recording: nil)
      #expect(outcome.members.first == .failure(.memberExists))
      #expect(try outcome.members.last?.get().member.userID == accounts[1].userID)
      #expect(
        outcome.entries.first == .failure(.memberExists) && outcome.entries.last == .failure(.memberExists))
      #expect(try await world.listAll(organization, pageSize: 5).map(\.userID) == [accounts[1].userID])
    }
  }

  @Test("are refused if they overlap, beside those that came before", arguments: StorageFactory.all)
  func overlaps(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let there = try await world.keep(organization.admin, in: organization, from: .hour(0), to: .hour(1))
      let spans: [(Double, Double)] = [(0, 1), (0.5, 2), (1, 2), (1, 2), (1.5, 3)]
      let batch = world.batch(
        of: organization, [],
        spans.map { world.imported(.member(organization.admin.key), in: organization, from: $0, to: $1) })
      let third = batch.entries[2].entry
      for isDryRun in [true, false] {
        let outcome = try await world.storage.importTimeEntries(batch, isDryRun: isDryRun, recording: nil)
        let entries = outcome.entries.map { entry in entry.map(\.id) }
        #expect(
          entries == [
            .failure(.overlap([there], count: 1)), .failure(.overlap([there], count: 1)), .success(third.id),
            .failure(.overlap([outcome.entry(2)], count: 1)),
            .failure(.overlap([outcome.entry(2)], count: 1)),
          ])
      }
    }
  }

  @Test("of a dry run leave nothing, and no other person in their place", arguments: StorageFactory.all)
  func dryRun(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await world.changes(organization)
      let batch = world.batch(
        of: organization, [try world.account()],
        // The second one is in the way of the first, so that the person's row is looked at.
        [(0, 2), (1, 3)].map { world.imported(.newMember(0), in: organization, from: $0, to: $1) })
      let recording = AnswerRecording<ImportOutcome>(
        key: IdempotencyKey(digest: Array(repeating: 9, count: 32), user: nil), time: World.start
      ) { _ in
        RecordedAnswer(
          fingerprint: Array(repeating: 9, count: 32), salt: nil, status: 200, entityTag: nil, location: nil,
          body: [])
      }
      let judged = try await world.storage.importTimeEntries(batch, isDryRun: true, recording: recording)
      #expect(try judged.members.first?.get().member.userID == batch.newMembers[0].userID)
      #expect(try judged.entries.first?.get().userID == batch.newMembers[0].userID)
      #expect(try await world.storage.members(of: organization.key, after: nil, limit: 5).elements.count == 1)
      #expect(try await world.listAll(organization, pageSize: 5).isEmpty)
      #expect(try await world.changes(organization) == before)
      #expect(try await world.storage.recordedAnswer(for: recording.key, at: World.start) == nil)
      // The next member may get the row that the newcomer had.
      let other = try await world.member(of: organization)
      try await world.keep(other, in: organization, from: .hour(0), to: .hour(1))
      #expect(try await world.listAll(organization, pageSize: 5).map(\.userID) == [other.id])
      // And judged entries can be kept, once.
      _ = try await world.storage.importTimeEntries(batch, isDryRun: false, recording: recording)
      await #expect(throws: AnsweredBefore.self) {
        try await world.storage.importTimeEntries(batch, isDryRun: false, recording: recording)
      }
      #expect(try await world.listAll(organization, pageSize: 5).count == 2)
    }
  }

  @Test(
    "of many rows are kept in parts, and the answer is recorded with the last one; after a failure the rest is taken",
    arguments: StorageFactory.all)
  func parts(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let caller = try #require(
        try await world.storage.membership(of: organization.admin.id, in: organization.key))
      let size = TimeEntryImport.batchSize
      let count = 2 * size + 3
      // Each person's first row stands in one part, and others in later ones; the last row is there twice.
      let lines = (0..<count).map { number in
        let start = Instant.hour(Double(-(number == count - 1 ? number - 1 : number) - 2))
        return ImportLine(
          line: number + 2,
          row: .success(
            ImportRow(
              person: .email("person\(number * 2 / count)@import.example", name: nil),
              clockIn: .instant(start), clockOut: .time(.instant(start.adding(milliseconds: 3_600_000))))))
      }
      let recording = AnswerRecording<ImportReport>(
        key: IdempotencyKey(digest: Array(repeating: 7, count: 32), user: nil), time: .hour(0)
      ) { report in
        RecordedAnswer(
          fingerprint: Array(repeating: 1, count: 32), salt: nil, status: 200, entityTag: nil, location: nil,
          body: Array("\(report.taken) \(report.alreadyThere) \(report.membersCreated.count)".utf8))
      }
      func take(_ isDryRun: Bool, in storage: any Storage) async throws -> ImportReport {
        var running = try await Timeclock(storage: storage, clock: WallClock { .hour(0) }).beginImport(
          ImportSettings(isDryRun: isDryRun), by: caller)
        // No part is refused for the time that was taken before.
        return try await StorageDeadline.$current.withValue(StorageDeadline(.zero)) {
          try await running.take(lines, recording: isDryRun ? nil : recording)
        }
      }
      func recorded() async throws -> String? {
        try await world.storage.recordedAnswer(for: recording.key, at: .hour(0)).map {
          String(decoding: $0.body, as: UTF8.self)
        }
      }

      let judged = try await take(true, in: world.storage)
      #expect(judged.taken == count - 1 && judged.alreadyThere == 0)
      #expect(judged.refused == [RefusedImportRow(line: count + 1, refusal: .overlapInFile)])
      #expect(judged.membersCreated.map(\.email) == ["person0@import.example", "person1@import.example"])
      #expect(try await world.listAll(organization, pageSize: 500).isEmpty)

      await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
        try await take(false, in: world.storage.failing(atImport: 2))
      }
      #expect(try await world.listAll(organization, pageSize: 500).count == size)
      #expect(try await recorded() == nil)

      let report = try await take(false, in: world.storage)
      #expect(report.taken == count - 1 - size && report.alreadyThere == size)
      #expect(report.refused == judged.refused)
      #expect(report.membersCreated.map(\.email) == ["person1@import.example"])
      #expect(try await world.listAll(organization, pageSize: 500).count == count - 1)
      #expect(try await recorded() == "\(count - 1 - size) \(size) 1")
    }
  }
}

extension Storage {
  /// The storage, which has no time for one part of an import.
  fileprivate func failing(atImport part: Int) -> any Storage { FailingImports(base: self, part: part) }
}

private final class FailingImports<Base: Storage>: StorageInFront {
  let base: Base
  private let left: Atomic<Int>

  init(base: Base, part: Int) {
    self.base = base
    left = Atomic(part)
  }

  func enter(_ method: String) throws {
    guard method.hasPrefix("importTimeEntries") else { return }
    guard left.subtract(1, ordering: .relaxed).newValue != 0 else {
      throw TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }
}

extension ImportOutcome {
  /// The entry that was kept in this place; a test fails if none was.
  fileprivate func entry(_ place: Int) -> TimeEntry {
    guard case .success(let entry) = entries[place] else { fatalError("entry \(place) was refused") }
    return entry
  }
}

extension World {
  fileprivate func batch(
    of organization: TestOrganization, _ newMembers: [NewAccount], _ entries: [ImportedEntry]
  ) -> ImportBatch {
    ImportBatch(
      organization: organization.key, newMembers: newMembers, entries: entries, context: .test())
  }

  /// An entry from one hour to another; of a new member it gets the id that the member has in the end.
  fileprivate func imported(
    _ owner: ImportedEntry.Owner, in organization: TestOrganization, from: Double, to: Double,
    of userID: UserID? = nil
  ) -> ImportedEntry {
    var entry = entry(of: organization.admin, in: organization, from: .hour(from), to: .hour(to))
    entry.source = .import
    if let userID { entry.userID = userID }
    return ImportedEntry(owner: owner, entry: entry)
  }
}
