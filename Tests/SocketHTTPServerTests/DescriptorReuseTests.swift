import EventLoops
import Glibc
import Testing
import Threads

@Suite("An event loop")
struct DescriptorReuseTests {
  /// A child that was just forked holds its parent's descriptors, until it executes its program.
  @Test("The loop reports no events of a closed descriptor whose connection another process still holds")
  func reusedDescriptor() throws {
    let loop = try EventLoop()
    let (first, firstPeer) = try socketPair()
    let (second, secondPeer) = try socketPair()
    let held = dup(first)
    let (old, new) = (EventCounter(), EventCounter())
    _ = loop.watch(first, .readable, old)
    loop.unwatch(first)
    // Closes the first, and gives its number to another connection at once: a number that is free for a moment is taken
    // by another test of this process.
    #expect(dup2(second, first) == first)
    // Hangs up the connection that `held` keeps open.
    shutdown(held, Int32(SHUT_RDWR))
    close(firstPeer)

    _ = loop.watch(first, .readable, new)
    // Ready events are reported in the turn that ends the loop.
    loop.perform { loop.end() }
    try NamedThread(name: "events") { loop.run() }.join()
    #expect(old.count == 0)
    #expect(new.count == 0)
    for descriptor in [held, first, second, secondPeer] { close(descriptor) }
  }

  private func socketPair() throws -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    return (pair[0], pair[1])
  }
}

/// Counts the events that it receives.
private final class EventCounter: DescriptorWatcher {
  private(set) var count = 0

  func handle(_ events: DescriptorEvents) {
    count += 1
  }
}
