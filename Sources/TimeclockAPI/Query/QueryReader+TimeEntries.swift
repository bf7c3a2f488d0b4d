import TimeclockDomain

extension QueryReader {
  /// Takes the filters of the entries of a list and of an export.
  func timeEntryList() -> TimeEntryListRequest {
    TimeEntryListRequest(
      userIDs: identifiers("userId", atMost: TimeEntryListRequest.maximumOwners),
      groupID: identifier("groupId"), dates: dates(), match: choice("match") ?? .start,
      status: choice("status"), sessionID: identifier("sessionId"),
      filter: TimeEntryFilter(
        flags: flags("flags"), sources: Set(choices("source") ?? []), updatedSince: instant("updatedSince")))
  }

  /// Takes different names of flags between commas; none for all entries.
  private func flags(_ name: String) -> TimeEntryFlags {
    let known = TimeEntryFlags.names
    let words = known.map(\.name).joined(separator: ", ")
    return several(name, "ones of \(words)", atMost: known.count) { word in
      known.first { $0.name == word }?.flag
    }?.reduce(into: []) { $0.formUnion($1) } ?? []
  }
}
