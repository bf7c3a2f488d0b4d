import EventLoops
import Glibc
import Synchronization
import Testing
import Threads

@Suite("An event loop that ends")
struct EventLoopTests {
  @Test("An ending loop does all work that it has taken, late in its last turn too, and takes no more")
  func lastTurn() throws {
    let loop = try EventLoop()
    let client = LateClient(loop: loop)
    let thread = try NamedThread(name: "late") {
      loop.add(client)
      loop.run()
    }
    loop.perform { loop.end() }
    thread.join()
    #expect(client.takenCount.load(ordering: .acquiring) > 0)
    #expect(client.takenCount.load(ordering: .acquiring) == client.doneCount.load(ordering: .acquiring))
    #expect(!loop.perform {})
  }
}

@Suite("Long work on an event loop")
struct LongWorkOnLoopTests {
  @Test("Long work gives way to what the poller reports, in the order in which it came, and goes on")
  func givesWay() async throws {
    let loop = try EventLoop()
    let thread = try NamedThread(name: "long") { loop.run() }
    let pipe = try #require(Pipe())
    let watcher = ReadingWatcher(pipe)
    loop.perform {
      _ = loop.watch(pipe.reading, .readable, watcher)
      pipe.write()
    }
    let order = Order()
    // None begins before all are there.
    loop.perform { while !order.hasAll.load(ordering: .acquiring) { usleep(100) } }
    await withTaskGroup { group in
      for number in 0..<3 {
        group.addTask(executorPreference: loop) {
          for _ in 0..<2 {
            // Longer than a turn may be.
            usleep(3_000)
            await EventLoop.giveWay()
            order.numbers.withLock { $0.append(number) }
          }
          #expect(watcher.isReported, "the poller was not asked in between")
          #expect(loop.isCurrent)
        }
      }
      order.hasAll.store(true, ordering: .releasing)
    }
    let found = order.numbers.withLock { $0 }
    #expect(found.prefix(3) == found.suffix(3) && Set(found.prefix(3)) == [0, 1, 2])
    loop.perform { loop.end() }
    thread.join()
  }

  @Test("Work that is on no loop, and short work on one, do not wait")
  func shortWork() async throws {
    await EventLoop.giveWay()
    let loop = try EventLoop()
    let thread = try NamedThread(name: "short") { loop.run() }
    await withTaskExecutorPreference(loop) {
      for _ in 0..<10 { await EventLoop.giveWay() }
      #expect(loop.isCurrent)
    }
    loop.perform { loop.end() }
    thread.join()
  }

  @Test("A task is on a loop for its work there, and then on its preferred executor, also after an error")
  func ownExecutor() async throws {
    struct Refusal: Error {}
    let loop = try EventLoop()
    let thread = try NamedThread(name: "own") { loop.run() }
    await withTaskExecutorPreference(loop) {
      for fails in [false, true, false] {
        let there = try? await LongWorkExecutor.run {
          #expect(EventLoop.current == nil)
          try? await loop.runTask {
            #expect(loop.isCurrent)
            // An await there resumes it there.
            await Task.yield()
            #expect(loop.isCurrent)
            if fails { throw Refusal() }
          }
          #expect(EventLoop.current == nil)
          if fails { throw Refusal() }
          return true
        }
        #expect((there == nil) == fails)
        #expect(loop.isCurrent)
      }
    }
    loop.perform { loop.end() }
    thread.join()
  }
}

/// The tasks that went on, in their order.
private final class Order: Sendable {
  let hasAll = Atomic(false)
  let numbers = Mutex<[Int]>([])
}

/// A pipe that is closed when it goes.
private final class Pipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }

  func write() { _ = Glibc.write(writing, "x", 1) }

  deinit {
    close(reading)
    close(writing)
  }
}

/// Notes that its pipe is readable, and empties it.
private final class ReadingWatcher: DescriptorWatcher, Sendable {
  private let pipe: Pipe
  private let reported = Atomic(false)

  var isReported: Bool { reported.load(ordering: .acquiring) }

  init(_ pipe: Pipe) { self.pipe = pipe }

  func handle(_ events: DescriptorEvents) {
    var byte: UInt8 = 0
    _ = read(pipe.reading, &byte, 1)
    reported.store(true, ordering: .releasing)
  }
}

/// Gives the loop work at the end of every turn, and once more when that is done.
private final class LateClient: EventLoopClient, Sendable {
  let takenCount = Atomic<Int>(0)
  let doneCount = Atomic<Int>(0)
  private let loop: EventLoop

  init(loop: EventLoop) {
    self.loop = loop
  }

  var nextDeadline: Int64 { .max }

  func turnEnded() {
    perform {
      self.doneCount.wrappingAdd(1, ordering: .releasing)
      self.perform { self.doneCount.wrappingAdd(1, ordering: .releasing) }
    }
  }

  private func perform(_ body: @escaping @Sendable () -> Void) {
    if loop.perform(body) { takenCount.wrappingAdd(1, ordering: .releasing) }
  }
}
