import TimeclockDomain

/// The treatment of entries that are entered together when some are refused.
package enum BulkMode: String, CaseIterable, Sendable {
  /// All are kept, or none.
  case atomic
  /// Every entry that is not refused is kept.
  case partial
}

extension Timeclock {
  /// The most entries that can be entered together.
  package static let bulkMaximumCount = 500

  /// Adds closed entries, in one transaction, each by the rules of `createTimeEntry` and in their order: of two that
  /// overlap the later one is refused.
  ///
  /// - Returns: The result of each entry, in the order of the requests; only successes with `.atomic`.
  /// - Throws: `.bulkRefused` with `.atomic` if one entry or more are refused, and then nothing is kept;
  ///   `MissingTimeZone`.
  package func createTimeEntries(
    _ requests: [ManualEntryRequest], mode: BulkMode, by caller: Membership,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>? = nil
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    let now = clock.now
    let members = try await members(Set(requests.compactMap(\.userID)), for: caller)
    let judged = try requests.map { request in
      try Self.outcome {
        try requireMayEnterTimes(caller)
        let context = caller.change(
          "createTimeEntries", at: now, reason: try request.reason.flatMap(Reason.sanitized))
        let member = try subject(request.userID, among: members, for: caller)
        let entry = try manualEntry(request, for: member, by: caller, context: context)
        return (entry: entry, notice: try notice(of: member.userID, by: caller, context))
      }
    }
    let accepted = judged.compactMap { try? $0.get() }
    let keeping: BulkKeeping =
      switch mode {
      case .partial: .accepted
      case .atomic: accepted.count == requests.count ? .allOrNone : .none
      }
    // In the place of each entry given to the storage, its outcome.
    let all = { @Sendable (kept: [Result<TimeEntry, TimeclockError>]) in
      var kept = kept[...]
      return judged.map { judged -> Result<TimeEntry, TimeclockError> in
        switch judged {
        case .success(let new): kept.popFirst() ?? .success(new.entry.entry)
        case .failure(let error): .failure(error)
        }
      }
    }
    let answer = recording?.mapping(all)
    let kept =
      accepted.contains { $0.notice != nil }
      ? try await storage.createTimeEntries(
        accepted, keeping: keeping, in: caller.key.organization, recording: answer)
      : try await storage.createTimeEntries(accepted.map(\.entry), keeping: keeping, recording: answer)
    let outcomes = all(kept)
    if mode == .atomic { try outcomes.requireNoRefusal() }
    return outcomes
  }

  /// The memberships of these people other than the caller, as far as there are any.
  private func members(
    _ userIDs: Set<UserID>, for caller: Membership
  ) async throws -> [UserID: Membership] {
    let others = userIDs.subtracting([caller.userID])
    return others.isEmpty ? [:] : try await storage.memberships(of: others, in: caller.key.organization)
  }

  /// The value that `body` returns, or the rule by which it refuses.
  static func outcome<Value>(
    _ body: () throws -> Value
  ) throws -> Result<Value, TimeclockError> {
    do {
      return .success(try body())
    } catch let error as TimeclockError {
      return .failure(error)
    }
  }
}

extension Array {
  /// Refuses all of the outcomes if one is a refusal.
  ///
  /// - Throws: `.bulkRefused`.
  func requireNoRefusal<Value>() throws where Element == Result<Value, TimeclockError> {
    let refusals = enumerated().compactMap { index, outcome -> BulkRefusal? in
      guard case .failure(let error) = outcome else { return nil }
      return BulkRefusal(index: index, error: error)
    }
    guard refusals.isEmpty else { throw TimeclockError.bulkRefused(refusals, count: count) }
  }
}
