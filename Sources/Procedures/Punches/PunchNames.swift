import TimeclockDomain

/// The names under which the punches of a member are remembered.
package struct PunchNames: Sendable {
  /// The name of a punch, and the fingerprint that distinguishes it from another of the same id.
  package var punch: @Sendable (Punch) -> PunchKey
  /// The digest of the name of the waiting punches, for nil, or of one change of them.
  package var waiting: @Sendable (_ change: Int64?) -> [UInt8]

  package init(
    punch: @escaping @Sendable (Punch) -> PunchKey, waiting: @escaping @Sendable (Int64?) -> [UInt8]
  ) {
    self.punch = punch
    self.waiting = waiting
  }
}

extension PunchNames {
  /// The waiting punches of a member.
  func waiting(of member: MemberKey, in storage: some AnswerStorage, at now: Instant) async throws
    -> WaitingPunches
  {
    let key = IdempotencyKey(digest: waiting(nil), user: member.user)
    return try await storage.recordedAnswer(for: key, at: now).map { WaitingPunches($0.body) }
      ?? WaitingPunches()
  }

  /// Keeps the waiting punches of a member from now on, unless they have changed since they were read.
  ///
  /// - Returns: False if it has, and nothing was kept.
  func keep(
    _ punches: [WaitingPunches.One], after before: WaitingPunches, of member: MemberKey,
    in storage: some AnswerStorage, at now: Instant
  ) async throws -> Bool {
    var after = before
    after.number += 1
    after.punches = punches
    let change = PunchKey(
      key: IdempotencyKey(digest: waiting(after.number), user: member.user),
      fingerprint: Array(repeating: 0, count: 32))
    // The change is a request that is answered once.
    var recording = AnswerRecording<Void>(key: change.key, time: now) { _ in change.remembering([]) }
    recording.lifetime = Punch.memory
    recording.others = [
      AnswerRecording<Void>.Other(
        key: IdempotencyKey(digest: waiting(nil), user: member.user), fingerprint: change.fingerprint
      ) { [after] _ in change.remembering(after.bytes) }
    ]
    do {
      try await storage.recordAnswer(recording)
      return true
    } catch is AnsweredBefore {
      return false
    } catch TimeclockError.requestInProgress {
      return false
    }
  }
}
