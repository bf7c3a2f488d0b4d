import Synchronization

/// Notifies listeners of this process that an organization's log of changes has grown.
package typealias ChangeBus = AnnouncementBus<OrganizationKey>

/// Notifies listeners of this process that a member's timer has changed.
package typealias TimerBus = AnnouncementBus<MemberKey>

/// Notifies listeners of this process that something about a topic has been committed.
///
/// A storage announces after the commit, in every process. An announcement may be lost, come late or come for nothing:
/// it says where to read, and the storage has the content. Without listeners, it costs a look at a counter.
package final class AnnouncementBus<Topic: Hashable & Sendable>: Sendable {
  /// A listener's place; listening ends with it.
  package final class Listening: Sendable {
    private let bus: AnnouncementBus
    private let topic: Topic
    private let number: Int

    fileprivate init(bus: AnnouncementBus, topic: Topic, number: Int) {
      self.bus = bus
      self.topic = topic
      self.number = number
    }

    deinit {
      bus.end(number, of: topic)
    }
  }

  private struct State {
    var lastNumber = 0
    var listeners: [Topic: [Int: @Sendable () -> Void]] = [:]
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// A bus that nobody listens to.
  package init() {}

  /// Whether anybody listens.
  package var isHeard: Bool { count.load(ordering: .relaxed) > 0 }

  /// Has `onChange` called when the topic is announced, as long as the answer lives.
  ///
  /// - Parameter onChange: Called from any thread, also from one that others wait for; it must return at once.
  package func listen(
    to topic: Topic, _ onChange: @escaping @Sendable () -> Void
  ) -> Listening {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.listeners[topic, default: [:]][state.lastNumber] = onChange
      return state.lastNumber
    }
    count.add(1, ordering: .relaxed)
    return Listening(bus: self, topic: topic, number: number)
  }

  /// Notifies the topic's listeners.
  package func announce(_ topic: Topic) {
    guard isHeard else { return }
    let listeners = state.withLock { $0.listeners[topic].map { Array($0.values) } ?? [] }
    for listener in listeners { listener() }
  }

  /// Notifies every listener, because announcements may have been lost.
  package func announceAll() {
    guard isHeard else { return }
    let listeners = state.withLock { $0.listeners.values.flatMap(\.values) }
    for listener in listeners { listener() }
  }

  private func end(_ number: Int, of topic: Topic) {
    count.subtract(1, ordering: .relaxed)
    state.withLock { state in
      state.listeners[topic]?[number] = nil
      if state.listeners[topic]?.isEmpty == true { state.listeners[topic] = nil }
    }
  }
}
