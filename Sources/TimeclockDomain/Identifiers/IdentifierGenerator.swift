import Synchronization

/// Makes ids that sort in the order in which they were made.
///
/// RFC 9562, section 6.2, method 1: twelve bits after the millisecond count on within it, starting at a
/// random value below half. When they run out, or the clock steps back, the id's own time moves on instead.
package final class IdentifierGenerator: Sendable {
  private struct State {
    var milliseconds: UInt64 = 0
    var counter: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The next id, stamped with `now` or with the latest id's time, whichever is later.
  package func next<Subject>(at now: Instant) -> Identifier<Subject> {
    var random = SystemRandomNumberGenerator()
    let fresh = random.next()
    let (milliseconds, counter) = state.withLock { state in
      let wanted = UInt64(clamping: now.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
      if wanted > state.milliseconds {
        state.milliseconds = wanted
        state.counter = fresh >> 53
      } else {
        state.counter += 1
        if state.counter > 0xFFF {
          state.milliseconds += 1
          state.counter = fresh >> 53
        }
      }
      return (state.milliseconds, state.counter)
    }
    return Identifier(
      high: milliseconds << 16 | 0x7000 | counter,
      low: 0x8000_0000_0000_0000 | random.next() >> 2)
  }
}
