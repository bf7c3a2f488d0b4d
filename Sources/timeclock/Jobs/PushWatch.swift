import Procedures
import Synchronization
import TimeclockDomain

/// The members who have push targets, and the times at which somebody is to look at them.
final class PushWatch: Sendable {
  /// A member, with the place in which the member's timer is listened to.
  private struct Watched {
    var member: PushMember
    var listening: TimerBus.Listening
  }

  /// An organization's log of changes.
  private struct Log {
    var listening: ChangeBus.Listening
    /// The last change that was looked at; nil before the first look.
    var position: Int64?
    /// Whether there may be more.
    var isDue = true
  }

  private struct State {
    var members: [MemberKey: Watched] = [:]
    var logs: [OrganizationKey: Log] = [:]
    /// The times of the next looks.
    var looks: [MemberKey: Instant] = [:]
    /// The members who are being looked after.
    var busy: Set<MemberKey> = []
  }

  private let timeclock: Timeclock
  private let state = Mutex(State())

  private static let pageLimit = 500

  init(_ timeclock: Timeclock) {
    self.timeclock = timeclock
  }

  /// Looks at all members who have push targets, and forgets the others.
  func lookAtEverybody(at time: TrustedInstant) async throws {
    var found: Set<MemberKey> = []
    try await look(at: time, onlyDue: false) { found.insert($0.key) }
    state.withLock { state in
      for key in state.members.keys where !found.contains(key) && !state.busy.contains(key) {
        state.members[key] = nil
        state.looks[key] = nil
      }
      let organizations = Set(state.members.keys.map(\.organization))
      for key in state.logs.keys where !organizations.contains(key) { state.logs[key] = nil }
    }
  }

  /// Looks at the members who have push targets that are due.
  func lookForDue(at time: TrustedInstant) async throws {
    try await look(at: time, onlyDue: true) { _ in }
  }

  private func look(
    at time: TrustedInstant, onlyDue isDue: Bool, _ found: (PushMember) -> Void
  ) async throws {
    var cursor: MemberKey?
    while true {
      let page = try await timeclock.membersWithPushTargets(
        at: time, onlyDue: isDue, after: cursor, limit: Self.pageLimit)
      for member in page {
        watch(member)
        found(member)
      }
      guard page.count == Self.pageLimit, let last = page.last else { return }
      cursor = last.key
    }
  }

  /// Takes a member in, and has somebody look at once.
  private func watch(_ member: PushMember) {
    let (key, organization) = (member.key, member.key.organization)
    let isKnown = state.withLock { $0.members[key] != nil }
    // Outside of the lock, because listening takes a lock of its own.
    let timer = isKnown ? nil : timeclock.storage.listen(toTimerOf: key) { [weak self] in self?.wake(key) }
    let isLogKnown = state.withLock { $0.logs[organization] != nil }
    let log =
      isLogKnown
      ? nil : timeclock.storage.listen(to: organization) { [weak self] in self?.wake(organization) }
    let now = timeclock.clock.now
    state.withLock { state in
      if let timer { state.members[key] = Watched(member: member, listening: timer) }
      if let log { state.logs[organization] = Log(listening: log) }
      state.looks[key] = now
    }
  }

  private func wake(_ key: MemberKey) {
    let now = timeclock.clock.now
    state.withLock { $0.looks[key] = now }
  }

  private func wake(_ organization: OrganizationKey) {
    state.withLock { $0.logs[organization]?.isDue = true }
  }

  /// Has the logs read, even if nothing was announced.
  func lookAtLogs() {
    state.withLock { state in
      for key in state.logs.keys { state.logs[key]?.isDue = true }
    }
  }

  /// Reads the logs that have grown, and looks at the members they mention.
  func readLogs() async throws {
    let due = state.withLock { state in
      state.logs.filter(\.value.isDue).map { (organization: $0.key, position: $0.value.position) }
    }
    for (organization, position) in due {
      state.withLock { $0.logs[organization]?.isDue = false }
      do {
        let (users, last) = try await timeclock.membersWithNews(in: organization, after: position)
        note(users, in: organization, through: last)
      } catch {
        state.withLock { $0.logs[organization]?.isDue = true }
        throw error
      }
    }
  }

  /// - Parameter users: Nil for all.
  private func note(_ users: Set<UserID>?, in organization: OrganizationKey, through last: Int64) {
    let now = timeclock.clock.now
    state.withLock { state in
      state.logs[organization]?.position = last
      guard users?.isEmpty != true else { return }
      for (key, watched) in state.members where key.organization == organization {
        if users?.contains(watched.member.userID) ?? true { state.looks[key] = now }
      }
    }
  }

  /// Takes members whose time has come; each is given back.
  ///
  /// - Parameter places: The most that are taken at once.
  func takeReady(places: Int) -> [PushMember] {
    let now = timeclock.clock.now
    return state.withLock { state in
      var taken: [PushMember] = []
      for (key, time) in state.looks.sorted(by: { $0.value < $1.value }) where time <= now {
        guard state.busy.count < places else { break }
        guard !state.busy.contains(key), let watched = state.members[key] else { continue }
        state.looks[key] = nil
        state.busy.insert(key)
        taken.append(watched.member)
      }
      return taken
    }
  }

  /// Gives a member back.
  ///
  /// - Parameter next: The time of the next look; nil for when something is announced.
  func giveBack(_ member: PushMember, next: Instant?) {
    state.withLock { state in
      state.busy.remove(member.key)
      guard let next, state.members[member.key] != nil else { return }
      // Something may have been announced meanwhile.
      state.looks[member.key] = min(next, state.looks[member.key] ?? next)
    }
  }
}
