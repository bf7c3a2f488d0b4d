import TimeclockDomain

extension PostgreSQLStorage {
  package func listen(
    toTimerOf member: MemberKey, _ onChange: @escaping @Sendable () -> Void
  ) -> TimerBus.Listening {
    timerNotices.announcements.bus.listen(to: member, onChange)
  }

  package func listenToDueTimers(
    _ onDue: @escaping @Sendable (Instant?) -> Void
  ) -> DueTimerBus.Listening {
    timerNotices.announcements.due.listen(onDue)
  }

  package func announce(_ timers: [ChangedTimer]) {
    timerNotices.announce(timers) { [weak self] in try await self?.notifyOfTimers($0) }
  }

  /// Asks other processes to look for changes that an ended process has not announced.
  func tellOthersToLookAtTimers() {
    timerNotices.tellToLook { [weak self] in try await self?.notifyOfTimers($0) }
  }

  /// Notifies all processes, in a transaction of its own, so that no write waits for the lock of its commit.
  func notifyOfTimers(_ payloads: [String]) async throws {
    guard !payloads.isEmpty else { return }
    try await onLoop { connections in
      try await connections.transaction(in: .noOrganization) { transaction in
        _ = try await transaction.run(Self.notify, each: payloads.map { [.text($0)] })
      }
    }
  }

  private static let notify = PostgreSQLStatement("SELECT pg_notify('\(TimerNotices.channel)', $1)")
}
