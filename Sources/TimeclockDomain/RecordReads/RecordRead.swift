/// The public id of a read on record.
package typealias RecordReadID = Identifier<RecordRead>

/// That a representative has read the time of a group's members. It is made once, and nothing changes or deletes it while
/// its organization is there.
package struct RecordRead: Hashable, Sendable {
  /// The operation by which time was read.
  package enum Operation: String, CaseIterable, Sendable {
    case listTimeEntries, exportTimeEntries, reportHours, reportBalance
  }

  package var id: RecordReadID
  package var time: Instant
  package var readerID: UserID
  package var groupID: GroupID
  /// The group's name then.
  package var groupName: String
  package var operation: Operation
  /// The only member that the request stated; nil if it stated none, or several.
  package var userID: UserID?
  /// The first date that was read; nil if the request left it open.
  package var startDate: LocalDate?
  /// The last date that was read; nil if the request left it open.
  package var endDate: LocalDate?

  package init(
    id: RecordReadID, time: Instant, readerID: UserID, groupID: GroupID, groupName: String,
    operation: Operation, userID: UserID?, startDate: LocalDate?, endDate: LocalDate?
  ) {
    self.id = id
    self.time = time
    self.readerID = readerID
    self.groupID = groupID
    self.groupName = groupName
    self.operation = operation
    self.userID = userID
    self.startDate = startDate
    self.endDate = endDate
  }
}

/// The reads on record that a list shows, newest first; nil leaves a condition out.
package struct RecordReadQuery: Sendable {
  package var organization: OrganizationKey
  package var readerID: UserID?
  package var groupID: GroupID?
  /// Only reads of this member's time.
  package var person: UserKey?
  /// At or after this instant.
  package var startTime: Instant?
  /// Before this instant.
  package var endTime: Instant?
  package var cursor: RowCursor?
  /// The most reads to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, readerID: UserID? = nil, groupID: GroupID? = nil, person: UserKey? = nil,
    startTime: Instant? = nil, endTime: Instant? = nil, cursor: RowCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.readerID = readerID
    self.groupID = groupID
    self.person = person
    self.startTime = startTime
    self.endTime = endTime
    self.cursor = cursor
    self.limit = limit
  }
}
