import ArgumentParser
import TimeclockDomain

extension DatabaseOptions {
  /// Opens the database, does an operator's work with it, and closes it.
  ///
  /// On PostgreSQL servers may be running at the same time, and learn of what they have to know. An SQLite file belongs
  /// to one process.
  ///
  /// - Parameter advice: The sentences that say what else can be done where a server holds the database.
  /// - Throws: `CommandError` where the database cannot be opened, or a rule refuses; any error of `work`.
  func withTimeclock<Value: Sendable>(
    whenInUse advice: String, _ work: (Timeclock) async throws -> Value
  ) async throws -> Value {
    let storage = try location().open(
      whenInUse: advice, report: { StandardErrorLog.shared.append("database: \($0)", level: .error) },
      onFailure: {})
    defer { StandardErrorLog.shared.finish() }
    let result: Result<Value, any Error>
    do {
      result = .success(try await work(Timeclock(storage: storage)))
    } catch let error as TimeclockError {
      result = .failure(CommandError("\(error.code): \(error.detail)"))
    } catch {
      result = .failure(error)
    }
    await storage.close()
    return try result.get()
  }
}

/// The options that name a member.
struct MemberOptions: ParsableArguments {
  @Option(help: "The organization's id, or its name where only one has it.")
  var organization: String

  @Option(help: "The member's e-mail address.")
  var email: String

  /// The member, and the organization.
  ///
  /// - Throws: `CommandError`; `TimeclockError.invalidEmail`.
  func member(in timeclock: Timeclock) async throws -> (organization: OrganizationKey, member: Member) {
    let key = try await timeclock.organizationKey(named: organization)
    return (key, try await timeclock.member(withEmail: email, in: key))
  }
}

extension Timeclock {
  /// The organization with this id, or with this name where only one has it.
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
    for one in all where try await storage.organization(one.key).name == text { named.append(one.key) }
    guard let key = named.first else {
      throw CommandError("There is no organization called \"\(text)\" in this database.")
    }
    guard named.count == 1 else {
      throw CommandError("\(named.count) organizations are called \"\(text)\": name the one by its id.")
    }
    return key
  }

  /// The member with this e-mail address.
  ///
  /// - Throws: `CommandError`; `TimeclockError.invalidEmail`.
  func member(withEmail text: String, in organization: OrganizationKey) async throws -> Member {
    let email = try EmailAddress(text)
    var cursor: RowCursor?
    repeat {
      let page = try await storage.members(of: organization, after: cursor, limit: 1_000)
      if let member = page.elements.first(where: { (try? EmailAddress($0.email))?.key == email.key }) {
        return member
      }
      cursor = page.next
    } while cursor != nil
    throw CommandError("No member of the organization has the e-mail address \(text).")
  }
}
