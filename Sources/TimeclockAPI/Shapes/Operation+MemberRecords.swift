import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// The operations on members' records of a kind, by their names in the contract: list, create, many, get,
  /// update if they can be changed, and delete.
  ///
  /// - Parameter states: Reads what a body states of a record, beside its member; nil for one that states the fields as
  ///   they are.
  static func onMemberRecords<Record: MemberRecord>(
    _ type: Record.Type, states: (@Sendable (ObjectReader, _ isNew: Bool) -> Stated<Record>)? = nil
  ) -> [Operation] {
    let operations = [
      Operation(Record.operation(.list)) { try await $0.list(type) },
      Operation(Record.operation(.create)) { try await $0.create(type, states) },
      Operation(Record.operation(.createMany)) {
        try await $0.createMany(type, states)
      },
      Operation(Record.operation(.get)) { request in
        try await request.answer { try await request.timeclock.record($0, for: $1) as Record }
      },
      Operation(Record.operation(.delete)) { request in
        let timeclock = request.timeclock
        return try await request.delete(
          { try await timeclock.record($0, for: $1) as Record },
          by: { try await timeclock.deleteRecord($0, expectedVersion: $1, by: $2) })
      },
    ]
    guard Record.isChangeable else { return operations }
    return operations + [
      Operation(Record.operation(.update)) { request in
        let timeclock = request.timeclock
        return try await request.change(
          { try await timeclock.record($0, for: $1) as Record }, states: states,
          by: { try await timeclock.updateRecord($0, $1, expectedVersion: $2, by: $3) })
      }
    ]
  }
}

extension OperationRequest {
  /// Lists records, of one member or of all.
  fileprivate func list<Record: MemberRecord>(_ type: Record.Type) async throws -> HTTPResponse {
    let (members, limit, cursor, list) = try query { query in
      let list = try self.list(Record.operation(.list), query)
      return (
        query.members(), query.limit(), query.cursor(in: list) as RowCursor?, list
      )
    }
    try requireNoBody()
    let page: Page<Record, RowCursor> = try await timeclock.records(
      of: members, after: cursor, limit: limit, for: requireMembership())
    return page.response(Record.shape.list, of: list) { $1.write(to: &$0) }
  }

  /// Makes the record of the body.
  fileprivate func create<Record: MemberRecord>(
    _ type: Record.Type, _ states: ((ObjectReader, Bool) -> Stated<Record>)?
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    let (userID, new) = try body { body in
      (body.identifier("userId") as UserID, states?(body, true) ?? body.stated(forNew: true))
    }
    let membership = try requireMembership()
    return try await once(answer: \.answerOfNew) { recording in
      try await timeclock.createRecord(new, of: userID, by: membership, recording: recording)
    }
  }

  /// Makes the records of the body.
  fileprivate func createMany<Record: MemberRecord>(
    _ type: Record.Type, _ states: ((ObjectReader, Bool) -> Stated<Record>)?
  ) async throws -> HTTPResponse {
    try await createMany(type) { row in
      states?(row, true) ?? row.stated(forNew: true)
    } by: {
      try await timeclock.createRecords($0, mode: $1, by: $2, recording: $3)
    }
  }

  /// Makes the records of the body.
  ///
  /// - Parameters:
  ///   - read: Reads what a row states of a record, beside its member.
  ///   - create: Makes them.
  func createMany<Record: JudgedRecord>(
    _ type: Record.Type, read: (ObjectReader) -> Stated<Record>,
    by create: (
      [(userID: UserID, fields: Stated<Record>)], BulkMode, Membership,
      AnswerRecording<[Result<Record, TimeclockError>]>?
    ) async throws -> [Result<Record, TimeclockError>]
  ) async throws -> HTTPResponse {
    try requireNoQuery()
    let (mode, rows) = try body { body in
      let mode: BulkMode? = body.choice("mode")
      return (
        mode ?? .atomic,
        body.objects("rows", count: 1...Timeclock.bulkMaximumCount) { row in
          (userID: row.identifier("userId") as UserID, fields: read(row))
        }
      )
    }
    let membership = try requireMembership()
    try rowCharge?.take(rows: rows.count)
    let now = timeclock.clock.now
    return try await once { outcomes in
      .json(BulkPayload.outcomes(outcomes, Record.shape.kind.rawValue, at: now) { $2.write(to: &$0) })
    } perform: { recording in
      try await create(rows, mode, membership, recording)
    }
  }
}
