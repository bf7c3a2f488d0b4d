import TimeclockDomain

extension Storage {
  /// Keeps a push target, in the place of one with the same token in the organization, of any member.
  ///
  /// - Parameter token: The row of the token with which it ends.
  /// - Throws: `.tooManyPushTargets`; `.invalidToken` if there is no such token; `.notFound(.member)` if the member is
  ///   anonymous.
  package func createPushTarget(
    _ target: PushTarget, of member: MemberKey, token: Int64, recording: AnswerRecording<PushTarget>?
  ) async throws -> PushTarget {
    let organization = member.organization
    return try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let owner: [RecordValue] = [.key(organization), .key(member.user)]
      // The lock serializes the count with other registrations of the member, and with anonymizing.
      guard try await transaction.exists(PushTargetRows.member, owner) else {
        throw TimeclockError.notFound(.member)
      }
      guard try await transaction.exists(PushTargetRows.token, [.integer(token)]) else {
        throw TimeclockError.invalidToken
      }
      try await transaction.run(PushTargetRows.deleteSame, [.key(organization), .bytes(target.token.bytes)])
      try await transaction.run(PushTargetRows.deleteOver, owner + [.instant(target.createdAt)])
      let count = try await transaction.first(PushTargetRows.count, owner) { $0.integer("count") }
      guard count ?? 0 < PushTarget.maximumCount else { throw TimeclockError.tooManyPushTargets }
      // Due immediately, for the first look.
      let stored = StoredPushTarget(
        target: target, user: member.user, token: token, progress: PushProgress(dueAt: target.createdAt))
      _ = try await transaction.insert(stored, into: StoredPushTarget.table, of: organization)
      return target
    }
  }

  /// A member's push targets whose time is not over, in the order in which they were made.
  package func pushTargets(of member: MemberKey, at now: Instant) async throws -> [PushTarget] {
    try await pushDeliveries(of: member, at: now).map(\.target)
  }

  /// Deletes a push target.
  ///
  /// - Throws: `.pushTargetNotFound`.
  package func deletePushTarget(_ id: PushTargetID, of member: MemberKey) async throws {
    let organization = member.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let isDeleted = try await transaction.exists(
        PushTargetRows.delete, [.key(organization), .key(member.user), .identifier(id)])
      guard isDeleted else { throw TimeclockError.pushTargetNotFound }
    }
  }

  /// A page of the members of all organizations who have push targets whose time is not over.
  ///
  /// - Parameter isDue: Only members with a due target.
  package func membersWithPushTargets(
    at now: Instant, onlyDue isDue: Bool, after cursor: MemberKey?, limit: Int
  ) async throws -> [PushMember] {
    let (organization, user) = (cursor?.organization.value ?? 0, cursor?.user.value ?? 0)
    return try await read(
      isDue ? PushTargetRows.dueMembers : PushTargetRows.members,
      [
        .integer(organization), .integer(user), .instant(now),
        .integer(Int64(PageSize.clamped(limit))),
      ], in: .everyone(because: .pushIsDelivered), limit: limit
    ) { row in
      let organization = OrganizationKey(row.integer("organization_id"))
      let user = UserKey(row.integer("user_id"))
      return PushMember(
        key: MemberKey(organization: organization, user: user), userID: try row.identifier("id"))
    }
  }

  /// A member's push targets with their progress.
  package func pushDeliveries(of member: MemberKey, at now: Instant) async throws -> [PushDelivery] {
    let limit = PushTarget.maximumCount
    return try await read(
      PushTargetRows.all,
      [.key(member.organization), .key(member.user), .instant(now), .integer(Int64(limit))],
      in: .organization(member.organization), limit: limit
    ) { row in
      let target = try PushTarget(&row)
      return PushDelivery(member: member, target: target, progress: PushProgress(&row))
    }
  }

  /// Records how far a target has come, if nobody has done so since the delivery was read: of several readers of the
  /// same, one succeeds.
  ///
  /// - Parameter progress: Its `moves` are of no account.
  /// - Returns: The delivery as it is now; nil if somebody else was first, or the target is gone.
  package func movePushTarget(
    _ delivery: PushDelivery, to progress: PushProgress
  ) async throws -> PushDelivery? {
    let organization = delivery.member.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let values = StoredPushTarget.progress.dropLast().map { $0.value(progress) }
      guard try await transaction.exists(PushTargetRows.move, delivery.place + values) else { return nil }
      var moved = delivery
      moved.progress = progress
      moved.progress.moves = delivery.progress.moves + 1
      return moved
    }
  }

  /// Deletes a target that takes nothing more, unless somebody else has written to it since the delivery was read.
  package func endPushTarget(_ delivery: PushDelivery) async throws {
    let organization = delivery.member.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      try await transaction.run(PushTargetRows.end, delivery.place)
    }
  }

  /// Deletes push targets of all organizations whose time is over.
  ///
  /// - Parameter limit: The most to delete, at least 1.
  /// - Returns: The number that was deleted; less than `limit` when none is left.
  package func deleteExpiredPushTargets(at now: Instant, limit: Int) async throws -> Int {
    try await write(RecordWrite(.everyone(because: .pushIsDelivered), isLong: true), recording: nil) {
      transaction in
      try await transaction.read(
        PushTargetRows.deleteExpired, [.instant(now), .integer(Int64(PageSize.clamped(limit)))]
      ) { _ in }.count
    }
  }
}

extension PushDelivery {
  /// The organization, the member, the id, and how often it was written.
  fileprivate var place: [RecordValue] {
    [
      .key(member.organization), .key(member.user), .identifier(target.id), .integer(progress.moves),
    ]
  }
}
