import TimeclockDomain

/// The punches of a request, and the member's waiting ones, which are taken one after the other in the order of their
/// times.
///
/// A beginning that cannot be made on its own any more is held, and the punches behind it with it, until its clock-out
/// comes: then all of them are entered by hand. Those held at the end of a request wait for the next one, so that it
/// does not matter in how many requests a queue is sent.
struct PunchQueue {
  let timeclock: Timeclock
  let member: Membership
  let caller: Membership
  private let names: PunchNames
  private let waited: WaitingPunches
  /// As they were sent, without dropped details: those of the request, then those that have waited.
  var punches: [Punch]
  private let sent: [Punch]
  let keys: [PunchKey]
  var dropped: [[PunchDetail]]
  var decided: [PunchOutcome?]
  /// The number of those of the request.
  private let count: Int
  /// The places of a beginning that was refused, of the punches behind it, and of further beginnings refused so.
  private var held: [Int] = []
  /// Why a beginning was refused that may still be a span that has ended, by its place.
  private var openings: [Int: TimeclockError] = [:]
  /// The member's active entry, as long as it is known.
  var active: TimeEntry??

  init(
    _ punches: [Punch], behind waited: WaitingPunches, _ names: PunchNames, of member: Membership,
    by caller: Membership, at timeclock: Timeclock
  ) {
    self.names = names
    self.waited = waited
    self.member = member
    self.caller = caller
    self.timeclock = timeclock
    count = punches.count
    self.punches = punches + waited.punches.map(\.punch)
    sent = self.punches
    keys = sent.map(names.punch)
    dropped = Array(repeating: [], count: self.punches.count)
    decided = Array(repeating: nil, count: self.punches.count)
    for (place, one) in waited.punches.enumerated() where one.isOpening {
      openings[count + place] = .tooFarBack(hours: caller.policy.lookBackHours)
    }
  }

  /// Takes all punches, once.
  ///
  /// - Returns: The outcome of each of the request, in order.
  mutating func outcomes() async throws -> [PunchOutcome] {
    var copies: [Int: Int] = [:]
    var firsts: [[UInt8]: Int] = [:]
    for (place, key) in keys.enumerated() {
      if let first = firsts[key.key.digest] {
        copies[place] = first
        decided[place] = .refused(.idempotencyKeyReused)
      } else {
        firsts[key.key.digest] = place
        try await lookUp(place)
      }
    }
    let inOrder = punches.indices.sorted { order($0) < order($1) }
    for place in inOrder where decided[place] == nil { try await take(place) }
    try await wait()
    for (place, first) in copies where keys[place].fingerprint == keys[first].fingerprint {
      decided[place] = decided[first]?.repeated
    }
    return decided.prefix(count).map { $0 ?? .refused(.requestInProgress) }
  }

  /// Among equal times waiting ones come first.
  private func order(_ place: Int) -> (Instant, Int) {
    (punches[place].time, place < count ? place : place - punches.count)
  }

  /// Keeps held punches until the next request. If another request has changed them meanwhile, a client is to send its
  /// own again.
  private mutating func wait() async throws {
    let waiting = held.prefix(WaitingPunches.maximumCount)
    let rows = waiting.map { WaitingPunches.One(punch: sent[$0], isOpening: openings[$0] != nil) }
    let before = waited.punches.map { names.punch($0.punch) }
    var isKept = true
    if waiting.map({ keys[$0].fingerprint }) != before.map(\.fingerprint) {
      isKept = try await names.keep(
        rows, after: waited, of: member.key, in: timeclock.storage, at: timeclock.clock.now)
    }
    for place in waiting {
      decided[place] = isKept ? .waiting(openings[place] ?? .notClockedIn) : .refused(.requestInProgress)
    }
    for place in held.dropFirst(WaitingPunches.maximumCount) {
      decided[place] = .refused(openings[place] ?? .notClockedIn)
    }
    held = []
  }

  /// Decides a punch that was applied before.
  private mutating func lookUp(_ place: Int) async throws {
    decided[place] = try await timeclock.storage.recordedAnswer(
      for: keys[place].key, at: timeclock.clock.now
    ).map(keys[place].outcome)
  }

  /// - Parameter isAlone: Whether the beginning that it was behind is refused for good.
  private mutating func take(_ place: Int, isAlone: Bool = false) async throws {
    let punch = punches[place]
    let hasWaited = place >= count
    if hasWaited, openings[place] != nil { return held.append(place) }
    if punch.kind != .clockIn, let opening = held.last(where: { openings[$0] != nil }) {
      if try await isBehind(punch, punches[opening]) {
        guard punch.kind == .clockOut else { return held.append(place) }
        return try await close(with: place)
      }
      letGo()
    }
    guard !hasWaited || isAlone else { return decided[place] = .refused(.notClockedIn) }
    guard try await isDecidedAlone(place) else { return held.append(place) }
    // From here on the member is in by that one.
    if punch.kind == .clockIn, decided[place]?.isDone == true { letGo() }
  }

  /// Whether a punch belongs to a beginning that was refused: nothing began meanwhile that it would be of, and the span is none
  /// that would be too long.
  private mutating func isBehind(_ punch: Punch, _ opening: Punch) async throws -> Bool {
    guard punch.time.milliseconds(since: opening.time) <= caller.policy.maximumSeconds * 1_000 else {
      return false
    }
    // A clock-out ahead of the service's clock counts as now, and does not end an entry that begins as it comes.
    let time = min(punch.time, timeclock.clock.now)
    return try await activeEntry().map { active in
      punch.kind == .clockOut ? active.clockInTime >= time : active.clockInTime > time
    } ?? true
  }

  private mutating func activeEntry() async throws -> TimeEntry? {
    if let active { return active }
    let found = try await timeclock.storage.activeTimeEntry(of: member.key)
    active = .some(found)
    return found
  }

  /// Refuses held punches, because the one behind them is not their end.
  private mutating func letGo() {
    for place in held { decided[place] = .refused(openings[place] ?? .notClockedIn) }
    held = []
  }

  /// Decides a punch by the rules of its operation, without details that mean nothing any more.
  ///
  /// - Returns: False for a beginning that is refused and may still be a span that has ended: it is an opening now.
  private mutating func isDecidedAlone(_ place: Int) async throws -> Bool {
    guard openings[place] == nil else { return false }
    while true {
      do {
        let effect = try await timeclock.apply(
          punches[place], without: dropped[place], of: member.userID, by: caller, keys[place])
        active = nil
        decided[place] = .applied(effect)
        return true
      } catch let before as AnsweredBefore {
        // The same queue came twice at the same time.
        active = nil
        decided[place] = keys[place].outcome(before.answer)
        return true
      } catch let refusal as TimeclockError where refusal.isAnswerToPunch {
        // The same punch may be in its own way: another request has applied it meanwhile.
        try await lookUp(place)
        guard decided[place] == nil else {
          active = nil
          return true
        }
        if drop(refusal, of: place) { continue }
        if try await opensSpan(place, after: refusal) {
          openings[place] = refusal
          return false
        }
        decided[place] = .refused(refusal)
        return true
      }
    }
  }

  /// Drops the subject of a refusal.
  ///
  /// - Returns: False if it is about the act itself.
  mutating func drop(_ refusal: TimeclockError, of place: Int) -> Bool {
    guard let rest = punches[place].dropping(refusal) else { return false }
    punches[place] = rest.left
    dropped[place] += rest.dropped
    return true
  }

  /// Whether a beginning that is refused so may still be one of a span that has ended: it is too far back to be made on
  /// its own, or something began after it. If the member was in at its time, it is none.
  private mutating func opensSpan(_ place: Int, after refusal: TimeclockError) async throws -> Bool {
    let punch = punches[place]
    switch punch.kind {
    case .clockIn: break
    case .startSegment where punch.purpose.breakTypeID == nil && !dropped[place].contains(.breakTypeID): break
    default: return false
    }
    guard timeclock.clock.now.milliseconds(since: punch.time) <= Punch.memory else { return false }
    switch refusal {
    case .tooFarBack, .periodLocked: return true
    case .overlap(let entries, _), .clockedOutLater(_, let entries, _):
      return entries.first.map { $0.clockInTime > punch.time } ?? false
    case .alreadyClockedIn(let active): return active.clockInTime > punch.time
    case .outsideTimeEntry: return try await activeEntry().map { $0.clockInTime > punch.time } ?? false
    default: return false
    }
  }

  /// Enters held punches by hand, up to a clock-out. If that is refused, the first beginning is, and all punches behind
  /// it are taken without it.
  private mutating func close(with clockOut: Int) async throws {
    guard let first = held.first else { return }
    let rest = held.dropFirst() + [clockOut]
    held = []
    do {
      try await enter(first, rest.filter { openings[$0] == nil })
      // The member was in by the first one already.
      for place in rest { if let refusal = openings[place] { decided[place] = .refused(refusal) } }
      return
    } catch let before as AnsweredBefore {
      active = nil
      decided[first] = keys[first].outcome(before.answer)
      for place in rest where decided[place] == nil { try await lookUp(place) }
    } catch TimeclockError.inFuture {
      // The device's clock is wrong, or was set meanwhile; the beginning still has no end.
      decided[clockOut] = .refused(.inFuture)
      held = [first] + rest.dropLast()
      return
    } catch let refusal as TimeclockError where refusal.isAnswerToPunch {
      active = nil
      for place in [first] + rest where decided[place] == nil { try await lookUp(place) }
      // Nothing is to be entered by hand: then the first refusal says more.
      decided[first] =
        decided[first] ?? .refused(refusal == .forbidden ? openings[first] ?? refusal : refusal)
    }
    for place in rest where decided[place] == nil { try await take(place, isAlone: true) }
  }
}

extension PunchOutcome {
  /// Whether it is applied, now or before.
  fileprivate var isDone: Bool {
    switch self {
    case .applied, .duplicate: true
    case .proposed, .waiting, .refused: false
    }
  }

  /// The outcome of the same punch once more.
  fileprivate var repeated: PunchOutcome {
    if case .applied(let effect) = self { .duplicate(effect) } else { self }
  }
}

extension TimeclockError {
  /// Whether it is about the punch; anything else is about the request, or the service.
  fileprivate var isAnswerToPunch: Bool {
    switch self {
    case .notFound(.member), .callerDeactivated: false
    default: !isOfService
    }
  }
}
