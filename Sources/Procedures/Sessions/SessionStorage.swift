import TimeclockDomain

/// The storage of sessions and their assignees.
package protocol SessionStorage: Sendable {
  /// A page of sessions: oldest date first, within a date in the order in which they were made.
  func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor>
}
