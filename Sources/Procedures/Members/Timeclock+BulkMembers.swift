import TimeclockDomain

/// One of several members to add.
package struct BulkMemberRequest: Sendable {
  package var member: NewMemberRequest
  package var password: NewPassword?
  /// The line of the file that states it, from 1 on; nil if no file does.
  package var line: Int?

  package init(member: NewMemberRequest, password: NewPassword? = nil, line: Int? = nil) {
    self.member = member
    self.password = password
    self.line = line
  }
}

extension Timeclock {
  /// The most members that can be added together.
  package static let bulkMaximumMembers = 500
  /// The most of them that can have passwords, each of which takes a tenth of a second and more.
  package static let bulkMaximumPasswords = 25

  /// Adds several members: all, or none if one is refused. Passwords are hashed only if nobody is refused.
  ///
  /// - Parameter isDryRun: Whether they are only judged. Then nothing is kept, and a refusal is an outcome.
  /// - Throws: `.forbidden`; `.bulkRefused` with the errors of `createMember` for each refused one; errors of hashing.
  /// - Returns: The outcome for each, in the order of the requests.
  package func createMembers(
    _ requests: [BulkMemberRequest], isDryRun: Bool, by caller: Membership,
    recording: AnswerRecording<[Member]>? = nil
  ) async throws -> [Result<Member, TimeclockError>] {
    try caller.require(.admin)
    let now = clock.now
    let organization = caller.key.organization
    let hasPasswords = requests.contains { $0.password != nil }
    let organizationName = hasPasswords ? try await storage.organization(organization).name : ""
    let prepared = try requests.map { request -> Result<PreparedMember, TimeclockError> in
      do {
        var (account, member) = try validated(request.member, in: organization, at: now)
        let obvious = [account.email.text, organizationName]
        if let password = request.password {
          try password.check(obvious)
          account.passwordHash = Self.judgedPassword
        }
        return .success((account, member, request.password, obvious))
      } catch let refusal as TimeclockError {
        return .failure(refusal)
      }
    }
    let context = caller.change("createMembers", at: now)
    func outcomes(
      of people: [Result<PreparedMember, TimeclockError>], isKept: Bool,
      recording: AnswerRecording<[Member]>?
    ) async throws -> [Result<Member, TimeclockError>] {
      let sound = people.compactMap { try? $0.get() }.map { (account: $0.account, member: $0.member) }
      var judged = try await storage.createMembers(
        sound, in: organization, isKept: isKept && sound.count == people.count, context: context,
        recording: recording)[...]
      return people.map { $0.flatMap { _ in judged.removeFirst() } }
    }
    if isDryRun { return try await outcomes(of: prepared, isKept: false, recording: nil) }
    var whole = prepared
    if hasPasswords {
      try requireNoRefusal(try await outcomes(of: prepared, isKept: false, recording: nil), of: requests)
      for (index, person) in prepared.enumerated() {
        guard case .success(var hashed) = person, let password = hashed.password else { continue }
        hashed.account.passwordHash = try await password.hash(hashed.obvious)
        whole[index] = .success(hashed)
      }
    }
    let made = try await outcomes(of: whole, isKept: true, recording: recording)
    try requireNoRefusal(made, of: requests)
    return made
  }

  /// A member that no rule refuses, with the words that the password may not be.
  private typealias PreparedMember = (
    account: NewAccount, member: NewMember, password: NewPassword?, obvious: [String]
  )

  /// A hash in the place of the password's while the storage judges whether the member can have one. It is never kept.
  private static let judgedPassword = PasswordHash(text: "")

  /// - Throws: `.bulkRefused`.
  private func requireNoRefusal(
    _ outcomes: [Result<Member, TimeclockError>], of requests: [BulkMemberRequest]
  ) throws {
    let refusals = zip(requests, outcomes).enumerated().compactMap { index, result -> BulkRefusal? in
      guard case .failure(let error) = result.1 else { return nil }
      return BulkRefusal(index: index, error: error, line: result.0.line)
    }
    guard refusals.isEmpty else { throw TimeclockError.bulkRefused(refusals, count: outcomes.count) }
  }
}
