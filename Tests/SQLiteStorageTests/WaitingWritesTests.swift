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
    while !waiting.isEmpty { order.append(names(waiting.next(now: start))) }
    #expect(order == [["s1", "s2"], ["a1"], ["b1"], ["own"], ["a2"], ["a3"]])
    #expect(names(waiting.next(now: start)) == [])
  }

  @Test("that are long pause for as long as the one before took, while short ones come")
  func pauses() {
    var waiting = WaitingWrites(now: start)
    waiting.add([Named("s"), Named("1", .long(a)), Named("2", .long(a)), Named("3", .long(a))], now: start)
    #expect(names(waiting.next(now: start)) == ["s"])
    #expect(names(waiting.next(now: start)) == ["1"])
    var now = start + .milliseconds(40)
    waiting.noteLong(began: start, ended: now)
    #expect(waiting.pause(now: now) == .milliseconds(40))
    #expect(waiting.isPausing(now: now) && !waiting.isPausing(now: now + .milliseconds(40)))
    #expect(names(waiting.next(now: now)) == [])
    // A short one does not wait for the pause's end, nor the next long one for the end of short ones.
    waiting.add([Named("t")], now: now)
    #expect(!waiting.isPausing(now: now))
    #expect(names(waiting.next(now: now)) == ["t"])
    now += .milliseconds(40)
    waiting.add([Named("u")], now: now)
    #expect(names(waiting.next(now: now)) == ["2"])
    #expect(names(waiting.next(now: now)) == ["u"])
    // However long it took, the pause has an end.
    waiting.noteLong(began: now, ended: now + .seconds(9))
    #expect(waiting.pause(now: now + .seconds(9)) == .zero)
    waiting.endPause(now: now)
    #expect(names(waiting.next(now: now)) == ["3"])
  }

  @Test("that are long do not pause where no short ones come, and never for more than a quarter of a second")
  func pauseLimits() {
    var waiting = WaitingWrites(now: start)
    waiting.add([Named("1", .long(a)), Named("2", .long(a))], now: start)
    #expect(names(waiting.next(now: start)) == ["1"])
    waiting.noteLong(began: start, ended: start + .seconds(3))
    #expect(waiting.pause(now: start + .seconds(3)) == .zero)
    waiting.add([Named("s")], now: start + .seconds(3))
    #expect(names(waiting.next(now: start + .seconds(3))) == ["s"])
    #expect(names(waiting.next(now: start + .seconds(3))) == ["2"])
    waiting.add([Named("3", .long(a))], now: start + .seconds(3))
    waiting.noteLong(began: start, ended: start + .milliseconds(3_500))
    #expect(waiting.pause(now: start + .milliseconds(3_500)) == .milliseconds(250))
  }

  @Test("are first again when they did not come to their turn")
  func putBack() {
    var waiting = WaitingWrites(now: start)
    waiting.add([Named("1"), Named("2"), Named("3")], now: start)
    let taken = waiting.next(now: start)
    waiting.putBack(taken[1...])
    waiting.add([Named("4")], now: start)
    #expect(names(waiting.next(now: start)) == ["2", "3", "4"])
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
    #expect(WriteLength.rows(20, of: a) == .short)
    #expect(WriteLength.rows(21, of: a) == .long(a))
  }

  private func names(_ writes: [any PendingWrite]) -> [String] {
    writes.map { ($0 as? Named)?.name ?? "" }
  }
}

/// What happens, in its order.
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

  init(_ name: String, _ length: WriteLength = .short) {
    self.name = name
    self.length = length
  }

  func execute(_ transaction: SQLiteTransaction) {}
  func note(failure: any Error) {}
  func finish() {}
  func finish(failure: any Error) {}
}
