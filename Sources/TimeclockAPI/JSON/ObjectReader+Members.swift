import TimeclockDomain

extension ObjectReader {
  /// The most members that a list of them names.
  private static let memberLimit = 1_000

  /// Reads a list of the ids of members, each once.
  func members(_ name: String) -> [UserID] {
    listOfMembers(name, identifiers(name, atMost: Self.memberLimit))
  }

  func optionalMembers(_ name: String) -> [UserID]? {
    optionalIdentifiers(name, atMost: Self.memberLimit).map { listOfMembers(name, $0) }
  }

  private func listOfMembers(_ name: String, _ ids: [UserID]) -> [UserID] {
    refuseRepeated(ids, in: name)
    return ids
  }
}
