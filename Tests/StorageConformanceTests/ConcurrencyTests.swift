import Synchronization
import Testing
import TimeclockDomain

@Suite("Storages under concurrency")
struct ConcurrencyTests {
  @Test("let one of 64 simultaneous clock-ins win", arguments: StorageFactory.all)
  func clockIns(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      for round in 0..<20 {
        let member = try await world.member(of: organization)
        let outcomes = await concurrently(64) { number in
          try await world.keep(
            member, in: organization, from: .hour(Double(round)).adding(milliseconds: Int64(number % 8)),
            to: nil)
        }
        let winners = outcomes.compactMap { try? $0.get() }
        #expect(winners.count == 1)
        let active = try #require(try await world.storage.activeTimeEntry(of: member.key))
        #expect(winners == [active])
        for case .failure(let error) in outcomes {
          #expect(error as? TimeclockError == .alreadyClockedIn(active: active))
        }
      }
    }
  }

  @Test("let one of 64 simultaneous clock-outs win", arguments: StorageFactory.all)
  func clockOuts(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = organization.admin
      let entry = try await world.keep(member, in: organization, from: .hour(0), to: nil)
      let outcomes = await concurrently(64) { number in
        try await world.clockOut(member, at: .hour(1 + Double(number)))
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == winners.first)
      for case .failure(let error) in outcomes { #expect(error as? TimeclockError == .notClockedIn) }
    }
  }

  @Test("show every write to each reader after its answer", arguments: StorageFactory.all)
  func readYourWrites(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<8 { members.append(try await world.member(of: organization)) }
      let all = members
      let outcomes = await concurrently(8) { number in
        for round in 0..<40 {
          let entry = try await world.keep(
            all[number], in: organization, from: .hour(Double(round)), to: nil)
          #expect(try await world.storage.activeTimeEntry(of: all[number].key) == entry)
          let closed = try await world.clockOut(all[number], at: .hour(Double(round) + 0.5))
          #expect(try await world.storage.activeTimeEntry(of: all[number].key) == nil)
          #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == closed)
          let first = try await world.list(
            organization, all[number], range: .dates(from: closed.date, through: nil))
          #expect(first.elements.first == closed)
        }
      }
      for outcome in outcomes { try outcome.get() }
    }
  }

  @Test("never show what was before after what came later", arguments: StorageFactory.all)
  func monotonicReads(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let done = Flag()
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for version in 1...150 {
            _ = try? await world.storage.updateOrganization(
              organization.key, expectedVersion: Int64(version), context: .test(at: World.start)
            ) { $0.name = "Name \(version)" }
          }
          done.raise()
        }
        for _ in 0..<3 {
          group.addTask {
            var last: Int64 = 0
            while !done.isRaised {
              let version = (try? await world.storage.organization(organization.key).version) ?? -1
              #expect(version >= last)
              last = version
              await Task.yield()
            }
          }
        }
      }
      #expect(try await world.storage.organization(organization.key).version == 151)
    }
  }

  @Test("give one account to people who are added twice at once", arguments: StorageFactory.all)
  func accounts(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var organizations: [TestOrganization] = []
      for _ in 0..<16 { organizations.append(try await world.organization()) }
      let all = organizations
      let outcomes = await concurrently(32) { number in
        try await world.member(
          of: all[number / 2],
          account: world.account(email: number % 2 == 0 ? "one@x.example" : "ONE@x.example"))
      }
      let added = outcomes.compactMap { try? $0.get() }
      #expect(added.count == 16)
      #expect(Set(added.map(\.key.user)).count == 1)
      for case .failure(let error) in outcomes { #expect(error as? TimeclockError == .memberExists) }
    }
  }
}

/// Raised once, seen by every task.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}
