import TimeclockDomain

extension Timeclock {
  /// The schedules of the caller's organization, of the members who have one.
  ///
  /// - Throws: `MissingTimeZone`.
  func schedules(of members: MemberSelection, for caller: Membership) async throws -> [UserKey: Schedule] {
    try await schedules(of: members, for: caller, by: \.user)
  }

  /// The same by a key of each member.
  func schedules<Key: Hashable>(
    of members: MemberSelection, for caller: Membership, by key: (KeptScheduleRow) -> Key
  ) async throws -> [Key: Schedule] {
    let organizationZone = try zone(stored: caller.organizationTimeZone)
    var rows: [Key: [ScheduleRow]] = [:]
    for kept in try await storage.scheduleRows(of: members, in: caller.key.organization) {
      var row = kept.row
      row.zone = try kept.zone.map { try zone(stored: $0) }
      rows[key(kept), default: []].append(row)
    }
    return rows.mapValues { Schedule(rows: $0, organizationZone: organizationZone) }
  }
}
