/// A session as its assignees see it.
package struct AssignedSession: Hashable, Sendable {
  package var id: SessionID
  package var date: LocalDate
  package var title: String
  package var startTime: Instant?
  package var endTime: Instant?
  package var location: String?

  package init(
    id: SessionID, date: LocalDate, title: String, startTime: Instant?, endTime: Instant?, location: String?
  ) {
    self.id = id
    self.date = date
    self.title = title
    self.startTime = startTime
    self.endTime = endTime
    self.location = location
  }
}

/// Bounds of reading personal data.
package enum PersonalDataLimits {
  /// The number of changes that one page looks at.
  package static let changeWindow: Int64 = 500
}
