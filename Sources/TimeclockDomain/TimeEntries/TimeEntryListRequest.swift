/// A client's request for a list of entries.
package struct TimeEntryListRequest: Sendable {
  /// The owners of the entries, each once; none means the caller for a member, and everyone for a manager.
  package var userIDs: [UserID]
  /// Only entries of the group's members, for managers and representatives; nil leaves the condition out.
  package var groupID: GroupID?
  package var dates: RequestedDates
  package var match: TimeEntryMatch
  package var status: TimeEntryStatus?
  package var sessionID: SessionID?
  package var filter: TimeEntryFilter
  package var cursor: TimeEntryCursor?
  package var limit: Int

  /// The most members that a list is about by their ids.
  package static let maximumOwners = 20

  package init(
    userIDs: [UserID] = [], groupID: GroupID? = nil, dates: RequestedDates = RequestedDates(),
    match: TimeEntryMatch = .start,
    status: TimeEntryStatus? = nil, sessionID: SessionID? = nil,
    filter: TimeEntryFilter = TimeEntryFilter(), cursor: TimeEntryCursor? = nil, limit: Int = 100
  ) {
    self.userIDs = userIDs
    self.groupID = groupID
    self.dates = dates
    self.match = match
    self.status = status
    self.sessionID = sessionID
    self.filter = filter
    self.cursor = cursor
    self.limit = limit
  }
}
