import Synchronization
import Testing
import TimeclockDomain

/// Random clock-ins, clock-outs and manual entries by many tasks at once, against a model that has seen
/// nothing but the answers.
@Suite("Random work on the entries of few members")
struct IntervalModelTests {
  @Test(
    "never overlaps, never runs twice, and adds up to what was answered", arguments: StorageFactory.all,
    [UInt64(1), 2, 3])
  func randomOperations(_ factory: StorageFactory, _ seed: UInt64) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var members: [TestMember] = []
      for _ in 0..<4 { members.append(try await world.member(of: organization)) }
      let worker = Worker(world: world, organization: organization, members: members)
      let outcomes = await concurrently(16) { number in
        try await worker.run(operations: 250, seed: seed &* 1_000 &+ UInt64(number))
      }
      for outcome in outcomes { try outcome.get() }
      let model = worker.answered.withLock { $0 }

      var listedCount = 0
      for member in members {
        let listed = try await world.listAll(organization, member, pageSize: 50)
        listedCount += listed.count
        let answered = model.values.filter { $0.userID == member.id }
        #expect(Set(listed) == Set(answered))
        #expect(listed.filter { $0.status == .clockedIn }.count <= 1)
        let byStart = listed.sorted { $0.clockInTime < $1.clockInTime }
        for (entry, next) in zip(byStart, byStart.dropFirst()) {
          #expect((entry.clockOutTime ?? .latest) <= next.clockInTime)
        }
        #expect(seconds(listed) == seconds(Array(answered)))
      }
      #expect(try await world.listAll(organization, pageSize: 50).count == listedCount)
      // Both kinds of answers were given, or this proves nothing.
      let (done, refused) = worker.counts.withLock { $0 }
      #expect(done > 100)
      #expect(refused > 100)
    }
  }

  private func seconds(_ entries: [TimeEntry]) -> Int64 {
    entries.reduce(0) { $0 + $1.durationSeconds(at: .hour(1_000)) }
  }
}

/// One task's work, and the answers to all of it.
private final class Worker: Sendable {
  let answered = Mutex<[TimeEntryID: TimeEntry]>([:])
  let counts = Mutex<(done: Int, refused: Int)>((0, 0))
  private let world: World
  private let organization: TestOrganization
  private let members: [TestMember]

  init(world: World, organization: TestOrganization, members: [TestMember]) {
    self.world = world
    self.organization = organization
    self.members = members
  }

  func run(operations: Int, seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<operations {
      do {
        let entry = try await operate(&random)
        answered.withLock { answered in
          // Answers may come in another order than the writes: the later version is the later write.
          if (answered[entry.id]?.version ?? 0) < entry.version { answered[entry.id] = entry }
        }
        counts.withLock { $0.done += 1 }
      } catch let refusal as TimeclockError {
        switch refusal {
        case .alreadyClockedIn, .overlap, .notClockedIn, .endNotAfterStart: break
        default: throw refusal
        }
        counts.withLock { $0.refused += 1 }
      }
    }
  }

  private func operate(_ random: inout SeededRandom) async throws -> TimeEntry {
    let member = members[Int.random(in: 0..<members.count, using: &random)]
    let minute = Double(Int.random(in: 0..<6_000, using: &random)) / 60
    let begin = Instant.hour(minute)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      return try await world.keep(member, in: organization, from: .hour(minute + 50), to: nil)
    case 1, 2:
      return try await world.clockOut(
        member, at: .hour(minute + 50), isStated: Bool.random(using: &random))
    default:
      let length = Double(Int.random(in: 1...120, using: &random)) / 60
      return try await world.keep(member, in: organization, from: begin, to: .hour(minute + length))
    }
  }
}
