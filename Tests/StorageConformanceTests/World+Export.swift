import TimeclockDomain

extension World {
  /// Everything that an export of some members' entries gives that a filter shows, or of everyone's, page by page.
  func export(
    _ organization: TestOrganization, of members: [TestMember]?, _ filter: TimeEntryFilter,
    session: SessionID? = nil, pageSize: Int
  ) async throws -> [TimeEntry] {
    var query = TimeEntryExportQuery(
      organization: organization.key, users: members?.map(\.key.user), range: .dates(from: nil, through: nil),
      status: nil, session: session, filter: filter, limit: pageSize)
    var exported: [TimeEntry] = []
    repeat {
      let page = try await storage.exportTimeEntries(query, into: [] as [TimeEntry]) { page, entry in
        page.append(entry.entry)
        return true
      }
      exported += page.output
      query.cursor = page.next
    } while query.cursor != nil
    return exported
  }

  /// Everything that an export gives, page by page.
  func export(
    _ organization: TestOrganization, _ member: TestMember? = nil,
    range: TimeEntryRange = .dates(from: nil, through: nil), status: TimeEntryStatus? = nil,
    session: SessionID? = nil, pageSize: Int = 1_000
  ) async throws -> [ExportedTimeEntry] {
    var query = TimeEntryExportQuery(
      organization: organization.key, user: member?.key.user, range: range, status: status, session: session,
      limit: pageSize)
    var exported: [ExportedTimeEntry] = []
    repeat {
      let page = try await storage.exportTimeEntries(query, into: [] as [ExportedTimeEntry]) { page, entry in
        page.append(entry)
        return true
      }
      exported += page.output
      query.cursor = page.next
    } while query.cursor != nil
    return exported
  }
}
