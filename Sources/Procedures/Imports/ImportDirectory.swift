import TimeclockDomain

/// The members of an organization as an import looks them up.
struct ImportDirectory: Sendable {
  /// By the keys of their addresses. Of one key there are several if older versions distinguished their spellings.
  private var byEmail: [String: [(email: EmailAddress?, membership: Membership)]] = [:]
  private var byName: [String: [Membership]] = [:]

  private static let pageSize = 1_000

  /// Reads all members found by name or address; anonymized ones are not.
  init(of organization: OrganizationKey, in storage: any Storage) async throws {
    var cursor: RowCursor?
    repeat {
      let page = try await storage.members(of: organization, after: cursor, limit: Self.pageSize)
      let members = page.elements.filter { $0.anonymizedAt == nil }
      let memberships = try await storage.memberships(of: Set(members.map(\.userID)), in: organization)
      for member in members {
        guard let membership = memberships[member.userID] else { continue }
        insert(membership, email: member.email, name: member.name)
      }
      cursor = page.next
    } while cursor != nil
  }

  mutating func insert(_ membership: Membership, email: String, name: String) {
    byEmail[EmailAddress.key(of: email), default: []].append((EmailAddress(ofAccount: email), membership))
    byName[name, default: []].append(membership)
  }

  /// The member with the address, active or not; nil if there is none.
  ///
  /// - Throws: `ImportRefusal` if several members have it, and none of them is written so.
  func member(with email: EmailAddress) throws -> Membership? {
    let found = byEmail[email.key] ?? []
    guard found.count > 1 else { return found.first?.membership }
    let written = found.filter { $0.email?.isWritten(as: email) == true }
    guard written.count == 1 else {
      throw ImportRefusal.memberUnknown(
        """
        \(found.count) members have the address "\(Text.quotable(email.text))" in several spellings, so it is not clear whose \
        the row is. Give all but one of them another address.
        """)
    }
    return written[0].membership
  }

  /// The one member with exactly this name, active or not.
  ///
  /// - Throws: `ImportRefusal` if there is none, or more than one.
  func member(named name: String, _ names: ImportSettingNames) throws -> Membership {
    let found = byName[name] ?? []
    guard let member = found.first else {
      throw ImportRefusal.memberUnknown(
        """
        No member is called "\(Text.quotable(name))", and the row has no e-mail address. Add the member by this name and \
        import the file again, or state \(names.user).
        """)
    }
    guard found.count == 1 else {
      throw ImportRefusal.memberUnknown(
        """
        \(found.count) members are called "\(Text.quotable(name))", so it is not clear whose the row is. State \
        \(names.user).
        """)
    }
    return member
  }
}
