import Foundation
import Synchronization
import Testing
import Threads

@Suite("A thread's place beside others")
struct NamedThreadTests {
  @Test("is behind them for long work")
  func behind() throws {
    #expect(try scheduling(.behind)["prio"] == (try #require(scheduling(.usual)["prio"])) + 10)
  }

  /// The slice of a thread of the usual policy can be set since Linux 6.12, and is shown since then.
  @Test("is a short slice if requests wait for it", .enabled(if: settings(of: "self")["se.slice"] != nil))
  func prompt() throws {
    let prompt = try scheduling(.prompt)
    let usual = try scheduling(.usual)
    #expect(prompt["se.slice"] == 100_000)
    #expect(prompt["policy"] == usual["policy"])
    #expect(prompt["prio"] == usual["prio"])
  }

  /// The scheduler's settings of a new thread.
  private func scheduling(_ precedence: ThreadPrecedence) throws -> [String: Int] {
    let found = Mutex<[String: Int]>([:])
    let thread = try NamedThread(name: "scheduled", precedence: precedence) {
      found.withLock { $0 = settings(of: "thread-self") }
    }
    thread.join()
    return found.withLock(\.self)
  }
}

/// The numbers of `/proc/…/sched`, by their names.
private func settings(of place: String) -> [String: Int] {
  // Files of proc(5) have no size: they are read until their end.
  let file = FileHandle(forReadingAtPath: "/proc/\(place)/sched")
  let text = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
  let pairs = text.split(separator: "\n").compactMap { line -> (String, Int)? in
    let parts = line.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    return (parts[0], number)
  }
  return Dictionary(pairs) { first, _ in first }
}
