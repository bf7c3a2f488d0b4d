import Procedures
import Synchronization
import TimeclockDomain

/// Reads one organization's log behind its end, once for all who listen, and keeps changes that they have not taken
/// yet.
final class OrganizationFeed: Sendable {
  private struct State {
    /// The last change that was handed out; nil before the first listener.
    var position: LogPlace?
    /// Changes that listeners have not taken yet.
    var ring = ChangeRing()
    var listeners: [ObjectIdentifier: LiveListener] = [:]
    var isReading = false
    /// Whether the log may hold more than was read.
    var isDue = false
    var isOver = false
  }

  let organization: OrganizationKey
  private let timeclock: Timeclock
  /// The bytes of the rings of all feeds.
  private let waitingBytes: WaitingBytes
  private let state = Mutex(State())
  private let listening = Mutex<ChangeBus.Listening?>(nil)

  private static let pageLimit = 200
  /// The most bytes of a ring, and of one if the rings of all feeds take too many.
  static let ringLimit = 1_024 * 1_024
  static let scantRingLimit = 64 * 1_024

  init(of organization: OrganizationKey, in timeclock: Timeclock, _ waitingBytes: WaitingBytes) {
    self.organization = organization
    self.waitingBytes = waitingBytes
    self.timeclock = timeclock
    let place = timeclock.storage.listen(to: organization) { [weak self] in self?.wake() }
    listening.withLock { $0 = place }
  }

  /// Takes a listener in.
  ///
  /// - Returns: The change after which it gets everything; nil if the feed has ended because it had no listener.
  func join(_ listener: LiveListener) async throws -> LogPlace? {
    let isNew = state.withLock { $0.position == nil }
    let last = isNew ? try await timeclock.storage.logEnd(of: organization) : nil
    let (position, isDue) = state.withLock { state -> (LogPlace?, Bool) in
      guard !state.isOver else { return (nil, false) }
      if state.position == nil, let last {
        state.position = last
        state.ring.begin(after: last.sequence)
      }
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
      change(&state.ring) { ring in
        if state.isOver { ring.shrink(to: 0) }
      }
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

  /// Reads on if a reading failed.
  func wakeIfDue() {
    if state.withLock({ $0.isDue && !$0.isReading }) { wake() }
  }

  /// The change after which the ring has everything.
  var startOfRing: Int64 { state.withLock { $0.ring.start } }

  /// Has a listener with everything up to `sequence` take the rest out of the ring; false if some of it is not in
  /// there, but in the log alone.
  func haveTake(_ listener: LiveListener, after sequence: Int64) -> Bool {
    state.withLock { state in
      guard sequence >= state.ring.start else { return false }
      listener.goLive(after: sequence)
      return true
    }
  }

  /// The next changes in the ring after a place; nil if some of these are not in it any more.
  func portion(after sequence: Int64) -> ChangeRing.Portion? {
    state.withLock { $0.ring.portion(after: sequence) }
  }

  /// Sends a sign of life to listeners that have been sent nothing for some time.
  func keepAlive(after silence: Duration, at now: ContinuousClock.Instant, _ frame: (LogPlace) -> [UInt8]) {
    let (position, listeners) = state.withLock { ($0.position, Array($0.listeners.values)) }
    guard let position else { return }
    let bytes = frame(position)
    for listener in listeners {
      listener.keepAlive(through: position.sequence, after: silence, at: now, bytes)
    }
  }

  /// Drops changes that every listener has taken, and listeners that are too slow for the ring.
  func clearUp() {
    let slow = state.withLock { state in
      trim(&state)
      return state.listeners.values.filter { listener in
        listener.placeInRing.map { $0 < state.ring.start } ?? false
      }
    }
    for listener in slow { listener.cut() }
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
        // Each comes again, and is answered where the organization is now.
        if case .organizationMoved? = error as? TimeclockError {
          for listener in listeners { listener.end() }
        }
        return
      }
    }
  }

  /// Ends all listeners if the log is another than the one that they have heard: a database may be exchanged under a
  /// server that runs. Each then comes again with a position that is unknown.
  private func requireLog(of known: LogPlace) async throws {
    let end = try await timeclock.storage.logEnd(of: organization)
    guard end.epoch != known.epoch || end.sequence < known.sequence else { return }
    for listener in listeners { listener.end() }
  }

  /// - Returns: Whether to read on at once.
  private func handOut(_ changes: [LiveChange]) -> Bool {
    let (goesOn, listeners) = state.withLock { state in
      change(&state.ring) { ring in for live in changes { ring.append(live) } }
      for case .handedOver(let take) in state.listeners.values.map(\.delivery) { changes.forEach(take) }
      if let last = changes.last { state.position?.sequence = last.change.sequence }
      trim(&state)
      let goesOn = !state.isOver && (state.isDue || changes.count == Self.pageLimit)
      if !goesOn { state.isReading = false }
      return (goesOn, changes.isEmpty ? [] : Array(state.listeners.values))
    }
    for listener in listeners { listener.wake() }
    return goesOn
  }

  private func trim(_ state: inout State) {
    let places = state.listeners.values.lazy.compactMap(\.placeInRing)
    let last = places.min() ?? state.position?.sequence ?? 0
    change(&state.ring) { ring in
      ring.drop(through: last)
      ring.shrink(to: Self.ringLimit)
      if waitingBytes.isExceeded { ring.shrink(to: Self.scantRingLimit) }
    }
  }

  /// Changes the ring, and counts its bytes among those of all feeds.
  private func change(_ ring: inout ChangeRing, _ body: (inout ChangeRing) -> Void) {
    let before = ring.byteCount
    body(&ring)
    waitingBytes.change(by: ring.byteCount - before)
  }
}
