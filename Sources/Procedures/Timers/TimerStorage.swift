import TimeclockDomain

/// The storage of timers, and of the sessions that they leave. Nobody but their member sees any of it: it is in no log of
/// changes, and no method shows one member's to another.
package protocol TimerStorage: Sendable {
  /// Has `onChange` called when the member's timer has changed, by this process or, on a storage that others write to as
  /// well, by another. It comes after the commit, within a second unless the network has lost it.
  ///
  /// - Parameter onChange: Called from any thread, also from one that others wait for; it must return at once.
  /// - Returns: A place that ends the listening when it goes.
  func listen(toTimerOf member: MemberKey, _ onChange: @escaping @Sendable () -> Void) -> TimerBus.Listening

  /// Has `onDue` called with the instant at which a timer changes by itself, when it has been written by this process
  /// or another, or with nil if that has to be looked up (`nextDueTimer`). It comes after the commit, within a second
  /// unless the network has lost it.
  ///
  /// - Parameter onDue: Called from any thread, also from one that others wait for; it must return at once.
  /// - Returns: The listener's place; listening ends with it.
  func listenToDueTimers(_ onDue: @escaping @Sendable (Instant?) -> Void) -> DueTimerBus.Listening
}
