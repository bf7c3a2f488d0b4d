import TimeclockDomain

/// The storage's readings of the members who are clocked in.
package protocol PresenceStorage: Sendable {
  /// A page of the members who are clocked in, those who have been for longest first, and those of one instant by the
  /// id of their entry. Costs as much as the page shows, however many entries there are.
  func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor>
}
