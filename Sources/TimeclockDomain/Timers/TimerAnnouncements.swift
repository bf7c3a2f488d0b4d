import Synchronization

/// The announcements of a storage about timers, in this process.
package final class TimerAnnouncements: Sendable {
  /// For listeners to one member's timer.
  package let bus = TimerBus()
  /// For the scheduler that brings timers to the present.
  package let due = DueTimerBus()

  /// Announcements that nobody listens to.
  package init() {}

  /// Announces timers that have been committed.
  package func announce(_ timers: [ChangedTimer]) {
    for timer in timers { bus.announce(timer.member) }
    if let first = timers.compactMap(\.timer.dueAt).min() { due.announce(first) }
  }

  /// Notifies all listeners to look for themselves, because announcements may have been lost.
  package func announceAll() {
    bus.announceAll()
    due.announce(nil)
  }
}

/// Announces in this process when a written timer changes by itself next.
///
/// As with every announcement, one may be lost, come late or come for nothing: the stored timers say what is due.
package final class DueTimerBus: Sendable {
  /// The listener's place; listening ends with it.
  package final class Listening: Sendable {
    private let bus: DueTimerBus
    private let number: Int

    fileprivate init(bus: DueTimerBus, number: Int) {
      self.bus = bus
      self.number = number
    }

    deinit {
      bus.listeners.withLock { $0.all[number] = nil }
    }
  }

  private struct Listeners {
    var lastNumber = 0
    var all: [Int: @Sendable (Instant?) -> Void] = [:]
  }

  private let listeners = Mutex(Listeners())

  /// A bus that nobody listens to.
  package init() {}

  /// Has `onDue` called with the instant at which a timer is due, or with nil if that has to be looked up, as long as
  /// the answer lives.
  ///
  /// - Parameter onDue: Called from any thread, also from one that others wait for; it must return at once.
  package func listen(_ onDue: @escaping @Sendable (Instant?) -> Void) -> Listening {
    let number = listeners.withLock { listeners in
      listeners.lastNumber += 1
      listeners.all[listeners.lastNumber] = onDue
      return listeners.lastNumber
    }
    return Listening(bus: self, number: number)
  }

  /// Notifies the listeners.
  package func announce(_ due: Instant?) {
    let all = listeners.withLock { Array($0.all.values) }
    for listener in all { listener(due) }
  }
}
