import TimeclockDomain

extension World {
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
