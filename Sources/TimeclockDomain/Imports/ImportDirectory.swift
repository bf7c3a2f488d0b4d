/// The members of an organization as an import looks them up.
struct ImportDirectory: Sendable {
  private var byEmail: [String: Membership] = [:]
  private var byName: [String: [Membership]] = [:]

  private static let pageSize = 1_000

  /// Reads everybody who can be told by name or address; who was anonymized cannot.
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
    byEmail[Text.lowercasedASCII(email)] = membership
    byName[name, default: []].append(membership)
  }

  /// The member with the address, active or not.
  func member(with email: EmailAddress) -> Membership? { byEmail[email.key] }

  /// The one member with exactly this name, active or not.
  ///
  /// - Throws: `ImportRefusal` where there is none, or more than one.
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
