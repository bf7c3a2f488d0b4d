import Procedures
import TimeclockDomain

/// An organization as `organization list` and `organization show` print it.
struct OrganizationSummary: Encodable {
  let organizationID: String
  /// Nil, as what follows, of one that has moved to another cell.
  var name: String?
  var timeZone: String?
  /// Also `moved`.
  let state: String
  var createdAt: String?
  /// The e-mail addresses of the active admins.
  var admins: [String]?
  /// Where the one is that has moved.
  var address: String?
  /// The members of each role that are active; nil in a list.
  var activeMembers: [String: Int]?
  /// The members that are not; nil in a list.
  var inactiveMembers: Int?
  /// The members who are clocked in; nil in a list.
  var clockedIn: Int?
}

extension Timeclock {
  /// The organizations of the database that are not deleted, in the order in which they were made.
  func organizationSummaries() async throws -> [OrganizationSummary] {
    var found: [OrganizationSummary] = []
    for one in try await storage.organizations() {
      do {
        let summary = try await organizationSummary(one.key, isWhole: false)
        if summary.state != Organization.State.deleted.rawValue { found.append(summary) }
      } catch TimeclockError.organizationMoved(let address) {
        found.append(OrganizationSummary(organizationID: "\(one.id)", state: "moved", address: address))
      }
    }
    return found
  }

  /// One organization, on request with the numbers of its members.
  func organizationSummary(_ key: OrganizationKey, isWhole: Bool) async throws -> OrganizationSummary {
    let organization = try await storage.organization(key)
    let members = try await allMembers(of: key)
    let active = members.filter(\.isActive)
    var summary = OrganizationSummary(
      organizationID: "\(organization.id)", name: organization.name, timeZone: organization.timeZone.name,
      state: organization.state.rawValue, createdAt: organization.createdAt.rfc3339,
      admins: active.filter { $0.role == .admin }.map(\.email))
    if isWhole {
      summary.activeMembers = Dictionary(active.map { ($0.role.rawValue, 1) }, uniquingKeysWith: +)
      summary.inactiveMembers = members.count - active.count
      summary.clockedIn = try await clockedInCount(in: key)
    }
    return summary
  }

  /// The organization with this id, or with this name if only one has it.
  ///
  /// - Throws: `CommandError`.
  func organizationKey(named text: String) async throws -> OrganizationKey {
    let all = try await storage.organizations()
    if let id = OrganizationID(text) {
      guard let found = all.first(where: { $0.id == id }) else {
        throw CommandError("There is no organization with the id \(text) in this database.")
      }
      return found.key
    }
    var named: [OrganizationKey] = []
    for one in all where try await name(of: one.key) == text { named.append(one.key) }
    guard let key = named.first else {
      throw CommandError("There is no organization called \"\(text)\" in this database.")
    }
    guard named.count == 1 else {
      throw CommandError("\(named.count) organizations are called \"\(text)\": name the one by its id.")
    }
    return key
  }

  /// The name of an organization; nil of one that has moved to another cell.
  private func name(of key: OrganizationKey) async throws -> String? {
    do {
      return try await storage.organization(key).name
    } catch TimeclockError.organizationMoved {
      return nil
    }
  }

  /// The member with this e-mail address.
  ///
  /// - Throws: `CommandError`; `TimeclockError.invalidEmail`.
  func member(withEmail text: String, in organization: OrganizationKey) async throws -> Member {
    guard let email = EmailAddress(ofAccount: text) else { throw TimeclockError.invalidEmail(.form) }
    let members = try await allMembers(of: organization)
    let same = members.filter { EmailAddress.key(of: $0.email) == email.key }
    // Older versions made several accounts of one address: the one that is written so is meant.
    let written = same.filter { EmailAddress(ofAccount: $0.email)?.isWritten(as: email) == true }
    let found = written.isEmpty ? same : written
    guard let member = found.first else {
      throw CommandError("No member of the organization has the e-mail address \(text).")
    }
    // An address is free for somebody else once its person has another one, which an organization may not know.
    guard found.count == 1 else {
      throw CommandError(
        "\(found.count) members have the e-mail address \(text): have an admin give one of them another.")
    }
    return member
  }

  private func clockedInCount(in organization: OrganizationKey) async throws -> Int {
    let caller = try await operatorMembership(in: organization)
    var (count, cursor) = (0, nil as PresenceCursor?)
    repeat {
      let found = try await presence(PresenceRequest(cursor: cursor, limit: 1_000), for: caller).page
      count += found.elements.count
      cursor = found.next
    } while cursor != nil
    return count
  }

  private func allMembers(of organization: OrganizationKey) async throws -> [Member] {
    var found: [Member] = []
    var cursor: RowCursor?
    repeat {
      let page = try await storage.members(of: organization, after: cursor, limit: 1_000)
      found += page.elements
      cursor = page.next
    } while cursor != nil
    return found
  }
}
