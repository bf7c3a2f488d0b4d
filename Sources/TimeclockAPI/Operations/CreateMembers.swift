import Credentials
import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Adds several members: all, or none if one is refused. A dry run returns the outcome of each.
  static let createMembers = Operation("createMembers") { request in
    let (isDryRun, people) = try request.peopleToAdd()
    let membership = try request.requireMembership()
    try request.rowCharge?.take(rows: people.count)
    let hasPasswords = people.contains { $0.password != nil }
    let secrecy = hasPasswords ? RequestSecrecy.password(request.hashingCaller) : .none
    return try await request.once(secrecy: secrecy) { outcomes in
      .json(
        BulkMembersPayload.outcomes(outcomes, of: people, isDryRun: isDryRun, at: request.timeclock.clock.now)
      )
    } perform: { recording in
      let outcomes = try await request.timeclock.createMembers(
        people, isDryRun: isDryRun, by: membership,
        recording: isDryRun ? nil : recording?.mapping { $0.map(Result.success) })
      // A dry run has no write to keep its answer with.
      if isDryRun, let recording {
        try await request.timeclock.storage.recordAnswer(recording.mapping { outcomes })
      }
      return outcomes
    }
  }
}

extension OperationRequest {
  /// Reads the people of a body of JSON, or of a file, and whether they are only to be judged.
  fileprivate func peopleToAdd() throws -> (isDryRun: Bool, people: [BulkMemberRequest]) {
    let isDryRun = try query { $0.bool("dryRun") } ?? false
    guard isDelimitedText else {
      let stated = try body(orElse: "text/csv") { reader in
        (isDryRun: reader.optionalBool("dryRun") ?? false, people: readPeople(in: reader, lines: []))
      }
      return (isDryRun || stated.isDryRun, stated.people)
    }
    let file = try MemberFile(delimitedText())
    let reader = ObjectReader([JSONValue.Member(name: "members", value: .array(file.members))])
    let people = readPeople(in: reader, lines: file.lines)
    try file.requireSound(reader.faults())
    return (isDryRun, people)
  }

  /// Reads `members`.
  ///
  /// - Parameter lines: The lines of a file that state them; none if no file does.
  private func readPeople(in reader: ObjectReader, lines: [Int]) -> [BulkMemberRequest] {
    var people = reader.objects("members", count: 1...Timeclock.bulkMaximumMembers) { member in
      BulkMemberRequest(
        member: NewMemberRequest(
          email: member.string("email"), name: member.string("name"), role: member.choice("role") ?? .member,
          timeZone: member.optionalString("timeZone"),
          personnelNumber: member.optionalString("personnelNumber")),
        password: newPassword(member.setPassword()))
    }
    for (index, line) in zip(people.indices, lines) { people[index].line = line }
    if people.count(where: { $0.password != nil }) > Timeclock.bulkMaximumPasswords {
      reader.refuse(
        "members", code: "invalid",
        "may have passwords for \(Timeclock.bulkMaximumPasswords) of them at most; others can be invited")
    }
    return people
  }
}

/// The outcome of several members who were added together.
private enum BulkMembersPayload {
  /// The contract's BulkMembersOutcome.
  static func outcomes(
    _ outcomes: [Result<Member, TimeclockError>], of people: [BulkMemberRequest], isDryRun: Bool,
    at now: Instant
  ) -> [UInt8] {
    let created = outcomes.count { if case .success = $0 { true } else { false } }
    return JSONWriter.object(capacity: 64 + outcomes.count * 480) { writer in
      writer.member("dryRun", isDryRun)
      writer.member("created", Int64(created))
      writer.member("refused", Int64(outcomes.count - created))
      writer.name("results")
      writer.array(zip(people, outcomes).enumerated()) { writer, result in
        let (person, outcome) = result.element
        switch outcome {
        case .success(let member):
          writer.object { writer in
            writer.member("index", Int64(result.offset))
            if let line = person.line { writer.member("line", Int64(line)) }
            writer.member("status", Int64(HTTPStatus.created.code))
            writer.name("member")
            member.write(to: &writer)
          }
        case .failure(let error):
          BulkRefusal(index: result.offset, error: error, line: person.line).write(to: &writer, at: now)
        }
      }
    }
  }
}
