/// The storage's readings for reports.
package protocol ReportStorage: Sendable {
  /// Reads the time of an organization's members, and hands it to `calculate`: both in one go, apart from the serving
  /// of requests, so that a long report holds up no request.
  ///
  /// The reading is of one moment, but for names, which may be newer.
  ///
  /// - Returns: The result of `calculate`.
  /// - Throws: `.notFound(.session)` where the query names a session that the organization does not have; `.unavailable`;
  ///   any error of `calculate`.
  func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report
}

/// The entries that a report is about.
package struct WorkedTimeQuery: Sendable {
  package var organization: OrganizationKey
  /// The owner of the entries; nil means everyone.
  package var user: UserKey?
  /// Entries that end after this instant, or are active.
  package var endingAfter: Instant
  /// Entries that begin before this instant.
  package var beginningBefore: Instant
  /// A session to be known to `WorkedTime.sessions` in any case.
  package var session: SessionID?
  /// Whether sessions and sources are needed.
  package var hasDetails: Bool

  package init(
    organization: OrganizationKey, user: UserKey?, endingAfter: Instant, beginningBefore: Instant,
    session: SessionID?, hasDetails: Bool
  ) {
    self.organization = organization
    self.user = user
    self.endingAfter = endingAfter
    self.beginningBefore = beginningBefore
    self.session = session
    self.hasDetails = hasDetails
  }
}

/// The entries of a report, and what their keys mean.
package struct WorkedTime: Sendable {
  /// In any order, those of one member together.
  package var entries: [WorkedEntry]
  /// The members that the entries are of, and maybe others.
  package var people: [UserKey: ReportedPerson]
  /// The sessions of the entries, by their rows, where the query has asked for details.
  package var sessions: [Int64: ReportedSession]

  package init(
    entries: [WorkedEntry], people: [UserKey: ReportedPerson], sessions: [Int64: ReportedSession]
  ) {
    self.entries = entries
    self.people = people
    self.sessions = sessions
  }
}

/// The parts of one entry that a report needs.
package struct WorkedEntry: Sendable {
  package var user: UserKey
  package var clockIn: Instant
  /// Nil while the entry is active.
  package var clockOut: Instant?
  /// The session's row.
  package var session: Int64?
  package var source: TimeEntrySource
  package var flags: TimeEntryFlags
  /// The entry's id where it is active or flagged, nil elsewhere: reports name only those.
  package var id: TimeEntryID?

  package init(
    user: UserKey, clockIn: Instant, clockOut: Instant?, session: Int64?, source: TimeEntrySource,
    flags: TimeEntryFlags, id: TimeEntryID?
  ) {
    self.user = user
    self.clockIn = clockIn
    self.clockOut = clockOut
    self.session = session
    self.source = source
    self.flags = flags
    self.id = id
  }
}

/// A member in a report.
package struct ReportedPerson: Hashable, Sendable {
  package var id: UserID
  package var name: String
  package var email: String
  package var personnelNumber: String?

  /// - Parameter email: The address as the database has it; it is empty once the member was anonymized.
  package init(id: UserID, name: String, storedEmail email: String, personnelNumber: String?) {
    self.id = id
    self.name = name
    self.email = email.isEmpty ? Anonymity.email(of: id) : email
    self.personnelNumber = personnelNumber
  }
}

/// A session in a report.
package struct ReportedSession: Hashable, Sendable {
  package var id: SessionID
  package var title: String

  package init(id: SessionID, title: String) {
    self.id = id
    self.title = title
  }
}
