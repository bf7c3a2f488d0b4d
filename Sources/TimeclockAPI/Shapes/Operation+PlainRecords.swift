import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// The operations on plain records of a kind, by their names in the contract: list, create, get, update and, if they can
  /// be deleted, delete.
  static func onRecords<Record: PlainRecord>(_ type: Record.Type) -> [Operation] {
    let operations = [
      Operation(Record.operation(.list)) { try await $0.list(type) },
      Operation(Record.operation(.create)) { try await $0.create(type) },
      Operation(Record.operation(.get)) { request in
        try await request.answer { try await request.timeclock.record($0, for: $1) as Record }
      },
      Operation(Record.operation(.update)) { request in
        let timeclock = request.timeclock
        return try await request.change(
          { try await timeclock.record($0, for: $1) as Record },
          by: { try await timeclock.updateRecord($0, $1, expectedVersion: $2, by: $3) })
      },
    ]
    guard Record.isDeletable else { return operations }
    return operations + [
      Operation(Record.operation(.delete)) { request in
        let timeclock = request.timeclock
        return try await request.delete(
          { try await timeclock.record($0, for: $1) as Record },
          by: { try await timeclock.deleteRecord($0, expectedVersion: $1, by: $2) })
      }
    ]
  }
}

extension OperationRequest {
  /// Lists records.
  fileprivate func list<Record: PlainRecord>(_ type: Record.Type) async throws -> HTTPResponse {
    let (isFlagged, limit, cursor, list) = try query { query in
      let list = try self.list(Record.operation(.list), query)
      let isFlagged = Record.shape.listFlag.flatMap { query.bool("\($0)") }
      return (isFlagged, query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try requireNoBody()
    let page: Page<Record, RowCursor> = try await timeclock.records(
      isFlagged: isFlagged, after: cursor, limit: limit, for: requireMembership())
    return page.response(Record.shape.list, of: list) { $1.write(to: &$0) }
  }

  /// Makes the record of the body.
  fileprivate func create<Record: PlainRecord>(_ type: Record.Type) async throws -> HTTPResponse {
    try requireNoQuery()
    let new: Stated<Record> = try body { $0.stated(forNew: true) }
    let membership = try requireMembership()
    return try await once(answer: \.answerOfNew) { recording in
      try await timeclock.createRecord(new, by: membership, recording: recording)
    }
  }
}
