import TimeclockDomain

extension PostgreSQLStorage {
  package func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    defer { noteChange() }
    do {
      return try await onLoop { connections in
        // Each entry says itself whose it is.
        let kind = new.first.map { TransactionKind.long(of: $0.member.organization) } ?? .short()
        return try await connections.transaction(in: .noOrganization, kind) { transaction in
          try await transaction.once(recording) { try await transaction.create(new, keeping: keeping) }
        }
      }
    } catch let nothing as NothingKept {
      return nothing.outcomes
    }
  }
}

extension PostgreSQLTransaction {
  /// Creates the entries as `TimeEntryStorage.createTimeEntries` says. Throws `NothingKept`.
  fileprivate func create(
    _ new: [NewTimeEntry], keeping: BulkKeeping
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await lockMembers(of: new)
    let outcomes = try await create(new)
    try keeping.check(outcomes)
    return outcomes
  }

  /// Locks the memberships in the order in which everybody locks them, so that no two wait for each other. Nobody
  /// else writes entries of these members until the transaction ends.
  func lockMembers(of new: [NewTimeEntry]) async throws {
    let members = Set(new.map(\.member)).map { (order: WaitingQuery.LockOrder($0), key: $0) }
      .sorted { $0.order < $1.order }.map(\.key)
    guard !members.isEmpty else { return }
    claim(members.map(WaitingQuery.LockOrder.init))
    _ = try await run(
      members.map {
        PostgreSQLQuery(
          BulkRows.lockMember, [.integer($0.organization.value), .integer($0.user.value)],
          in: .organization($0.organization))
      })
  }

  /// Creates the entries one after the other, all in one round trip, and in another one looks up what was in the way.
  func create(_ new: [NewTimeEntry]) async throws -> [Result<TimeEntry, TimeclockError>] {
    guard !new.isEmpty else { return [] }
    let answers = try await run(
      new.map {
        PostgreSQLQuery(
          TimeEntryWrites.create, TimeEntryWrites.createValues($0), in: .organization($0.member.organization))
      })
    let numbers = try zip(new, answers).map { new, answer -> Result<Int64?, TimeclockError> in
      do {
        return .success(try TimeEntryWrites.Created(answer, of: new).number)
      } catch let error as TimeclockError {
        return .failure(error)
      }
    }
    var overlaps = try await overlaps(of: new, numbers: numbers)[...]
    return try zip(new, numbers).map { new, number in
      switch number {
      case .failure(let error): return .failure(error)
      case .success(.some): return .success(new.entry)
      case .success(nil):
        guard let overlaps = overlaps.popFirst(), overlaps.count > 0 else {
          throw LoopConnections.unavailable
        }
        return .failure(.overlap(overlaps.entries, count: overlaps.count))
      }
    }
  }

  /// What is in the way of each entry that the constraints have refused.
  ///
  /// Numbers only grow, and nobody else has written these members' entries meanwhile: what has a number from that of
  /// the next created entry on came later than the refused one.
  private func overlaps(
    of new: [NewTimeEntry], numbers: [Result<Int64?, TimeclockError>]
  ) async throws -> [TimeEntryOverlaps] {
    var next = Int64.max
    var refused: [PostgreSQLQuery] = []
    for (new, number) in zip(new, numbers).reversed() {
      switch number {
      case .success(let number?): next = number
      case .success(nil):
        refused.append(
          PostgreSQLQuery(
            BulkRows.overlapping,
            [
              .integer(new.member.organization.value), .integer(new.member.user.value),
              .instant(new.entry.clockInTime), .optional(new.entry.clockOutTime), .integer(next),
            ], in: .organization(new.member.organization)))
      case .failure: break
      }
    }
    guard !refused.isEmpty else { return [] }
    return try await run(refused.reversed()).map(TimeEntryOverlaps.init)
  }
}

/// The statements that create entries together.
private enum BulkRows {
  static let lockMember = PostgreSQLStatement(
    "SELECT user_id FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE")

  /// What is in the way of a span, of the entries before a number.
  static let overlapping = TimeEntryRows.overlapping(where: "e.entry_number < $5")
}
