/// A break type as an admin states it.
package struct NewBreakTypeRequest: Sendable {
  package var name: String
  package var isPaid: Bool
  package var expectedSeconds: Int64?

  package init(name: String, isPaid: Bool, expectedSeconds: Int64? = nil) {
    self.name = name
    self.isPaid = isPaid
    self.expectedSeconds = expectedSeconds
  }
}

/// Changes of a break type by an admin; nil leaves a value as it is.
package struct BreakTypeChanges: Sendable {
  package var name: String?
  package var isPaid: Bool?
  /// The inner nil takes the duration away.
  package var expectedSeconds: Int64??
  package var isArchived: Bool?

  package init(
    name: String? = nil, isPaid: Bool? = nil, expectedSeconds: Int64?? = nil, isArchived: Bool? = nil
  ) {
    self.name = name
    self.isPaid = isPaid
    self.expectedSeconds = expectedSeconds
    self.isArchived = isArchived
  }
}

extension Timeclock {
  /// Makes a break type.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidDuration`, `.tooManyBreakTypes`.
  package func createBreakType(
    _ request: NewBreakTypeRequest, by caller: Membership, recording: AnswerRecording<BreakType>? = nil
  ) async throws -> BreakType {
    try caller.require(.admin)
    let now = clock.now
    let breakType = BreakType(
      id: identifiers.next(at: now), organizationID: caller.organizationID,
      name: try Name.validated(request.name), isPaid: request.isPaid,
      expectedSeconds: try request.expectedSeconds.map(BreakType.expectedSeconds), isArchived: false,
      version: 1, createdAt: now, updatedAt: now)
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
    _ id: BreakTypeID, _ changes: BreakTypeChanges, expectedVersion: Int64?, by caller: Membership
  ) async throws -> BreakType {
    try caller.require(.admin)
    let name = try changes.name.map(Name.validated)
    let expectedSeconds = try changes.expectedSeconds.map { try $0.map(BreakType.expectedSeconds) }
    return try await storage.updateBreakType(
      BreakTypeUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        context: caller.change("updateBreakType", at: clock.now))
    ) { breakType in
      breakType.name = name ?? breakType.name
      breakType.isPaid = changes.isPaid ?? breakType.isPaid
      if let expectedSeconds { breakType.expectedSeconds = expectedSeconds }
      breakType.isArchived = changes.isArchived ?? breakType.isArchived
    }
  }
}
