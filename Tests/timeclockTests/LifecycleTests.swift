import Testing

@testable import timeclock

@Suite("The service's parts")
struct LifecycleTests {
  private struct Fault: Error {}

  /// The steps of parts, in order.
  private final class Steps {
    var all: [String] = []

    /// Begins a part that notes its end and its stop.
    func begin(_ name: String, in parts: inout Lifecycle) {
      all.append("begin \(name)")
      parts.add(ending: { self.all.append("end \(name)") }) {
        await Task.yield()
        self.all.append("stop \(name)")
      }
    }
  }

  @Test("stop in the reverse of their order, once all have ended")
  func order() async throws {
    let steps = Steps()
    try await Lifecycle.run { parts in
      for name in ["a", "b", "c"] { steps.begin(name, in: &parts) }
      steps.all.append("serve")
    }
    #expect(
      steps.all == [
        "begin a", "begin b", "begin c", "serve", "end c", "end b", "end a", "stop c", "stop b", "stop a",
      ])
  }

  @Test("that had begun stop when a start fails, and the failure is passed on")
  func failure() async {
    let steps = Steps()
    await #expect(throws: Fault.self) {
      try await Lifecycle.run { parts in
        for name in ["a", "b"] { steps.begin(name, in: &parts) }
        throw Fault()
      }
    }
    #expect(steps.all == ["begin a", "begin b", "end b", "end a", "stop b", "stop a"])
  }
}
