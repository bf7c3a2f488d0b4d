import TimeclockDomain

extension Timeclock {
  /// Makes a break type.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidDuration`, `.tooManyBreakTypes`.
  package func createBreakType(
    _ stated: Stated<BreakType>, by caller: Membership, recording: AnswerRecording<BreakType>? = nil
  ) async throws -> BreakType {
    try caller.require(.admin)
    let now = clock.now
    let breakType = BreakType(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    return try await storage.createBreakType(
      breakType, in: caller.key.organization, context: caller.change("createBreakType", at: now),
      recording: recording)
  }

  /// One break type, for every member.
  ///
  /// - Throws: `.notFound(.breakType)`.
  package func breakType(_ id: BreakTypeID, for caller: Membership) async throws -> BreakType {
    guard let found = try await storage.breakType(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.breakType)
    }
    return found
  }

  /// A page of break types in the order in which they were made, for every member.
  ///
  /// - Parameter isArchived: Only archived ones, or only others; nil means all.
  package func breakTypes(
    isArchived: Bool?, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<BreakType, RowCursor> {
    try await storage.breakTypes(
      BreakTypeQuery(
        organization: caller.key.organization, isArchived: isArchived, cursor: cursor, limit: limit))
  }

  /// Changes a break type.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidDuration`, the errors of `BreakTypeStorage.updateBreakType`.
  package func updateBreakType(
    _ id: BreakTypeID, _ changes: Stated<BreakType>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> BreakType {
    try caller.require(.admin)
    let change = try changes.validated()
    return try await storage.updateBreakType(
      BreakTypeUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateBreakType", at: clock.now)), change)
  }
}
