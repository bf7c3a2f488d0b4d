import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Adds several members: all, or none where one is refused. A dry run tells what would become of each.
  static let createMembers = Operation(
    "createMembers", .post, "/v1/organizations/{organizationID}/members/bulk", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let (isDryRun, members) = try request.body { body in
      (
        body.optionalBool("dryRun") ?? false,
        body.objects("members", count: 1...Timeclock.bulkMaximumMembers) { $0.newMember() }
      )
    }
    let membership = try request.requireMembership()
    try request.rowCharge?.take(rows: members.count)
    return try await request.once { outcomes in
      .json(BulkMembersPayload.outcomes(outcomes, isDryRun: isDryRun, at: request.timeclock.clock.now))
    } perform: { recording in
      let outcomes = try await request.timeclock.createMembers(
        members, isDryRun: isDryRun, by: membership,
        recording: isDryRun ? nil : recording?.mapping { $0.map(Result.success) })
      // A dry run has no write to keep its answer with.
      if isDryRun, let recording {
        try await request.timeclock.storage.recordAnswer(recording.mapping { outcomes })
      }
      return outcomes
    }
  }
}

extension ObjectReader {
  /// Reads one of several members to add, who get no passwords.
  fileprivate func newMember() -> NewMemberRequest {
    NewMemberRequest(
      email: string("email"), name: string("name"), role: choice("role") ?? .member,
      timeZone: optionalString("timeZone"), personnelNumber: optionalString("personnelNumber"))
  }
}

/// The outcome of several members who were added together.
private enum BulkMembersPayload {
  /// The contract's BulkMembersOutcome.
  static func outcomes(
    _ outcomes: [Result<Member, TimeclockError>], isDryRun: Bool, at now: Instant
  ) -> [UInt8] {
    let created = outcomes.count { if case .success = $0 { true } else { false } }
    return JSONWriter.object(capacity: 64 + outcomes.count * 480) { writer in
      writer.member("dryRun", isDryRun)
      writer.member("created", Int64(created))
      writer.member("refused", Int64(outcomes.count - created))
      writer.name("results")
      writer.array(outcomes.enumerated()) { writer, outcome in
        switch outcome.element {
        case .success(let member):
          writer.object { writer in
            writer.member("index", Int64(outcome.offset))
            writer.member("status", Int64(HTTPStatus.created.code))
            writer.name("member")
            member.write(to: &writer)
          }
        case .failure(let error):
          BulkRefusal(index: outcome.offset, error: error).write(to: &writer, at: now)
        }
      }
    }
  }
}
