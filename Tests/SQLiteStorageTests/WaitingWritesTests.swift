import Foundation
import Synchronization
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("Writes that wait")
struct WaitingWritesTests {
  private let start = ContinuousClock.now
  private let a = OrganizationKey(1)
  private let b = OrganizationKey(2)

  @Test("have their turns: short ones together and first, long ones alone, of each organization in turn")
  func turns() {
    var waiting = WaitingWrites(now: start)
    #expect(waiting.pause(now: start) == nil)
    waiting.add(
      [
        Named("a1", .long(a)), Named("a2", .long(a)), Named("s1"), Named("b1", .long(b)),
        Named("own", .long(nil)),
        Named("s2"), Named("a3", .long(a)),
      ], now: start)
    #expect(waiting.pause(now: start) == .zero)
    var order: [[String]] = []
    while !waiting.isEmpty { order.append(next(&waiting, at: start)) }
    #expect(order == [["s1", "s2"], ["a1"], ["b1"], ["own"], ["a2"], ["a3"]])
    #expect(next(&waiting, at: start) == [])
  }

  @Test("that are long pause for as long as the one before took, while short ones come")
  func pauses() {
    var waiting = WaitingWrites(now: start)
    waiting.add([Named("s"), Named("1", .long(a)), Named("2", .long(a)), Named("3", .long(a))], now: start)
    #expect(next(&waiting, at: start) == ["s"])
    #expect(next(&waiting, at: start) == ["1"])
    var now = start + .milliseconds(40)
    waiting.noteLong(began: start, ended: now)
    #expect(waiting.pause(now: now) == .milliseconds(40))
    #expect(waiting.isPausing(now: now) && !waiting.isPausing(now: now + .milliseconds(40)))
    #expect(next(&waiting, at: now) == [])
    // A short one does not wait for the pause's end, nor the next long one for the end of short ones.
    waiting.add([Named("t")], now: now)
    #expect(!waiting.isPausing(now: now))
    #expect(next(&waiting, at: now) == ["t"])
    now += .milliseconds(40)
    waiting.add([Named("u")], now: now)
    #expect(next(&waiting, at: now) == ["2"])
    #expect(next(&waiting, at: now) == ["u"])
    // However long it took, the pause has an end.
    waiting.noteLong(began: now, ended: now + .seconds(9))
    #expect(waiting.pause(now: now + .seconds(9)) == .zero)
    waiting.endPause(now: now)
    #expect(next(&waiting, at: now) == ["3"])
  }

  @Test("that are long do not pause if no short ones come, and never for more than a quarter of a second")
  func pauseLimits() {
    var waiting = WaitingWrites(now: start)
    waiting.add([Named("1", .long(a)), Named("2", .long(a))], now: start)
    #expect(next(&waiting, at: start) == ["1"])
    waiting.noteLong(began: start, ended: start + .seconds(3))
    #expect(waiting.pause(now: start + .seconds(3)) == .zero)
    waiting.add([Named("s")], now: start + .seconds(3))
    #expect(next(&waiting, at: start + .seconds(3)) == ["s"])
    #expect(next(&waiting, at: start + .seconds(3)) == ["2"])
    waiting.add([Named("3", .long(a))], now: start + .seconds(3))
    waiting.noteLong(began: start, ended: start + .milliseconds(3_500))
    #expect(waiting.pause(now: start + .milliseconds(3_500)) == .milliseconds(250))
  }

  @Test("of one organization share a commit for 20 ms, each with those that it has room for")
  func commitTime() {
    var waiting = WaitingWrites(now: start)
    waiting.add((1...9).map { Named("\($0)", .short(a)) }, now: start)
    #expect(next(&waiting, at: start, each: .milliseconds(7)) == ["1", "2", "3"])
    // A write that did not come to its turn is before those that come later.
    waiting.add([Named("10", .short(a))], now: start)
    #expect(next(&waiting, at: start, each: .seconds(1)) == ["4"])
    #expect(next(&waiting, at: start) == ["5", "6", "7", "8", "9", "10"])
  }

  @Test("of several organizations have their turns in a commit, and 2 ms for each")
  func organizationTime() {
    var waiting = WaitingWrites(now: start)
    waiting.add(
      (1...5).map { Named("a\($0)", .short(a)) } + [Named("b1", .short(b)), Named("own")], now: start)
    #expect(next(&waiting, at: start, each: .milliseconds(1)) == ["a1", "b1", "own", "a2"])
    // The others may come again while a commit is under way, so it is as short without them.
    #expect(next(&waiting, at: start + .milliseconds(999), each: .milliseconds(1)) == ["a3", "a4"])
    waiting.add((6...9).map { Named("a\($0)", .short(a)) }, now: start + .milliseconds(999))
    #expect(
      next(&waiting, at: start + .seconds(2), each: .milliseconds(3)) == ["a5", "a6", "a7", "a8", "a9"])
  }

  @Test("share commits that end: nobody is answered behind all that wait")
  func commits() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let events = Events()
    let others = DispatchSemaphore(value: 0)
    // The writer is kept busy until the others wait.
    storage.writer.writeSoon({ _ in others.wait() }, onEnd: { _ in })
    for number in 1...3 {
      storage.writer.writeSoon(
        { _ in
          events.add("\(number) run")
          // Longer than the writes of one commit may take together.
          usleep(30_000)
        }, onEnd: { isCommitted in events.add("\(number) \(isCommitted ? "committed" : "refused")") })
    }
    others.signal()
    try await storage.checkReadiness()
    #expect(events.all == (1...3).flatMap { ["\($0) run", "\($0) committed"] })
    await storage.close()
  }

  @Test("are long from a number of rows on")
  func lengths() {
    #expect(WriteLength.rows(20, of: a) == .short(a))
    #expect(WriteLength.rows(21, of: a) == .long(a))
  }

  /// The writes of the next commit, each of which takes so long.
  private func next(
    _ waiting: inout WaitingWrites, at start: ContinuousClock.Instant, each: Duration = .zero
  ) -> [String] {
    if let write = waiting.takeLong(now: start) { return [name(write)] }
    var share = waiting.share(now: start)
    var now = start
    var names: [String] = []
    while let write = waiting.takeShort(for: share) {
      names.append(name(write))
      now += each
      share.end(write.length.organization, now: now)
    }
    return names
  }

  private func name(_ write: any PendingWrite) -> String { (write as? Named)?.name ?? "" }
}

/// The events, in order.
private final class Events: Sendable {
  private let names = Mutex<[String]>([])

  var all: [String] { names.withLock { $0 } }

  func add(_ name: String) {
    names.withLock { $0.append(name) }
  }
}

/// A write that does nothing and has a name.
private struct Named: PendingWrite {
  let name: String
  let length: WriteLength

  init(_ name: String, _ length: WriteLength = .short(nil)) {
    self.name = name
    self.length = length
  }

  func execute(_ transaction: SQLiteTransaction) {}
  func note(failure: any Error) {}
  func finish() {}
  func finish(failure: any Error) {}
}
