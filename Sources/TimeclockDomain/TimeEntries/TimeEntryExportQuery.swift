/// The entries to export, and the place from which the export goes on.
package struct TimeEntryExportQuery: Sendable {
  package var organization: OrganizationKey
  /// The owners of the entries, each once; nil means all of `among`.
  package var users: [UserKey]?
  /// The owners in a query that states none.
  package var among: MemberSelection
  package var range: TimeEntryRange
  package var status: TimeEntryStatus?
  package var session: SessionID?
  package var filter: TimeEntryFilter
  package var cursor: TimeEntryExportCursor?
  /// The most entries that one page looks at, at least 1. A storage may look at fewer, and a filter may leave all of them
  /// out.
  package var limit: Int

  package init(
    organization: OrganizationKey, users: [UserKey]?, among: MemberSelection = .everybody,
    range: TimeEntryRange,
    status: TimeEntryStatus?,
    session: SessionID?, filter: TimeEntryFilter = TimeEntryFilter(), cursor: TimeEntryExportCursor? = nil,
    limit: Int = 2_000
  ) {
    self.organization = organization
    self.users = users
    self.among = among
    self.range = range
    self.status = status
    self.session = session
    self.filter = filter
    self.cursor = cursor
    self.limit = limit
  }

  /// Makes a query about one owner, or about everyone.
  package init(
    organization: OrganizationKey, user: UserKey?, range: TimeEntryRange, status: TimeEntryStatus?,
    session: SessionID?, cursor: TimeEntryExportCursor? = nil, limit: Int = 2_000
  ) {
    self.init(
      organization: organization, users: user.map { [$0] }, range: range, status: status, session: session,
      cursor: cursor, limit: limit)
  }

  /// The same query about each owner alone, from the cursor on, in the order of the export; or the one about everyone.
  package var ofEachOwner: [TimeEntryExportQuery] {
    guard let users else { return [self] }
    return users.sorted { $0.value < $1.value }.compactMap { user in
      if let cursor, user.value < cursor.user.value { return nil }
      var query = self
      query.users = [user]
      if cursor?.user != user { query.cursor = nil }
      return query
    }
  }

  /// The owner; nil in a query about everyone. One about several is asked by `ofEachOwner`.
  package var user: UserKey? { users?.first }

  /// The owners of a query that is not about several.
  package var members: MemberSelection {
    user.map(MemberSelection.member) ?? among
  }
}

/// An entry, with the names of the records it refers to.
package struct ExportedTimeEntry: Hashable, Sendable {
  package var entry: TimeEntry
  /// The member's name in the organization.
  package var userName: String
  package var userEmail: String
  package var personnelNumber: String?
  /// Nil without a session.
  package var sessionTitle: String?
  /// The state of the date of its start among the marks on the member's time.
  package var periodState: PeriodState.Word
  /// Whether the member objects to a change of it that somebody else has made.
  package var isObjected = false

  package init(
    entry: TimeEntry, userName: String, userEmail: String, personnelNumber: String?, sessionTitle: String?,
    periodState: PeriodState.Word
  ) {
    self.entry = entry
    self.userName = userName
    self.userEmail = userEmail
    self.personnelNumber = personnelNumber
    self.sessionTitle = sessionTitle
    self.periodState = periodState
  }
}

/// A place in an export: the last entry before it.
package struct TimeEntryExportCursor: Hashable, Sendable {
  package var user: UserKey
  /// The place among the member's entries.
  package var place: TimeEntryCursor

  package init(user: UserKey, place: TimeEntryCursor) {
    self.user = user
    self.place = place
  }
}

/// Part of an export.
package struct TimeEntryExportPage<Output: Sendable>: Sendable {
  /// The output that was handed in, with the page's entries.
  package var output: Output
  /// The place from which the export goes on; nil at the end.
  package var next: TimeEntryExportCursor?

  package init(output: Output, next: TimeEntryExportCursor?) {
    self.output = output
    self.next = next
  }
}
