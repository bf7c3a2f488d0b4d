import Synchronization
import TimeclockDomain

/// Announces changed timers to this process at once, and to other processes a moment after the commit, many at once.
///
/// Not in the transaction of the change: a commit that notifies takes a lock of the whole cluster until it is on disk,
/// which would put all commands to timers in a row (docs/decisions/0030-live.md). A process that ended announces the
/// rest when it starts again: all processes then look for themselves.
final class TimerNotices: Sendable {
  /// Sends notifications on the channel, each with one of the payloads.
  typealias Sending = @Sendable ([String]) async throws -> Void

  /// The channel. A payload is the sender, and a `TimerNotice` for each timer, separated by spaces.
  static let channel = "timeclock_timers"

  let announcements = TimerAnnouncements()
  /// Identifies this process, which ignores its own notifications.
  private let sender: String

  private struct State {
    /// The timers to announce to others, each with the instant at which it is due.
    var waiting: [MemberKey: Instant?] = [:]
    /// Whether other processes are to look for themselves.
    var tellsToLook = false
    var isSending = false
    var isClosed = false
  }

  private let state = Mutex(State())

  /// The time for which a change waits for others.
  private static let delay: Duration = .milliseconds(100)
  /// The time after which a sending that has failed is tried again.
  private static let patience: Duration = .seconds(1)
  /// A payload is shorter than 8,000 bytes (postgresql.org/docs/current/sql-notify.html).
  private static let payloadLimit = 7_000

  init() {
    sender = String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// Announces timers to this process now, and to others soon.
  func announce(_ timers: [ChangedTimer], _ send: @escaping Sending) {
    guard !timers.isEmpty else { return }
    announcements.announce(timers)
    schedule(send) { state in
      for timer in timers { state.waiting[timer.member] = .some(timer.timer.dueAt) }
    }
  }

  /// Has other processes look for themselves soon.
  func tellToLook(_ send: @escaping Sending) {
    schedule(send) { $0.tellsToLook = true }
  }

  /// Processes a notification from another process.
  func hear(_ payload: String) {
    let words = payload.split(separator: " ")
    guard let first = words.first, first != sender else { return }
    let notices = words.dropFirst().map { TimerNotice($0) }
    var dues: [Instant] = []
    for notice in notices {
      guard let notice else { return announcements.announceAll() }
      announcements.bus.announce(notice.member)
      if let due = notice.dueAt { dues.append(due) }
    }
    if let due = dues.min() { announcements.due.announce(due) }
  }

  /// Sends nothing by itself any more.
  ///
  /// - Returns: The payloads that have not been sent.
  func close() -> [String] {
    state.withLock { state in
      state.isClosed = true
      return takePayloads(&state)
    }
  }

  private func schedule(_ send: @escaping Sending, _ note: (inout State) -> Void) {
    let begins = state.withLock { state in
      note(&state)
      defer { state.isSending = true }
      return !state.isSending && !state.isClosed
    }
    // Detached from the request in which the change was made, and from its deadline.
    if begins { Task.detached { [self] in await run(send) } }
  }

  private func run(_ send: Sending) async {
    var pause = Self.delay
    while true {
      try? await Task.sleep(for: pause)
      let (waiting, payloads) = state.withLock { state in
        let waiting = (state.waiting, state.tellsToLook)
        let payloads = state.isClosed ? [] : takePayloads(&state)
        if payloads.isEmpty { state.isSending = false }
        return (waiting, payloads)
      }
      guard !payloads.isEmpty else { return }
      do {
        try await send(payloads)
        pause = Self.delay
      } catch {
        state.withLock { state in
          state.waiting.merge(waiting.0) { newer, _ in newer }
          state.tellsToLook = state.tellsToLook || waiting.1
        }
        pause = Self.patience
      }
    }
  }

  private func takePayloads(_ state: inout State) -> [String] {
    defer { (state.waiting, state.tellsToLook) = ([:], false) }
    // A process that looks for everything needs no other notices.
    if state.tellsToLook { return ["\(sender) \(TimerNotice.look)"] }
    var payloads: [String] = []
    var payload = ""
    for (member, dueAt) in state.waiting {
      if payload.isEmpty { payload = sender }
      payload += " \(TimerNotice(member: member, dueAt: dueAt).text)"
      if payload.utf8.count > Self.payloadLimit {
        payloads.append(payload)
        payload = ""
      }
    }
    return payload.isEmpty ? payloads : payloads + [payload]
  }
}

/// A notice between processes about a timer: the rows of organization and member, and when it is due.
struct TimerNotice: Hashable {
  var member: MemberKey
  /// The instant at which it changes by itself; nil if it does not.
  var dueAt: Instant?

  /// Stands for all timers.
  static let look = "*"

  init(member: MemberKey, dueAt: Instant?) {
    self.member = member
    self.dueAt = dueAt
  }

  /// The news in a word; nil for one that stands for something else.
  init?(_ word: some StringProtocol) {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let organization = Int64(parts[0]), let user = Int64(parts[1]) else { return nil }
    let due = Int64(parts[2])
    guard due != nil || parts[2].isEmpty else { return nil }
    self.init(
      member: MemberKey(organization: OrganizationKey(organization), user: UserKey(user)),
      dueAt: due.map(Instant.init(millisecondsSince1970:)))
  }

  var text: String {
    let due = dueAt.map { "\($0.millisecondsSince1970)" } ?? ""
    return "\(member.organization.value).\(member.user.value).\(due)"
  }
}
