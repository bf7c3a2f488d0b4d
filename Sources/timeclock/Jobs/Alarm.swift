import Synchronization
import TimeclockDomain

/// A time at which one task is to wake, by a clock that may be set. Without a time nothing wakes the process.
final class Alarm: Sendable {
  private struct State {
    /// The first instant that was set; nil if none was.
    var due: Instant?
    /// Whether it goes off at once.
    var isNow = false
    /// Whether something has happened since the waiting task has looked.
    var isChanged = false
    var waiter: UnsafeContinuation<Void, Never>?
    /// The number of the sleep that the clock ends.
    var sleepNumber = 0

    /// Wakes the waiting task to look again.
    mutating func change() {
      isChanged = true
      waiter.take()?.resume()
    }
  }

  private let state = Mutex(State())

  /// Sets the alarm, unless it is set to an earlier instant; nil sets it to now.
  func set(_ due: Instant?) {
    state.withLock { state in
      if let due {
        guard state.due.map({ due < $0 }) ?? true else { return }
        state.due = due
      } else {
        state.isNow = true
      }
      state.change()
    }
  }

  /// Waits until the alarm goes off, and turns it off; also until the task is canceled. One task at a time calls it.
  ///
  /// - Parameters:
  ///   - clock: The clock that the alarm is set by.
  ///   - longest: The longest time between two looks at the clock if an instant is set.
  func wait(by clock: WallClock, atMost longest: Duration) async {
    while !Task.isCancelled, let sleep = turnOff(at: clock.now) {
      await wait(sleep.time.map { min($0, longest) })
    }
  }

  /// The time until the alarm goes off, nil for ever.
  private struct Sleep {
    var time: Duration?
  }

  /// Turns the alarm off if it goes off at this instant.
  ///
  /// - Returns: The time to sleep until then; nil if it has gone off.
  private func turnOff(at now: Instant) -> Sleep? {
    state.withLock { state in
      state.isChanged = false
      guard !state.isNow, state.due.map({ $0 > now }) ?? true else {
        (state.isNow, state.due) = (false, nil)
        return nil
      }
      return Sleep(time: state.due.map { .milliseconds($0.milliseconds(since: now)) })
    }
  }

  /// Waits until something changes, or for a time.
  private func wait(_ time: Duration?) async {
    let number = state.withLock { $0.sleepNumber }
    let sleep = time.map { time in
      Task {
        try? await Task.sleep(for: time)
        wake(number)
      }
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        state.withLock { state in
          guard !state.isChanged else { return continuation.resume() }
          state.waiter = continuation
        }
      }
    } onCancel: {
      wake(number)
    }
    state.withLock { $0.sleepNumber += 1 }
    sleep?.cancel()
  }

  /// Ends a sleep, unless that has ended.
  private func wake(_ number: Int) {
    state.withLock { state in
      if state.sleepNumber == number { state.change() }
    }
  }
}
