import Synchronization
import TimeclockDomain

/// Reads one organization's log behind its end, once for all who listen, and gives each what it sees.
final class OrganizationFeed: Sendable {
  private struct State {
    /// The last change that was handed out; nil before the first listener.
    var position: LogPlace?
    var listeners: [ObjectIdentifier: LiveListener] = [:]
    var isReading = false
    /// Whether there may be more behind what is read.
    var isDue = false
    var isOver = false
  }

  let organization: OrganizationKey
  private let timeclock: Timeclock
  private let state = Mutex(State())
  private let listening = Mutex<ChangeBus.Listening?>(nil)

  private static let pageLimit = 200

  init(of organization: OrganizationKey, in timeclock: Timeclock) {
    self.organization = organization
    self.timeclock = timeclock
    let place = timeclock.storage.listen(to: organization) { [weak self] in self?.wake() }
    listening.withLock { $0 = place }
  }

  /// Takes a listener in.
  ///
  /// - Returns: The change after which it gets everything; nil where the feed has ended because it had no listener.
  func join(_ listener: LiveListener) async throws -> LogPlace? {
    let isNew = state.withLock { $0.position == nil }
    let last = isNew ? try await timeclock.storage.logEnd(of: organization) : nil
    let (position, isDue) = state.withLock { state -> (LogPlace?, Bool) in
      guard !state.isOver else { return (nil, false) }
      state.position = state.position ?? last
      state.listeners[ObjectIdentifier(listener)] = listener
      return (state.position, state.isDue)
    }
    if isDue { wake() }
    return position
  }

  /// Lets a listener go.
  ///
  /// - Returns: Whether it was the last one; then the feed has ended.
  func leave(_ listener: LiveListener) -> Bool {
    let isOver = state.withLock { state in
      state.listeners[ObjectIdentifier(listener)] = nil
      state.isOver = state.listeners.isEmpty
      return state.isOver
    }
    if isOver { listening.withLock { $0 = nil } }
    return isOver
  }

  var listeners: [LiveListener] { state.withLock { Array($0.listeners.values) } }

  /// Reads on, unless that is being done.
  func wake() {
    let begins = state.withLock { state in
      guard !state.isReading, state.position != nil else {
        state.isDue = true
        return false
      }
      state.isReading = true
      return true
    }
    // Detached from the request in which the change was made, and from its deadline.
    if begins { Task.detached { await self.read() } }
  }

  /// Reads on where a reading failed.
  func wakeIfDue() {
    if state.withLock({ $0.isDue && !$0.isReading }) { wake() }
  }

  /// Tells listeners that have been sent nothing for some time that the stream stands.
  func keepAlive(after silence: Duration, at now: ContinuousClock.Instant, _ frame: (LogPlace) -> [UInt8]) {
    state.withLock { state in
      guard let position = state.position else { return }
      let bytes = frame(position)
      for listener in state.listeners.values
      where listener.takesKeepAlive && listener.silence(at: now) >= silence {
        listener.push(bytes, at: now)
      }
    }
  }

  private func read() async {
    let everything = Set(Snapshot.Kind.allCases)
    var goesOn = true
    while goesOn {
      let known = state.withLock { state in
        state.isDue = false
        return state.position
      }
      do {
        guard let known else { throw TimeclockError.unavailable(retryAfterSeconds: 1) }
        let page = try await timeclock.storage.changes(
          of: organization, after: known.sequence, resources: everything, limit: Self.pageLimit)
        if page.isEmpty { try await requireLog(of: known) }
        let now = timeclock.clock.now
        goesOn = handOut(page.map { LiveChange($0, of: known.epoch, at: now) })
      } catch {
        state.withLock { ($0.isReading, $0.isDue) = (false, true) }
        return
      }
    }
  }

  /// Ends all listeners where the log is another than the one that they have heard: a database may be exchanged under a
  /// server that runs. Each then comes again with a position that is unknown.
  private func requireLog(of known: LogPlace) async throws {
    let end = try await timeclock.storage.logEnd(of: organization)
    guard end.epoch != known.epoch || end.sequence < known.sequence else { return }
    for listener in listeners { listener.end() }
  }

  /// - Returns: Whether to read on at once.
  private func handOut(_ changes: [LiveChange]) -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      for live in changes {
        for listener in state.listeners.values {
          if let bytes = listener.render(live) { listener.push(bytes, at: now) }
        }
        state.position?.sequence = live.change.sequence
      }
      let goesOn = !state.isOver && (state.isDue || changes.count == Self.pageLimit)
      if !goesOn { state.isReading = false }
      return goesOn
    }
  }
}
