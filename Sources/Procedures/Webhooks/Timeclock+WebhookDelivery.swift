import TimeclockDomain

extension Timeclock {
  /// The time for which a program that makes an attempt keeps others from it, in milliseconds; longer than any attempt.
  private static var claim: Int64 { 30_000 }
  /// The changes that are read at once, and the most that are sent before other webhooks have their turn.
  private static var deliveryBatch: Int { 50 }
  /// The time after which a turn ends with the message that is under way.
  private static var turn: Duration { .seconds(10) }
  private static var expiredAttemptBatch: Int { 500 }

  /// Webhooks of all organizations with something to send now. Others that were due are laid to rest, so that no later look meets
  /// them.
  package func dueWebhooks(at time: TrustedInstant, limit: Int) async throws -> [DueWebhook] {
    while true {
      let look = try await storage.dueWebhooks(at: time.instant, limit: limit)
      var count = 0
      for organization in look.idle {
        count += try await storage.restIdleWebhooks(of: organization, at: time.instant)
      }
      // Behind those that rest now there may be others.
      guard count > 0, look.isFull, !Task.isCancelled else { return look.due }
    }
  }

  /// Sends a webhook the changes behind its place, in their order and each at least once, until one fails or a batch is
  /// sent. Its place moves behind a change when the receiver has taken it, and not before.
  ///
  /// - Parameters:
  ///   - time: The instant by which a webhook is disabled that has failed for too long.
  ///   - body: Writes the message of a change at a time.
  /// - Returns: Whether the webhook has been disabled, because it has failed for too long or wants no more.
  /// - Throws: Any error of the storage and of the sender; then the webhook has its turn again when the claim is over.
  package func deliver(
    to due: DueWebhook, at time: TrustedInstant, via sender: any WebhookSending,
    body: @Sendable (Change, LogEpoch, OrganizationID, Instant) -> [UInt8]
  ) async throws -> Bool {
    var due = due
    func move(
      to cursor: WebhookCursor, keeping attempt: WebhookAttempt? = nil,
      disabling context: ChangeContext? = nil
    ) async throws -> Bool {
      let isMoved = try await storage.moveWebhookCursor(
        of: due, to: cursor, keeping: attempt, disabling: context)
      due.cursor = cursor
      return isMoved
    }
    var claimed = due.cursor
    claimed.dueAt = clock.now.adding(milliseconds: Self.claim)
    guard try await move(to: claimed) else { return false }
    let end = try await storage.logEnd(of: due.organization)
    // The log went further: this one is sent from its end, under another epoch.
    due.cursor.position = min(due.cursor.position, end.sequence)
    let changes = try await storage.changes(
      of: due.organization, after: due.cursor.position,
      resources: due.webhook.resources ?? Set(Snapshot.Kind.allCases), limit: Self.deliveryBatch)
    let begin = ContinuousClock.now
    var isWhole = changes.count < Self.deliveryBatch
    for (index, change) in changes.enumerated() {
      guard !Task.isCancelled, begin.duration(to: .now) < Self.turn else {
        isWhole = false
        break
      }
      let now = clock.now
      let message = WebhookMessage(
        id: "\(due.webhook.organizationID).\(LogPlace(epoch: end.epoch, sequence: change.sequence).text)",
        url: due.webhook.url, secret: due.secret, time: now,
        body: body(change, end.epoch, due.webhook.organizationID, now))
      let outcome: WebhookOutcome
      do {
        outcome = try await sender.send(message)
      } catch {
        // Free for the next turn, which need not wait.
        var free = due.cursor
        free.dueAt = clock.now
        _ = try await move(to: free)
        throw error
      }
      let attempt = outcome.attempt(of: change.sequence, at: now)
      let end = clock.now
      guard outcome.isTaken else {
        let failed = due.cursor.failed(at: end)
        let isOver = outcome.isGone || failed.isHopeless(at: time.instant)
        let context = ChangeContext(author: .service, operation: .disableWebhook, time: end)
        let isMoved = try await move(to: failed, keeping: attempt, disabling: isOver ? context : nil)
        return isOver && isMoved
      }
      let next = index + 1 < changes.count ? end.adding(milliseconds: Self.claim) : end
      guard try await move(to: due.cursor.reached(change.sequence, nextAt: next), keeping: attempt) else {
        return false
      }
    }
    // Behind the changes that are none of its business, or free for the next turn.
    let position = isWhole ? max(end.sequence, due.cursor.position) : due.cursor.position
    _ = try await move(to: due.cursor.reached(position, nextAt: clock.now))
    return false
  }

  /// Gives webhooks their turn that a wrong clock has put off.
  ///
  /// - Returns: The number of them.
  package func hastenWebhooks(at time: TrustedInstant) async throws -> Int {
    let now = time.instant
    let latest = now.adding(milliseconds: WebhookCursor.longestPause + Self.claim)
    return try await storage.hastenWebhooks(dueAfter: latest, to: now)
  }

  /// Removes attempts that are older than they are kept, of all organizations.
  package func deleteExpiredWebhookAttempts(at time: SettledInstant) async throws {
    let time = time.instant.adding(milliseconds: -WebhookAttempt.lifetime)
    while !Task.isCancelled {
      let count = try await storage.deleteWebhookAttempts(before: time, limit: Self.expiredAttemptBatch)
      if count < Self.expiredAttemptBatch { return }
    }
  }
}
