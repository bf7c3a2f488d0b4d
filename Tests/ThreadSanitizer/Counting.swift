// Threads that count together: `counting mutex` under a lock, `counting race` without one, which is a fault.
import Glibc
import Synchronization

final class Counter: Sendable {
  private let protected = Mutex(0)
  /// This promise is false: that is the fault.
  nonisolated(unsafe) private var unprotected = 0

  func count(isRacing: Bool) {
    for _ in 0..<20_000 {
      if isRacing { unprotected += 1 } else { protected.withLock { $0 += 1 } }
    }
  }
}

@main
enum Counting {
  static let counter = Counter()

  static func main() {
    let isRacing = CommandLine.arguments.dropFirst().first == "race"
    let threads = (0..<8).map { _ in start(isRacing) }
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func start(_ isRacing: Bool) -> pthread_t {
    var thread = pthread_t()
    // The argument says by being there that it is a race; it is never followed.
    let argument = isRacing ? UnsafeMutableRawPointer(bitPattern: 1) : nil
    let code = pthread_create(&thread, nil, { Counting.run($0) }, argument)
    guard code == 0 else { exit(1) }
    return thread
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    counter.count(isRacing: argument != nil)
    return nil
  }
}
