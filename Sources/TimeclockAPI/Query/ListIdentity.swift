import TimeclockDomain

/// Identifies the list that a page belongs to: the operation, the organization, and the parameters that select its rows.
/// A cursor carries it, because a place in one list means nothing in another.
struct ListIdentity: Hashable, Sendable {
  /// A number that two lists hardly ever share. It guards against mistakes and needs no secret: a cursor states only
  /// the place, and every request decides which rows it shows.
  let fingerprint: Int64

  /// Makes the identity of a list. Parameters that only select a part of the list are left out.
  init(_ operationID: String, of organization: OrganizationID, parameters: [String: String]) {
    var bytes = Array(operationID.utf8) + [0]
    organization.append(to: &bytes)
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where !Self.isPart(name) {
      // UTF-8 text holds no byte 255, so no two lists of parameters give the same bytes.
      bytes += [0xFF] + Array(name.utf8) + [0xFF] + Array(value.utf8)
    }
    fingerprint = Int64(bitPattern: Self.hash(bytes))
  }

  private static func isPart(_ parameter: String) -> Bool { parameter == "cursor" || parameter == "limit" }

  /// FNV-1a of 64 bits (draft-eastlake-fnv): the same in every process, as Swift's own hashes are not.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
