import TimeclockDomain

extension Timeclock {
  /// The schedules of the caller's organization, of the members who have one.
  ///
  /// - Parameter user: The member; nil means everyone.
  /// - Throws: `MissingTimeZone`.
  func schedules(of user: UserKey?, for caller: Membership) async throws -> [UserKey: Schedule] {
    try await schedules(of: user, for: caller, by: \.user)
  }

  /// The same by a key of each member.
  func schedules<Key: Hashable>(
    of user: UserKey?, for caller: Membership, by key: (KeptScheduleRow) -> Key
  ) async throws -> [Key: Schedule] {
    let organizationZone = try zone(stored: caller.organizationTimeZone)
    var rows: [Key: [ScheduleRow]] = [:]
    for kept in try await storage.scheduleRows(of: user, in: caller.key.organization) {
      var row = kept.row
      row.zone = try kept.zone.map { try zone(stored: $0) }
      rows[key(kept), default: []].append(row)
    }
    return rows.mapValues { Schedule(rows: $0, organizationZone: organizationZone) }
  }
}
