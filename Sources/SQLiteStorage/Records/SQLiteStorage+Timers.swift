import TimeclockDomain

extension SQLiteStorage {
  package func listen(
    toTimerOf member: MemberKey, _ onChange: @escaping @Sendable () -> Void
  ) -> TimerBus.Listening {
    timerAnnouncements.bus.listen(to: member, onChange)
  }

  package func listenToDueTimers(
    _ onDue: @escaping @Sendable (Instant?) -> Void
  ) -> DueTimerBus.Listening {
    timerAnnouncements.due.listen(onDue)
  }

  package func announce(_ timers: [ChangedTimer]) {
    timerAnnouncements.announce(timers)
  }
}
