extension Timeclock {
  /// The most members that can be added together.
  package static let bulkMaximumMembers = 500

  /// Adds several members without passwords: all, or none where one is refused.
  ///
  /// - Parameter isDryRun: Whether they are only judged. Then nothing is kept, and a refusal is an outcome.
  /// - Throws: `.forbidden`; `.bulkRefused` with what `createMember` would have thrown for each that is refused.
  /// - Returns: The outcome for each, in the order of the requests.
  package func createMembers(
    _ requests: [NewMemberRequest], isDryRun: Bool, by caller: Membership,
    recording: AnswerRecording<[Member]>? = nil
  ) async throws -> [Result<Member, TimeclockError>] {
    try caller.require(.admin)
    let now = clock.now
    let organization = caller.key.organization
    let prepared = try requests.map {
      request -> Result<(account: NewAccount, member: NewMember), TimeclockError> in
      do {
        return .success(try validated(request, in: organization, at: now))
      } catch let refusal as TimeclockError {
        return .failure(refusal)
      }
    }
    let sound = prepared.compactMap { try? $0.get() }
    var judged = try await storage.createMembers(
      sound, in: organization, isKept: !isDryRun && sound.count == prepared.count,
      context: caller.change("createMembers", at: now), recording: recording)[...]
    let outcomes = prepared.map { $0.flatMap { _ in judged.removeFirst() } }
    guard !isDryRun else { return outcomes }
    let refusals = outcomes.enumerated().compactMap { index, outcome -> BulkRefusal? in
      guard case .failure(let error) = outcome else { return nil }
      return BulkRefusal(index: index, error: error)
    }
    guard refusals.isEmpty else { throw TimeclockError.bulkRefused(refusals, count: outcomes.count) }
    return outcomes
  }
}
