import TimeclockDomain

extension Timeclock {
  /// The members that a report is about: as `members` finds them, or those of a group that the caller represents.
  ///
  /// - Parameter operation: The operation by which representatives may read; nil if they may not.
  /// - Throws: The errors of `members` and of `representation`.
  func readMembers(
    _ wanted: WantedMembers, _ operation: RecordRead.Operation?, for caller: Membership
  ) async throws -> (members: MemberSelection, representation: Representation?) {
    let representation = try await representation(
      of: wanted.groupID, wanted.userID.map { [$0] } ?? [], operation, for: caller)
    if let representation { return (representation.members, representation) }
    return (try await members(wanted, for: caller), nil)
  }

  /// The reading of a group's members by a caller who represents it; nil if the request states no group, or if the caller
  /// does not represent it, or reads it as a manager.
  ///
  /// - Parameters:
  ///   - userIDs: Members who are stated too, each once.
  ///   - operation: The operation by which representatives may read; nil if they may not.
  /// - Throws: `.notFound(.member)` if one of them is no member of the group.
  func representation(
    of groupID: GroupID?, _ userIDs: [UserID], _ operation: RecordRead.Operation?, for caller: Membership
  ) async throws -> Representation? {
    guard let groupID, let operation, caller.role < .manager else { return nil }
    let organization = caller.key.organization
    guard let group = try await storage.groupKey(of: groupID, in: organization),
      try await storage.has(caller.key.user, as: .representative, group, in: organization)
    else { return nil }
    let members = try await storage.memberships(of: Set(userIDs), in: organization)
    var people: [(id: UserID, key: UserKey)] = []
    for id in userIDs {
      guard let user = members[id]?.key.user,
        try await storage.has(user, as: .member, group, in: organization)
      else { throw TimeclockError.notFound(.member) }
      people.append((id, user))
    }
    return Representation(group: group, groupID: groupID, operation: operation, people: people)
  }
}
