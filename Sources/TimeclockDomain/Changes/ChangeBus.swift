import Synchronization

/// Tells listeners of this process that an organization's log of changes has grown.
///
/// A storage announces after the commit, whichever process made it. An announcement may be lost, come late or come for
/// nothing: it says where to read, and the log says what. Where nobody listens, it costs a look at a counter.
package final class ChangeBus: Sendable {
  /// A listener's place; listening ends with it.
  package final class Listening: Sendable {
    private let bus: ChangeBus
    private let organization: OrganizationKey
    private let number: Int

    fileprivate init(bus: ChangeBus, organization: OrganizationKey, number: Int) {
      self.bus = bus
      self.organization = organization
      self.number = number
    }

    deinit {
      bus.end(number, of: organization)
    }
  }

  private struct State {
    var lastNumber = 0
    var listeners: [OrganizationKey: [Int: @Sendable () -> Void]] = [:]
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// A bus that nobody listens to.
  package init() {}

  /// Whether anybody listens.
  package var isHeard: Bool { count.load(ordering: .relaxed) > 0 }

  /// Has `onChange` called when the organization's log has grown, as long as the answer lives.
  ///
  /// - Parameter onChange: Called from any thread, also from one that others wait for; it must return at once.
  package func listen(
    to organization: OrganizationKey, _ onChange: @escaping @Sendable () -> Void
  ) -> Listening {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.listeners[organization, default: [:]][state.lastNumber] = onChange
      return state.lastNumber
    }
    count.add(1, ordering: .relaxed)
    return Listening(bus: self, organization: organization, number: number)
  }

  /// Tells the organization's listeners.
  package func announce(_ organization: OrganizationKey) {
    guard isHeard else { return }
    let listeners = state.withLock { $0.listeners[organization].map { Array($0.values) } ?? [] }
    for listener in listeners { listener() }
  }

  /// Tells every listener, because announcements may have been lost.
  package func announceAll() {
    guard isHeard else { return }
    let listeners = state.withLock { $0.listeners.values.flatMap(\.values) }
    for listener in listeners { listener() }
  }

  private func end(_ number: Int, of organization: OrganizationKey) {
    count.subtract(1, ordering: .relaxed)
    state.withLock { state in
      state.listeners[organization]?[number] = nil
      if state.listeners[organization]?.isEmpty == true { state.listeners[organization] = nil }
    }
  }
}
