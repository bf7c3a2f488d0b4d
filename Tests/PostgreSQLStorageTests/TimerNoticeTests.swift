import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("The notices about timers between processes on PostgreSQL")
struct TimerNoticeTests {
  private static func member(_ number: Int64) -> MemberKey {
    MemberKey(organization: OrganizationKey(7), user: UserKey(number))
  }

  private static func changed(_ number: Int64, dueAt: Int64?) -> ChangedTimer {
    var timer = MemberTimer.unused
    if let dueAt {
      timer.active = ActiveTimer(
        id: TimerID(high: 1, low: 2), type: .focus, phase: .running,
        startTime: Instant(millisecondsSince1970: 0), endTime: Instant(millisecondsSince1970: dueAt),
        lastStartTime: Instant(millisecondsSince1970: 0), pausedMilliseconds: 0, originalMilliseconds: dueAt,
        adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false, backgroundSince: nil,
        label: nil, projectID: nil, taskID: nil, subject: nil)
    }
    return ChangedTimer(member: member(number), timer: timer, sessions: [])
  }

  /// Everything that a process hears.
  private final class Heard: Sendable {
    let members = Mutex<[MemberKey: Int]>([:])
    let dues = Mutex<[Instant?]>([])
    private let listening = Mutex<[any Sendable]>([])

    init(_ announcements: TimerAnnouncements, members: [MemberKey]) {
      for member in members {
        let place = announcements.bus.listen(to: member) { [self] in
          self.members.withLock { $0[member, default: 0] += 1 }
        }
        listening.withLock { $0.append(place) }
      }
      let place = announcements.due.listen { [self] due in dues.withLock { $0.append(due) } }
      listening.withLock { $0.append(place) }
    }
  }

  @Test("is a word for each timer, and nothing else is one")
  func words() {
    for dueAt in [nil, Instant(millisecondsSince1970: 1_795_165_200_123)] {
      let notice = TimerNotice(member: Self.member(3), dueAt: dueAt)
      #expect(TimerNotice(notice.text) == notice)
    }
    for word in ["*", "", "1.2", "1.2.x", "a.2.3", "1.b.3", "1.2.3.4", "1..", "99999999999999999999.1.1"] {
      #expect(TimerNotice(word) == nil, "\(word)")
    }
  }

  @Test("comes many at once, the newest of each timer, and is heard by others only")
  func payloads() async throws {
    let (sender, receiver) = (TimerNotices(), TimerNotices())
    let members = (1...2_000).map { Self.member($0) }
    let own = Heard(sender.announcements, members: members)
    let others = Heard(receiver.announcements, members: members)
    let sent = AsyncStream.makeStream(of: [String].self)
    let send: TimerNotices.Sending = { sent.continuation.yield($0) }
    sender.announce([Self.changed(1, dueAt: 5)], send)
    sender.announce((1...2_000).map { Self.changed($0, dueAt: $0 == 1 ? nil : 1_000 + $0) }, send)
    #expect(own.members.withLock { $0.count } == 2_000)
    #expect(own.dues.withLock { $0 } == [5, 1_002].map(Instant.init(millisecondsSince1970:)))
    var iterator = sent.stream.makeAsyncIterator()
    let payloads = try #require(await iterator.next())
    #expect(payloads.count > 1 && payloads.allSatisfy { $0.utf8.count < 8_000 })
    for payload in payloads {
      sender.hear(payload)
      receiver.hear(payload)
    }
    #expect(own.members.withLock { $0.values.reduce(0, +) } == 2_001)
    #expect(others.members.withLock { $0.count == 2_000 && $0.values.allSatisfy { $0 == 1 } })
    #expect(others.dues.withLock { $0.compactMap { $0 }.min() } == Instant(millisecondsSince1970: 1_002))
    // A sender that asks others to look makes them look for everything.
    sender.tellToLook(send)
    let look = try #require(await iterator.next())
    #expect(look.count == 1)
    receiver.hear(look[0])
    #expect(others.members.withLock { $0.values.allSatisfy { $0 == 2 } })
    #expect(others.dues.withLock { $0.last } == .some(nil))
    #expect(sender.close() == [])
  }

  @Test("is sent again if that has failed, and at the end")
  func failure() async throws {
    let notices = TimerNotices()
    let attempts = Mutex(0)
    let sent = AsyncStream.makeStream(of: [String].self)
    let send: TimerNotices.Sending = { payloads in
      guard
        attempts.withLock({
          $0 += 1; return $0
        }) > 1
      else { throw PostgreSQLError.connectionLost }
      sent.continuation.yield(payloads)
    }
    notices.announce([Self.changed(1, dueAt: 5)], send)
    var iterator = sent.stream.makeAsyncIterator()
    let payloads = try #require(await iterator.next())
    #expect(payloads.count == 1 && payloads[0].hasSuffix(" 7.1.5"))
    notices.announce([Self.changed(2, dueAt: nil)], send)
    let left = notices.close()
    #expect(left.count == 1 && left[0].hasSuffix(" 7.2."))
  }

  @Test("is heard by another storage on the same database within a second")
  func twoStorages() async throws {
    try await TestDatabase.run { database in
      let (first, second) = (try database.open(), try database.open())
      let office = try await TestOffice(in: first)
      let member = office.member.key
      let heard = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      // A storage that begins to listen, also again, does not know which notices it has missed: nil.
      let dues = Mutex<[Instant?]>([])
      let listening = (
        second.listen(toTimerOf: member) { heard.continuation.yield() },
        second.listenToDueTimers { due in dues.withLock { $0.append(due) } }
      )
      var times: [Duration] = []
      for number in 1...20 as ClosedRange<Int64> {
        let due = Instant(millisecondsSince1970: number)
        func isHeard() -> Bool { dues.withLock { $0.contains(due) } }
        for _ in 0..<6 where !isHeard() {
          dues.withLock { $0 = [] }
          try await first.changeTimer(of: member, recording: nil) { change in
            change.timer.active = Self.changed(1, dueAt: number).timer.active
            change.timer.version += 1
          }
          let start = ContinuousClock.now
          // A notice that a storage reports as missed is sent once more.
          while !isHeard(), ContinuousClock.now - start < .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
          }
          if isHeard() || !dues.withLock({ $0.contains(nil) }) {
            times.append(ContinuousClock.now - start)
            break
          }
        }
        #expect(isHeard())
      }
      // Most of them, on a busy machine: a missed notice is heard at the next poll.
      #expect(times.sorted()[times.count / 2] < .seconds(1))
      var iterator = heard.stream.makeAsyncIterator()
      _ = try #require(await iterator.next())
      withExtendedLifetime(listening) {}
      await first.close()
      await second.close()
    }
  }
}
