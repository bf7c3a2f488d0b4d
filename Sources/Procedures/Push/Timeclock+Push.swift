import TimeclockDomain

/// A message written out.
package struct PushBody: Sendable {
  package var bytes: [UInt8]
  /// The content of the activity in it, as JSON; nil if it has none.
  package var content: String?

  package init(bytes: [UInt8], content: String?) {
    (self.bytes, self.content) = (bytes, content)
  }
}

/// A message that was not accepted, for the service's log. It contains no token.
package struct PushTrouble: Hashable, Sendable {
  package var target: PushTargetID
  package var outcome: PushOutcome
}

extension Timeclock {
  /// The length of a claim in milliseconds; longer than any attempt.
  private static var pushClaim: Int64 { 30_000 }

  /// A page of the members of all organizations who have push targets.
  ///
  /// - Parameter isDue: Only members with a due target.
  package func membersWithPushTargets(
    at time: TrustedInstant, onlyDue isDue: Bool, after cursor: MemberKey?, limit: Int
  ) async throws -> [PushMember] {
    try await storage.membersWithPushTargets(at: time.instant, onlyDue: isDue, after: cursor, limit: limit)
  }

  /// Sends the messages that a member's push targets need now. Of several servers, one sends each message.
  ///
  /// - Parameters:
  ///   - time: The instant to which the member's timer is brought.
  ///   - body: Writes a message to a target at a time.
  /// - Returns: The messages that were not accepted, and the time of the next look; nil for none.
  package func push(
    to member: PushMember, at time: TrustedInstant, via sender: any PushSending,
    body: @escaping @Sendable (PushContent, PushTarget, Instant) -> PushBody
  ) async throws -> (next: Instant?, troubles: [PushTrouble]) {
    let deliveries = try await storage.pushDeliveries(of: member.key, at: time.instant)
    guard !deliveries.isEmpty else { return (nil, []) }
    let membership = try await storage.membership(of: member.userID, in: member.key.organization)
    guard let membership, membership.isActive else {
      for delivery in deliveries { try await settle(delivery) }
      return (nil, [])
    }
    let news = try await news(for: membership, deliveries.map(\.target), at: time)
    return try await withThrowingTaskGroup(of: PushTurn.self) { group in
      for delivery in deliveries {
        group.addTask { try await self.push(delivery, seeing: news, via: sender, body: body) }
      }
      var (next, troubles): (Instant?, [PushTrouble]) = (nil, [])
      for try await turn in group {
        next = [next, turn.next].compactMap { $0 }.min()
        if let trouble = turn.trouble { troubles.append(trouble) }
      }
      return (next, troubles)
    }
  }

  private func news(
    for member: Membership, _ targets: [PushTarget], at time: TrustedInstant
  ) async throws -> PushNews {
    var news = PushNews()
    for form in Set(targets.compactMap(\.form)) {
      news.activities[form] = try await liveActivity(form, for: member, at: time)
    }
    if targets.contains(where: { $0.kind == .alert }) {
      news.timerEnd = TimerEnd(of: try await settledTimer(of: member.key, at: time.instant))
    }
    return news
  }

  private func push(
    _ delivery: PushDelivery, seeing news: PushNews, via sender: any PushSending,
    body: @Sendable (PushContent, PushTarget, Instant) -> PushBody
  ) async throws -> PushTurn {
    let now = clock.now
    switch delivery.step(seeing: news, at: now) {
    case .nothing:
      try await settle(delivery)
      return PushTurn()
    case .wait(let time): return PushTurn(next: time)
    case .note(let progress):
      _ = try await storage.movePushTarget(delivery, to: progress)
      return PushTurn()
    case .send(let content, var next):
      var claim = delivery.progress
      claim.dueAt = now.adding(milliseconds: Self.pushClaim)
      guard let claimed = try await storage.movePushTarget(delivery, to: claim) else {
        // Another server claimed it first, and looks again after its attempt.
        return PushTurn()
      }
      let message = body(content, delivery.target, now)
      next.content = message.content ?? next.content
      return try await send(content, message, claimed, then: next, via: sender)
    }
  }

  private func send(
    _ content: PushContent, _ body: PushBody, _ delivery: PushDelivery, then next: PushProgress,
    via sender: any PushSending
  ) async throws -> PushTurn {
    let message = PushMessage(content, to: delivery.target, body: body.bytes, at: clock.now)
    let outcome: PushOutcome
    do {
      outcome = try await sender.send(message)
    } catch {
      // Release the claim, so that the next look need not wait.
      try await settle(delivery)
      throw error
    }
    var turn = PushTurn()
    if outcome.verdict != .taken { turn.trouble = PushTrouble(target: delivery.target.id, outcome: outcome) }
    switch outcome.verdict {
    case .gone: try await storage.endPushTarget(delivery)
    case .taken where content.isEnd, .refused where content.isEnd: try await storage.endPushTarget(delivery)
    case .taken, .refused:
      // A refused message is not retried. The state may have changed meanwhile, so look again.
      _ = try await storage.movePushTarget(delivery, to: next)
      turn.next = clock.now
    case .later(let seconds):
      let failed = delivery.progress.failed(at: clock.now, pause: seconds)
      _ = try await storage.movePushTarget(delivery, to: failed)
      turn.next = failed.dueAt
    }
    return turn
  }

  /// Clears the time of an attempt or a retry.
  private func settle(_ delivery: PushDelivery) async throws {
    guard delivery.progress.dueAt != nil else { return }
    _ = try await storage.movePushTarget(delivery, to: delivery.progress.free)
  }
}

/// The end of one look at a target.
private struct PushTurn: Sendable {
  /// The time of the next look; nil if nothing is to come.
  var next: Instant?
  var trouble: PushTrouble?
}

extension Timeclock {
  /// The members whose clocks an organization's log mentions, behind a place in it.
  ///
  /// - Parameter position: The last change that was looked at; nil for none, and then nobody knows whose.
  /// - Returns: The members, nil for all of them; and the last change that has been looked at.
  package func membersWithNews(
    in organization: OrganizationKey, after position: Int64?
  ) async throws -> (users: Set<UserID>?, last: Int64) {
    let end = try await storage.lastSequence(of: organization)
    // A log that ends before the place is another one.
    guard var last = position, last <= end else { return (nil, end) }
    var users: Set<UserID> = []
    while last < end {
      let page = try await storage.changes(
        of: organization, after: last, resources: [.timeEntry, .segment], limit: Self.newsLimit)
      for change in page {
        if let userID = (change.after ?? change.before)?.userID { users.insert(userID) }
        last = change.sequence
      }
      if page.count < Self.newsLimit { last = max(last, end) }
    }
    return (users, last)
  }

  private static var newsLimit: Int { 200 }
}
